import { expect, test } from "vitest";
import { closedJournal } from "./damaged-file.ts";
import { expectNamed, storedBytesOf } from "./damaged-rows.ts";
import { some } from "./offsets.ts";
import { seededRandom } from "./seed.ts";

test("a wrong byte in a stored event is named by the number of the event, with its kind", async () => {
  const journal = await closedJournal();
  const random = seededRandom("a wrong byte in a stored event");
  const bytes = storedBytesOf(journal, "events");
  const chosen = some(bytes.length, 400, random).flatMap((index) => bytes[index] ?? []);
  await expectNamed(journal, chosen, random);
}, 60_000);

test.each(["names", "head"])(
  "any wrong byte in a row of %s is found, or makes no difference",
  async (table) => {
    const journal = await closedJournal();
    const bytes = storedBytesOf(journal, table);
    expect(bytes.length).toBeGreaterThan(0);
    await expectNamed(journal, bytes, seededRandom(`any wrong byte in a row of ${table}`));
  },
);
