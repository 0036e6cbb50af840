/**
 * A process that appends to an open journal while its disk fills up, and goes on when there is room
 * again. Its argument is an empty folder for the disk, as JSON. In the end it says `ended <appends> <refusals>`.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { HoldfastError } from "../../src/errors.ts";
import { anEvent, appendTo } from "../journal/makers.ts";
import { say } from "./die.ts";
import { journalIn, storedIn } from "./journals.ts";
import { fill, mountSmallDisk } from "./small-disk.ts";

const ROUNDS = 30;

const disk = JSON.parse(process.argv[2] ?? "") as string;
const project = path.join(disk, "project");
const filler = path.join(disk, "filler");
mountSmallDisk(disk);
mkdirSync(project);
const { journal, close } = await journalIn(project);
let refusals = 0;

/** Appends until there is no room. */
async function fillUp(bytes: number): Promise<void> {
  for (;;) {
    const { head } = journal;
    try {
      await appendTo(journal, anEvent({ text: "x".repeat(bytes) }), anEvent({ n: head.seq }));
    } catch (error) {
      assert(error instanceof HoldfastError);
      assert.equal(error.code, "journal/storage-full");
      assert.deepEqual(journal.head, head);
      refusals++;
      return;
    }
  }
}

for (let round = 0; round < ROUNDS; round++) {
  // Other sizes and other room each time, so that it is now this write and now that which fails.
  fill(filler, round);
  await fillUp(1 + 997 * round);
  rmSync(filler);
  const [next] = await appendTo(journal, anEvent({ round }));
  assert.equal(next?.header.seq, journal.head.seq);
}
await close();
assert.equal((await storedIn(project)).length, journal.head.seq);
say(`ended ${journal.head.seq} ${refusals}`);
