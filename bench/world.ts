import path from "node:path";
import { DEFAULT_SWITCHES, Engine } from "../src/engine/index.ts";
import { Journal, type JournalStore, type NewEvent } from "../src/journal/index.ts";
import { type Durability, openSqliteStore } from "../src/journal-sqlite/index.ts";
import { systemPorts } from "../src/open.ts";
import { createRedactor } from "../src/redaction/index.ts";
import type { Workspace } from "../src/workspace/port.ts";

/** The journal's file of a project folder. */
export const journalFile = (folder: string) => path.join(folder, ".holdfast", "journal.sqlite");

export async function openStore(folder: string, durability: Durability): Promise<JournalStore> {
  return openSqliteStore({
    projectDir: folder,
    stateDir: path.join(folder, ".holdfast"),
    durability,
    create: "where-none-was",
    ports: await systemPorts(),
  });
}

/** A journal that has read nothing yet. */
export async function openUnread(folder: string, durability: Durability): Promise<Journal> {
  return Journal.open(await openStore(folder, durability), await systemPorts());
}

/** A journal that has read what is stored and can append. */
export async function openJournal(folder: string, durability: Durability): Promise<Journal> {
  const journal = await openUnread(folder, durability);
  await journal.catchUp(() => {});
  return journal;
}

/** Appends events, each as a command of its own, in one commit. */
export async function appendAll(journal: Journal, events: readonly NewEvent[]): Promise<void> {
  await journal.append([], (append) => {
    for (const event of events) append.add([event]);
  });
}

export async function openEngine(folder: string, durability: Durability): Promise<Engine> {
  return engineOver(await openStore(folder, durability));
}

/** The engine over a real journal and a tree that costs nothing to read, so that only the rest is measured. */
export async function engineOver(store: JournalStore): Promise<Engine> {
  return Engine.open({
    ...(await systemPorts()),
    store,
    workspace: STILL,
    redactor: createRedactor(),
    switches: DEFAULT_SWITCHES,
  });
}

export const STILL_DIGEST = "a".repeat(64);

const STILL: Workspace = {
  read: async () => ({
    place: "main",
    folder: "",
    method: "git",
    digest: STILL_DIGEST,
    unavailable: [],
    commit: null,
    branch: null,
    operation: null,
    dirty: {},
    base: null,
    dirtyTruncated: false,
  }),
  fileDigest: async () => null,
  readText: async () => null,
};
