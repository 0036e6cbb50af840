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

test("a wrong byte in the index of idempotency keys is found", async () => {
  const journal = await closedJournal();
  const bytes = bytesByTable(journal).get("events_by_key") ?? [];
  await expectFoundInFile(journal, bytes, seededRandom("a wrong byte in the index of keys"));
});

test("a wrong byte in an index of names is found, or makes no difference", async () => {
  const journal = await closedJournal();
  const indices = [...bytesByTable(journal)].filter(([name]) =>
    name.startsWith("sqlite_autoindex"),
  );
  // Rows grow from the end of a page.
  const bytes = indices.flatMap(([, its]) => its.toReversed());
  await expectFoundInFile(journal, bytes, { below: () => 0 });
});
