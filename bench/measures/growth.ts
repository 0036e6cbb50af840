import path from "node:path";
import type { NewEvent } from "../../src/journal/index.ts";
import type { Durability } from "../../src/journal-sqlite/index.ts";
import { someEvents } from "../event.ts";
import type { Measure } from "../figures.ts";
import { Floor } from "../floor.ts";
import { inTurns, ratioOf } from "../timing.ts";
import { appendAll, openJournal } from "../world.ts";

/** Appends before the clock is read: code is compiled by then, and the log no longer grows. */
const WARM_UP = 500;

/**
 * Single appends to the given journal of many events and to a new one, in turns; and the same on
 * floors of as many rows, since the index of the keys grows there too.
 */
export const growth: Measure = async ({ folder, count }) => {
  const journal = await openJournal(folder, "process");
  const { seq } = journal.head;
  await journal.close();
  const floor = new Floor(folder, "process");
  for (const event of someEvents(seq)) floor.append(event);
  floor.close();
  const unsynced = await growing(folder, "process", count);
  const synced = await growing(folder, "full", count / 5);
  return {
    ratio: synced.ratio,
    floorRatio: synced.floorRatio,
    unsyncedRatio: unsynced.ratio,
    unsyncedFloorRatio: unsynced.floorRatio,
  };
};

async function growing(folder: string, durability: Durability, count: number) {
  const shortFolder = path.join(folder, `short-${durability}`);
  const long = await openJournal(folder, durability);
  const short = await openJournal(shortFolder, durability);
  const longFloor = new Floor(folder, durability);
  const shortFloor = new Floor(shortFolder, durability);
  const contenders = {
    long: (event: NewEvent) => appendAll(long, [event]),
    short: (event: NewEvent) => appendAll(short, [event]),
    longFloor: (event: NewEvent) => longFloor.append(event),
    shortFloor: (event: NewEvent) => shortFloor.append(event),
  };
  const { seq } = long.head;
  await inTurns(someEvents(WARM_UP, seq), contenders);
  const us = await inTurns(someEvents(count, seq + WARM_UP), contenders);
  await long.close();
  await short.close();
  longFloor.close();
  shortFloor.close();
  return { ratio: ratioOf(us.long, us.short), floorRatio: ratioOf(us.longFloor, us.shortFloor) };
}
