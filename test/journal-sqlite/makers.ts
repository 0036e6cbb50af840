import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import {
  openSqliteStore,
  type SqliteJournalStore,
  type SqliteStoreOptions,
} from "../../src/journal-sqlite/index.ts";
import { JOURNAL_FILE } from "../../src/state-folder/index.ts";
import { fixedPorts } from "../journal/makers.ts";

/** An empty folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const stateDirIn = (projectDir: string): string => path.join(projectDir, ".holdfast");

export const journalFileIn = (projectDir: string): string =>
  path.join(stateDirIn(projectDir), JOURNAL_FILE);

/** A store in the project's own state folder, closed after the test. */
export async function openStoreIn(
  projectDir: string,
  options: Partial<SqliteStoreOptions> = {},
): Promise<SqliteJournalStore> {
  const store = await openSqliteStore({
    projectDir,
    stateDir: stateDirIn(projectDir),
    create: "where-none-was",
    ports: fixedPorts(),
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

/** Does something to the database itself, as no journal ever would. */
export function tamper(file: string, change: (database: Database.Database) => void): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    change(database);
  } finally {
    database.close();
  }
}
