/** Journals as processes outside of tests open them; nothing here needs a running test. */
import assert from "node:assert/strict";
import path from "node:path";
import type { Engine } from "../../src/engine/index.ts";
import { type EventRow, Journal } from "../../src/journal/index.ts";
import {
  openSqliteStore,
  type SqliteJournalStore,
  type SqliteStoreOptions,
} from "../../src/journal-sqlite/index.ts";
import { JOURNAL_FILE } from "../../src/state-folder/index.ts";
import { MapWorkspace } from "../engine/workspace.ts";
import { REAL_PORTS } from "./ports.ts";

export const stateDirIn = (folder: string): string => path.join(folder, ".holdfast");

/** The journal's file, or one of those that SQLite keeps beside it. */
export const journalFileIn = (folder: string, suffix: "" | "-wal" | "-shm" = ""): string =>
  path.join(stateDirIn(folder), JOURNAL_FILE + suffix);

export interface OpenJournal {
  readonly store: SqliteJournalStore;
  /** Caught up with what is stored. */
  readonly journal: Journal;
  readonly close: () => Promise<void>;
}

export function openStoreOf(
  folder: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<SqliteJournalStore> {
  return openSqliteStore({
    projectDir: folder,
    stateDir: stateDirIn(folder),
    create: "where-none-was",
    ports: REAL_PORTS,
    ...options,
  });
}

/** The journal of a project, with the real clock and ids. */
export async function journalIn(
  folder: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<OpenJournal> {
  const store = await openStoreOf(folder, options);
  try {
    const journal = await Journal.open(store, REAL_PORTS);
    await journal.catchUp(() => {});
    return { store, journal, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Uses an engine on the project, which finishes what was cut off, and closes it however that ends. */
export async function withEngine<T>(
  folder: string,
  use: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { openEngine } = await import("../../src/open.ts");
  const workspace = new MapWorkspace({ "src/cart.js": "v1" });
  const engine = await openEngine({ projectDir: folder, stateDir: stateDirIn(folder), workspace });
  try {
    return await use(engine);
  } finally {
    await engine.close();
  }
}

/**
 * Everything that is stored in a journal that is there, by a process that has just come: each event
 * is checked, and that the last is the one that the journal says it ends with.
 */
export async function storedIn(folder: string): Promise<readonly EventRow[]> {
  const { journal, close } = await journalIn(folder, { create: "never" });
  try {
    assert.equal(journal.damage, null);
    const rows: EventRow[] = [];
    for await (const row of journal.rows()) rows.push(row);
    assert.equal(rows.at(-1)?.hash, journal.head.hash);
    return rows;
  } finally {
    await close();
  }
}
