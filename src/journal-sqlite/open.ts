import fs from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import type { JournalPorts } from "../journal/index.ts";
import {
  assertSafe,
  hadJournal,
  hideStateFolder,
  JOURNAL_FILE,
  tighten,
} from "../state-folder/index.ts";
import { createJournalFile } from "./create.ts";
import { loadDriver } from "./driver.ts";
import { typedFailure } from "./failures.ts";
import { APPLICATION_ID, LOCK_WAIT_MS, STORE_VERSION } from "./limits.ts";
import { whenFree } from "./lock.ts";
import { type SqliteJournalStore, SqliteStore } from "./sqlite-store.ts";
import { storeVersion, upgrade } from "./upgrade.ts";

/**
 * What an acknowledged append survives: `full` a power cut as well as a killed process, `process`
 * a killed process only (and is several times faster).
 */
export type Durability = "full" | "process";

export interface SqliteStoreOptions {
  /** The project; no folder between it and the state folder may be a symbolic link. */
  readonly projectDir: string;
  readonly stateDir: string;
  readonly durability?: Durability;
  /** What to do where no journal is. `new-after-loss` begins one although an older file is gone. */
  readonly create: "never" | "where-none-was" | "new-after-loss";
  /** How long a call waits for a lock, in milliseconds. */
  readonly lockWaitMs?: number;
  readonly ports: JournalPorts;
}

/**
 * The journal in one SQLite file with a write-ahead log.
 *
 * @throws HoldfastError `journal/missing` where no journal is and none may be made,
 * `journal/unsafe-path`, `journal/not-a-journal`, `journal/newer-format`, `journal/corrupt`,
 * `journal/busy`, `journal/wal-unavailable`, `journal/native-module`, `journal/not-writable`,
 * `journal/storage-full`
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteJournalStore> {
  const stateDir = path.resolve(options.stateDir);
  const file = path.join(stateDir, JOURNAL_FILE);
  assertSafe(stateDir, [options.projectDir]);
  const exists = fs.existsSync(file);
  if (!exists) {
    const lost = hadJournal(stateDir);
    if (options.create === "never" || (options.create === "where-none-was" && lost)) {
      throw missing(file, lost);
    }
  }
  const driver = await loadDriver();
  if (!exists) createJournalFile(driver, stateDir, options.ports);
  assertNotEmptied(file);
  let store: SqliteStore;
  try {
    store = await openStore(driver, options, file);
  } catch (error) {
    throw typedFailure(error, file);
  }
  try {
    tighten(stateDir);
    tighten(file);
    hideStateFolder(stateDir);
    return store;
  } catch (error) {
    await store.close();
    throw typedFailure(error, file);
  }
}

/** SQLite takes an empty file for a new database and deletes the log beside it, which may hold events. */
function assertNotEmptied(file: string): void {
  if (fs.statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  throw new HoldfastError(
    "journal/corrupt",
    `${file} is empty: its content was cut off.`,
    "Leave what lies beside it where it is, and put the file back from a backup or an export.",
  );
}

async function openStore(
  driver: typeof Database,
  options: SqliteStoreOptions,
  file: string,
): Promise<SqliteStore> {
  const database = new driver(file, { timeout: 0, fileMustExist: true });
  try {
    const waitMs = options.lockWaitMs ?? LOCK_WAIT_MS;
    return await whenFree(file, waitMs, () => {
      // Asked first: a database of someone else is left as it is.
      assertOurs(database, file);
      const mode = database.pragma("journal_mode = WAL", { simple: true });
      if (mode !== "wal") throw walUnavailable(file, String(mode));
      database.pragma(`synchronous = ${options.durability === "process" ? "NORMAL" : "FULL"}`);
      database.pragma("trusted_schema = OFF");
      upgrade(database);
      return new SqliteStore(database, file, waitMs, options.ports);
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function assertOurs(database: Database.Database, file: string): void {
  const version = storeVersion(database);
  if (database.pragma("application_id", { simple: true }) !== APPLICATION_ID || version === 0) {
    throw new HoldfastError(
      "journal/not-a-journal",
      `${file} is no Holdfast journal.`,
      "Move the file away, or name another state folder with HOLDFAST_DIR.",
    );
  }
  if (version > STORE_VERSION) {
    throw new HoldfastError(
      "journal/newer-format",
      `${file} was written by a newer Holdfast (store version ${version}, this one knows ${STORE_VERSION}).`,
      "Upgrade Holdfast.",
    );
  }
}

function missing(file: string, lost: boolean): HoldfastError {
  return lost
    ? new HoldfastError(
        "journal/missing",
        `${file} is gone: this folder held a journal before.`,
        "Put the file back from a backup, or begin a new journal with `holdfast init --new`.",
      )
    : new HoldfastError(
        "journal/missing",
        `There is no journal at ${file}.`,
        "Make one with `holdfast init`, or name the project with --dir.",
      );
}

function walUnavailable(file: string, mode: string): HoldfastError {
  return new HoldfastError(
    "journal/wal-unavailable",
    `SQLite can't keep a write-ahead log beside ${file} (journal mode stays ${mode}): the file system does not support it.`,
    "Put the state folder on a local disk and name it with HOLDFAST_DIR.",
  );
}
