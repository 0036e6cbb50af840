import Database from "better-sqlite3";
import { SNAPSHOT_EVERY } from "../../src/engine/limits.ts";
import { someEvents } from "../event.ts";
import type { Measure } from "../figures.ts";
import { ASKING, DRAFT, dispatchMixed } from "../work.ts";
import {
  appendAll,
  engineOver,
  journalFile,
  openEngine,
  openJournal,
  openStore,
} from "../world.ts";

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
export const makeRun: Measure = ({ folder, count }) =>
  runWithTail(folder, count, SNAPSHOT_EVERY - 1);

/** The same with a snapshot as old as it is only where later ones could not be written. */
export const makeLongTail: Measure = ({ folder, count }) => runWithTail(folder, count, LONG_TAIL);

const LONG_TAIL = 999;

async function runWithTail(folder: string, count: number, tail: number) {
  const engine = await openEngine(folder, "process");
  await engine.startTask(DRAFT, ASKING);
  await dispatchMixed(engine, count);
  await engine.close();
  const store = await openStore(folder, "process");
  const snapshot = await store.readSnapshot();
  const opened = await engineOver(store);
  await dispatchMixed(opened, tail - tailOf(folder));
  await store.writeSnapshot(snapshot); // In place of newer ones.
  await opened.close();
  const found = tailOf(folder);
  if (found !== tail) throw new Error(`The tail after the snapshot is ${found}.`);
  return { tail };
}

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
