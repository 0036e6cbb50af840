import fc from "fast-check";
import { expect, test } from "vitest";
import { anEvent, appendTo, fixedPorts, openJournal, rowsOf } from "../journal/makers.ts";
import { describeStore } from "../journal/store-suite.ts";
import { openStoreIn, temporaryFolder } from "./makers.ts";

describeStore(async () => {
  const folder = temporaryFolder();
  return { one: await openStoreIn(folder), other: await openStoreIn(folder) };
});

test("every time from the year 0 to the year 9999 is read back as it was written", async () => {
  const aTime = fc.date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(aTime, { minLength: 1, maxLength: 8 }), async (times) => {
      const left = times.map((time) => time.getTime());
      const clock = { now: () => left.shift() ?? 0 };
      const store = await openStoreIn(temporaryFolder());
      const journal = await openJournal(store, { ...fixedPorts(1), clock });
      await appendTo(journal, ...times.map(() => anEvent()));
      const read = (await rowsOf(journal)).slice(1).map(({ header }) => header.at);
      expect(read).toEqual(times.map((time) => time.toISOString()));
      await store.close();
    }),
    { numRuns: 20 },
  );
});
