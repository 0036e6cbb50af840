import Database from "better-sqlite3";
import { SNAPSHOT_EVERY } from "../../src/engine/limits.ts";
import { someEvents } from "../event.ts";
import type { Measure } from "../figures.ts";
import { ASKING, DRAFT, dispatchMixed } from "../work.ts";
import { appendAll, journalFile, openEngine, openJournal, openStore } from "../world.ts";

/** Makes a journal of so many events that mean nothing to the engine. */
export const makeEvents: Measure = async ({ folder, count }) => {
  const journal = await openJournal(folder, "process");
  for (let n = 0; n < count; n += 1_000) {
    await appendAll(journal, someEvents(Math.min(1_000, count - n), n));
  }
  await journal.close();
  return { count };
};

/**
 * Makes a journal of one run with so many mixed events, whose snapshot is as old as one can be:
 * one event later a new one would be written.
 */
export const makeRun: Measure = async ({ folder, count }) => {
  const engine = await openEngine(folder, "process");
  await engine.startTask(DRAFT, ASKING);
  await dispatchMixed(engine, count);
  await engine.close();
  const opened = await openEngine(folder, "process");
  await dispatchMixed(opened, SNAPSHOT_EVERY - 1 - tailOf(folder));
  await opened.close();
  const tail = tailOf(folder);
  if (tail !== SNAPSHOT_EVERY - 1) throw new Error(`The tail after the snapshot is ${tail}.`);
  return { tail };
};

/** Events after the snapshot. */
function tailOf(folder: string): number {
  const database = new Database(journalFile(folder), { readonly: true });
  const newest = (table: string) =>
    Number(database.prepare(`SELECT max(seq) FROM ${table}`).pluck().get());
  const tail = newest("events") - newest("snapshot");
  database.close();
  return tail;
}

/** Throws the snapshot of a journal away. */
export const dropSnapshot: Measure = async ({ folder }) => {
  const store = await openStore(folder, "process");
  await store.writeSnapshot(null);
  await store.close();
  return {};
};
