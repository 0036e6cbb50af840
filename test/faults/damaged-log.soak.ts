import { test } from "vitest";
import { expectPrefixOfCutLog, expectPrefixOfFlippedLog, killedJournal } from "./damaged-log.ts";
import { every } from "./offsets.ts";
import { seededRandom } from "./seed.ts";

test("a log cut at every byte gives what was acknowledged before, and nothing else", async () => {
  const journal = await killedJournal();
  await expectPrefixOfCutLog(journal, every(journal.files.log.length + 1));
});

test("a log with any one byte wrong gives what was acknowledged before that byte, and nothing else", async () => {
  const random = seededRandom("a log with any one byte wrong");
  const journal = await killedJournal();
  await expectPrefixOfFlippedLog(journal, every(journal.files.log.length), random);
});
