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
import { heldAlone, typedFailure } from "./failures.ts";
import { removeOldDrafts } from "./files.ts";
import { APPLICATION_ID, LOCK_WAIT_MS, STORE_VERSION } from "./limits.ts";
import { whenFree } from "./lock.ts";
import {
  type Durability,
  enterMode,
  isWithoutSharedMemory,
  lockOut,
  type Mode,
  modeIn,
  type Sharing,
  WITHOUT_SHARED_MEMORY,
} from "./mode.ts";
import { NewerStore } from "./newer-store.ts";
import { type SqliteJournalStore, SqliteStore } from "./sqlite-store.ts";
import { storeVersion, upgrade } from "./upgrade.ts";

export interface SqliteStoreOptions {
  /** The project; no folder between it and the state folder may be a symbolic link. */
  readonly projectDir: string;
  readonly stateDir: string;
  readonly durability?: Durability;
  /** Whether other processes may use the journal at the same time. Defaults to `detect`. */
  readonly sharing?: Sharing;
  /** What to do where no journal is. `new-after-loss` begins one although an older file is gone. */
  readonly create: "never" | "where-none-was" | "new-after-loss";
  /** How long a call waits for a lock, in milliseconds. */
  readonly lockWaitMs?: number;
  readonly ports: JournalPorts;
}

/**
 * The journal in one SQLite file with a write-ahead log; where its file system does not let processes
 * share one, with a rollback journal and a lock that keeps all others out.
 *
 * Tables of an older version are brought to today's, with a copy beside them; those of a newer one
 * are read where they can be, and not written to.
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
  const open = async (mode: Mode) => {
    if (!fs.existsSync(file)) createJournalFile(driver, stateDir, options.ports, mode);
    assertNotEmptied(file);
    return openStore(driver, options, file, mode);
  };
  // A folder that is still to be made will be on the file system of the one that is there.
  const mode = modeIn(nearestFolder(stateDir), options.sharing ?? "detect");
  let store: SqliteJournalStore;
  try {
    store = await open(mode).catch((error: unknown) => {
      if (mode.type === "exclusive" || !isWithoutSharedMemory(error)) throw error;
      return open(WITHOUT_SHARED_MEMORY);
    });
  } catch (error) {
    throw typedFailure(error, file);
  }
  try {
    tighten(stateDir);
    tighten(file);
    hideStateFolder(stateDir);
    removeOldDrafts(stateDir);
    return store;
  } catch (error) {
    await store.close();
    throw typedFailure(error, file);
  }
}

function nearestFolder(folder: string): string {
  return fs.existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
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
  mode: Mode,
): Promise<SqliteJournalStore> {
  const waitMs = options.lockWaitMs ?? LOCK_WAIT_MS;
  try {
    return await whenFree(file, waitMs, () => {
      // Opened for each attempt: one that failed half-way may go on holding part of the lock.
      const database = new driver(file, { timeout: 0, fileMustExist: true });
      try {
        return storeOver(driver, database, file, { ...options, mode, waitMs });
      } catch (error) {
        database.close();
        throw error;
      }
    });
  } catch (error) {
    const isBusy = error instanceof HoldfastError && error.code === "journal/busy";
    throw isBusy && mode.type === "exclusive" ? heldAlone(file, mode.why, error) : error;
  }
}

function storeOver(
  driver: typeof Database,
  database: Database.Database,
  file: string,
  {
    mode,
    waitMs,
    durability,
    ports,
  }: SqliteStoreOptions & { readonly mode: Mode; readonly waitMs: number },
): SqliteJournalStore {
  if (mode.type === "exclusive") lockOut(database);
  // Asked first: a database of someone else is left as it is.
  const version = versionOfOurs(database, file);
  database.pragma("trusted_schema = OFF");
  if (version > STORE_VERSION) return NewerStore.over(database, file, waitMs, version);
  enterMode(database, file, mode, durability);
  upgrade(driver, database, file, mode);
  return new SqliteStore(database, file, waitMs, ports);
}

function versionOfOurs(database: Database.Database, file: string): number {
  const version = storeVersion(database);
  const isOurs = database.pragma("application_id", { simple: true }) === APPLICATION_ID;
  if (isOurs && version > 0) return version;
  throw new HoldfastError(
    "journal/not-a-journal",
    `${file} is no Holdfast journal.`,
    "Move the file away, or name another state folder with HOLDFAST_DIR.",
  );
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
