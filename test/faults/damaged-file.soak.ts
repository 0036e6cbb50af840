import { expect, test } from "vitest";
import { bytesByTable, closedJournal, expectFoundInFile } from "./damaged-file.ts";
import { seededRandom } from "./seed.ts";

/** Tables and indices of which nothing tells yet that they are not what was written. */
const UNPROTECTED = ["meta", "events_by_key"];

test("any wrong byte in the file of a journal is found, or makes no difference", async () => {
  const journal = await closedJournal();
  const tables = bytesByTable(journal);
  expect(tables.has("events")).toBe(true);
  for (const [table, bytes] of tables) {
    if (UNPROTECTED.includes(table)) continue;
    await expectFoundInFile(journal, bytes, seededRandom(`any wrong byte of ${table}`));
  }
});
