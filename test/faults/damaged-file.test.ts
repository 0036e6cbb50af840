import { test } from "vitest";
import { bytesByTable, closedJournal, expectFoundInFile } from "./damaged-file.ts";
import { some } from "./offsets.ts";
import { seededRandom } from "./seed.ts";

const SOMETIMES = 500;

test("a wrong byte in the pages of the events is found, or makes no difference", async () => {
  const journal = await closedJournal();
  const random = seededRandom("a wrong byte in the pages of the events");
  const bytes = bytesByTable(journal).get("events") ?? [];
  const chosen = some(bytes.length, SOMETIMES, random).map((index) => bytes[index] ?? 0);
  await expectFoundInFile(journal, chosen, random);
}, 60_000);

test.each([
  ["the index of idempotency keys", /^events_by_key$/],
  ["an index of names", /^sqlite_autoindex_/],
] as const)(
  "a wrong byte in %s is found, or makes no difference",
  async (what, name) => {
    const journal = await closedJournal();
    const random = seededRandom(`a wrong byte in ${what}`);
    // Rows grow from the end of a page.
    const bytes = [...bytesByTable(journal)].flatMap(([table, its]) =>
      name.test(table) ? its.slice(-SOMETIMES) : [],
    );
    const chosen = some(bytes.length, SOMETIMES / 4, random).map((index) => bytes[index] ?? 0);
    await expectFoundInFile(journal, chosen, random);
  },
  60_000,
);
