import { expect, test } from "vitest";
import { bytesByTable, closedJournal, expectFoundInFile } from "./damaged-file.ts";
import { seededRandom } from "./seed.ts";

/**
 * Nothing tells that the command key is not what was written. Under another one no observation of
 * before is proof any more, and none becomes it.
 */
const UNPROTECTED = /^meta$/;

test("any wrong byte in the file of a journal is found, or makes no difference", async () => {
  const journal = await closedJournal();
  const tables = bytesByTable(journal);
  expect(tables.has("events")).toBe(true);
  for (const [table, bytes] of tables) {
    if (UNPROTECTED.test(table)) continue;
    await expectFoundInFile(journal, bytes, seededRandom(`any wrong byte of ${table}`));
  }
}, 1_200_000);
