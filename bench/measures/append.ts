import fs from "node:fs";
import type { Durability } from "../../src/journal-sqlite/index.ts";
import { someEvents } from "../event.ts";
import type { Measure } from "../figures.ts";
import { BareInsert, Floor } from "../floor.ts";
import { inTurns, median, microseconds, ratioOf, sum } from "../timing.ts";
import { ASKING, DRAFT, observed } from "../work.ts";
import { appendAll, journalFile, openEngine, openJournal } from "../world.ts";

/** Journal appends, one event a commit, beside the floor and a bare insert. */
const append =
  (durability: Durability): Measure =>
  async ({ folder, count }) => {
    const floor = new Floor(folder, durability);
    const bare = new BareInsert(folder, durability);
    const journal = await openJournal(folder, durability);
    const us = await inTurns(someEvents(count), {
      floor: (event) => floor.append(event),
      journal: (event) => appendAll(journal, [event]),
      bare: (event) => bare.append(event),
    });
    await journal.close();
    floor.close();
    bare.close();
    return {
      ratio: ratioOf(us.journal, us.floor),
      totalRatio: sum(us.journal) / sum(us.floor),
      bareRatio: ratioOf(us.journal, us.bare),
      appendUs: median(us.journal),
      floorUs: median(us.floor),
      bytes: fs.statSync(journalFile(folder)).size / count,
    };
  };

export const appendFull = append("full");
export const appendProcess = append("process");

/** Everything that `dispatch` does for an observed command, beside the floor of the same row. */
export const dispatch: Measure = async ({ folder, count }) => {
  const floor = new Floor(folder, "full");
  const engine = await openEngine(folder, "full");
  await engine.startTask(DRAFT, ASKING);
  const { events } = await engine.dispatch(observed(count), ASKING);
  const body = events[0]?.body ?? {};
  const items = someEvents(count).map(({ key }, n) => ({
    event: { key, body },
    command: observed(n),
  }));
  const us = await inTurns(items, {
    floor: ({ event }) => floor.append(event),
    engine: ({ command }) => engine.dispatch(command, ASKING),
  });
  await engine.close();
  floor.close();
  return {
    ratio: ratioOf(us.engine, us.floor),
    dispatchUs: median(us.engine),
    floorUs: median(us.floor),
  };
};

/** Events in one commit; the first is what the others are compared with. */
const GROUPS = [1, 8, 16, 64, 256];

/** Events a second in groups of several sizes, over single ones. */
export const groups: Measure = async ({ folder, count }) => {
  const journal = await openJournal(folder, "full");
  const taken = new Map<number, number[]>(GROUPS.map((size) => [size, []]));
  let n = 0;
  for (let round = 0; round < count; round++) {
    for (const [size, us] of taken) {
      // Of the single ones as many as take about as long as a group.
      for (let repeat = 0; repeat < (size === 1 ? 8 : 1); repeat++) {
        const events = someEvents(size, n);
        n += size;
        us.push((await microseconds(() => appendAll(journal, events))) / size);
      }
    }
  }
  await journal.close();
  const single = median(taken.get(1) ?? []);
  return {
    singleUs: single,
    ...Object.fromEntries(
      [...taken].slice(1).map(([size, us]) => [`ratio${size}`, single / median(us)]),
    ),
  };
};
