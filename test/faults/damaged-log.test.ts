import { expect, test } from "vitest";
import { expectPrefixOfCutLog, expectPrefixOfFlippedLog, killedJournal } from "./damaged-log.ts";
import { every, some } from "./offsets.ts";
import { seededRandom } from "./seed.ts";

test("a log that is cut off somewhere gives what was acknowledged before, and nothing else", async () => {
  const random = seededRandom("a log cut off somewhere");
  const journal = await killedJournal();
  await expectPrefixOfCutLog(journal, some(journal.files.log.length + 1, 1_000, random));
}, 60_000);

test("a log with a wrong byte gives what was acknowledged before that byte, and nothing else", async () => {
  const random = seededRandom("a log with a wrong byte");
  const journal = await killedJournal();
  await expectPrefixOfFlippedLog(journal, some(journal.files.log.length, 1_000, random), random);
}, 60_000);

test("a log that was moved into the main file up to any sector, and no further, loses nothing", async () => {
  const { files, mainAfterCheckpoint, events, found } = await killedJournal();
  const sector = 512;
  for (const written of every(mainAfterCheckpoint.length / sector + 1)) {
    const main = Buffer.concat([
      mainAfterCheckpoint.subarray(0, written * sector),
      files.main.subarray(written * sector),
    ]);
    expect(await found({ main }), `${written} sectors written`).toEqual(events);
  }
}, 60_000);

test("a log without its index, or with one of zeros, gives all that was acknowledged", async () => {
  const { files, events, found } = await killedJournal();
  expect(await found({ index: Buffer.alloc(0) })).toEqual(events);
  expect(await found({ index: Buffer.alloc(files.index.length) })).toEqual(events);
});
