import { expect, test } from "vitest";
import { bytesByTable, closedJournal, expectFoundInFile } from "./damaged-file.ts";
import { seededRandom } from "./seed.ts";

/** Of these nothing tells yet that they are not what was written; `damaged-file.test.ts` shows it. */
const UNPROTECTED = /^(meta|events_by_key|sqlite_autoindex_.*)$/;

test("any wrong byte in the file of a journal is found, or makes no difference", async () => {
  const journal = await closedJournal();
  const tables = bytesByTable(journal);
  expect(tables.has("events")).toBe(true);
  for (const [table, bytes] of tables) {
    if (UNPROTECTED.test(table)) continue;
    await expectFoundInFile(journal, bytes, seededRandom(`any wrong byte of ${table}`));
  }
});
