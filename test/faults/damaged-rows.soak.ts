import { test } from "vitest";
import { closedJournal } from "./damaged-file.ts";
import { expectNamed, storedBytesOf } from "./damaged-rows.ts";
import { seededRandom } from "./seed.ts";

test("any wrong byte in a stored event is named by the number of the event, with its kind", async () => {
  const journal = await closedJournal();
  const random = seededRandom("any wrong byte in a stored event");
  await expectNamed(journal, storedBytesOf(journal, "events"), random);
});
