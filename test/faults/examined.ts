import assert from "node:assert/strict";
import { DEFAULT_SWITCHES, Engine } from "../../src/engine/index.ts";
import { HoldfastError } from "../../src/errors.ts";
import { type EventRow, Journal, type Problem } from "../../src/journal/index.ts";
import type { SqliteJournalStore } from "../../src/journal-sqlite/index.ts";
import { createRedactor } from "../../src/redaction/index.ts";
import { MapWorkspace } from "../engine/workspace.ts";
import { openStoreOf } from "./journals.ts";
import { REAL_PORTS } from "./ports.ts";

/** What someone finds who opens a journal, verifies it and reads all of it. */
export type Examined =
  /** It was refused with this code. */
  | { readonly refused: string }
  | {
      readonly problems: readonly Problem[];
      /** Everything that can be asked for: events, end, command key, what each key stands for. */
      readonly content: string;
    };

export interface ExaminedJournal {
  readonly folder: string;
  /** The key hashes that commands may have used. */
  readonly keys: readonly string[];
  /** What was cached; nothing else may ever come out of the cache. */
  readonly snapshot: { readonly foldVersion: number; readonly state: unknown };
}

/** @throws whatever is no `HoldfastError` on the journal, since that is what nobody should see */
export async function examined(journal: ExaminedJournal): Promise<Examined> {
  try {
    const store = await openStoreOf(journal.folder, { create: "never", durability: "process" });
    try {
      return await examinedStore(store, journal);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof HoldfastError && error.kind === "journal") return { refused: error.code };
    throw error;
  }
}

async function examinedStore(
  store: SqliteJournalStore,
  { keys, snapshot }: ExaminedJournal,
): Promise<Examined> {
  const restoring = await Journal.open(store, REAL_PORTS);
  const restored = await restoring.restore(snapshot.foldVersion);
  if (restored !== null) assert.deepEqual(restored, snapshot.state);

  const engine = await Engine.open({
    ...REAL_PORTS,
    store,
    workspace: new MapWorkspace({}),
    redactor: createRedactor(),
    switches: DEFAULT_SWITCHES,
  });
  const { problems } = await engine.journal.verify();
  const rows: EventRow[] = [];
  for await (const row of engine.journal.rows()) rows.push(row);
  const content: unknown[] = [rows, await engine.journal.head(), await store.commandKey()];
  if (problems.length === 0) {
    const looking = await Journal.open(store, REAL_PORTS);
    await looking.append(keys, ({ commandOf }) => void content.push(keys.map(commandOf)));
  }
  return { problems, content: JSON.stringify(content) };
}
