import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../src/journal/index.ts";
import { anEvent } from "../event.ts";
import type { Figures, Input, Measure } from "../figures.ts";
import { Floor, readPlainly } from "../floor.ts";
import { median, microseconds } from "../timing.ts";
import { appendAll, journalFile, openJournal } from "../world.ts";

/** Each writer counts from a number of its own, so that every event tells who wrote it. */
const FAR_APART = 1_000_000_000;

type Append = (n: number) => unknown;

/** One of several processes that append to one journal as fast as they can. */
export const write: Measure = async (input) => {
  const journal = await openJournal(input.folder, "full");
  const found = await writing(input, (n) => appendAll(journal, [anEvent(n)]));
  await journal.close();
  return found;
};

/** The same on the floor, which leaves the waiting to SQLite. */
export const writePlainly: Measure = async (input) => {
  const floor = new Floor(input.folder, "full");
  const found = await writing(input, (n) => floor.append(anEvent(n)));
  floor.close();
  return found;
};

async function writing(input: Input, append: Append): Promise<Figures> {
  const { writer = 1, startMs = 0, forMs = 1_000 } = input;
  await pause(Math.max(0, startMs - Date.now()));
  const us: number[] = [];
  let errors = 0;
  for (const endMs = startMs + forMs; Date.now() < endMs; ) {
    try {
      const n = writer * FAR_APART + us.length;
      us.push(await microseconds(() => append(n)));
    } catch {
      errors++;
    }
  }
  const longestUs = us.reduce((longest, it) => Math.max(longest, it), 0);
  return { stored: us.length, errors, longestMs: longestUs / 1_000, medianUs: median(us) };
}

/**
 * Looks for what the writers 1 and 2 stored.
 *
 * `lost` and `doubled` are told apart by the numbers in the events; `subject` holds how many each
 * was told are stored.
 */
export const countWritten: Measure = async ({ folder, subject = "" }) => {
  const times = new Map<number, number>();
  readPlainly(journalFile(folder), (body) => {
    const { call } = body as JsonObject;
    const n = Number(/^call-(\d+)$/.exec(String(call))?.[1]);
    if (!Number.isNaN(n)) times.set(n, (times.get(n) ?? 0) + 1);
  });
  const journal = await openJournal(folder, "full");
  journal.assertSound();
  await journal.close();
  let lost = 0;
  for (const [index, stored] of subject.split(",").map(Number).entries()) {
    for (let n = 0; n < stored; n++) if (!times.has((index + 1) * FAR_APART + n)) lost++;
  }
  return { lost, doubled: [...times.values()].filter((count) => count > 1).length };
};
