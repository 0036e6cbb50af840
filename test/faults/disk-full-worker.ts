/**
 * A process with a small disk of its own, which carries out an operation while there is room for
 * no page, for one, for two … until it succeeds. Its argument is a `DiskFullJob` as JSON.
 *
 * It says `<pages> <outcome> <what the operation ended with>` for each.
 */
import assert from "node:assert/strict";
import { cpSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { HoldfastError } from "../../src/errors.ts";
import { say } from "./die.ts";
import { OPERATIONS, type Operation, type OperationName } from "./operations.ts";
import { fill, mountSmallDisk } from "./small-disk.ts";

export interface DiskFullJob {
  readonly operation: OperationName;
  readonly prepared: string;
  /** An empty folder for the disk. It is seen by this process alone, and gone with it. */
  readonly disk: string;
}

const PAGES_MAX = 1_000;

const { operation: name, prepared, disk } = JSON.parse(process.argv[2] ?? "") as DiskFullJob;
const operation: Operation = OPERATIONS[name];
const project = path.join(disk, "project");
const filler = path.join(disk, "filler");

/** What the operation ended with: `acknowledged`, `not finished`, or the code of its failure. */
async function attempt(): Promise<string> {
  let acknowledged = false;
  try {
    await operation.run(project, () => {
      acknowledged = true;
    });
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    assert(!acknowledged);
    return error.code;
  }
  return acknowledged ? "acknowledged" : "not finished";
}

mountSmallDisk(disk);
// One by one while it matters which file it is that can't grow, in larger steps for large operations.
for (let pages = 0; pages < PAGES_MAX; pages += pages < 50 ? 1 : 25) {
  for (const entry of readdirSync(disk)) rmSync(path.join(disk, entry), { recursive: true });
  cpSync(prepared, project, { recursive: true });
  fill(filler, pages);
  const answer = await attempt();
  rmSync(filler);
  const outcome = await operation.check(project);
  say(`${pages} ${outcome} ${answer}`);
  if (answer === "acknowledged") break;
  if (outcome === "not done" || operation.isRepeatable) {
    assert.equal(await attempt(), "acknowledged");
    assert.equal(await operation.check(project), "done");
  }
}
say("ended");
