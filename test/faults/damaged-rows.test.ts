import { expect, test } from "vitest";
import { closedJournal } from "./damaged-file.ts";
import { expectNamed, storedBytesOf, tablesOf } from "./damaged-rows.ts";
import { some } from "./offsets.ts";
import { seededRandom } from "./seed.ts";

test("a wrong byte in a stored event is named by the number of the event, with its kind", async () => {
  const journal = await closedJournal();
  const random = seededRandom("a wrong byte in a stored event");
  const bytes = storedBytesOf(journal, "events");
  const chosen = some(bytes.length, 400, random).flatMap((index) => bytes[index] ?? []);
  await expectNamed(journal, chosen, random);
}, 60_000);

/** A key and a cache: nothing in the chain tells what they are. */
const BESIDE_THE_CHAIN = ["meta", "snapshot"];

test("any wrong byte in a row beside the events is found, or makes no difference", async () => {
  const journal = await closedJournal();
  const tables = tablesOf(journal).filter(
    (table) => !["events", ...BESIDE_THE_CHAIN].includes(table),
  );
  expect(tables).toContain("head");
  for (const table of tables) {
    const random = seededRandom(`any wrong byte in a row of ${table}`);
    await expectNamed(journal, storedBytesOf(journal, table), random);
  }
}, 60_000);
