import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import { soleUserFileSystemOf } from "./file-system.ts";

/**
 * What an acknowledged append survives: `full` a power cut as well as a killed process, `process`
 * a killed process only (and is several times faster).
 */
export type Durability = "full" | "process";

/**
 * Who may have a journal open: `detect` lets several processes, where its file system allows that,
 * and `exclusive` one at a time in any case.
 */
export type Sharing = "detect" | "exclusive";

/**
 * How a journal is open.
 *
 * - `shared`: a write-ahead log, which several processes use at once
 * - `exclusive`: a rollback journal, and a lock that one process holds until it closes or ends
 */
export type Mode =
  | { readonly type: "shared" }
  | {
      readonly type: "exclusive";
      /** Why, as the rest of a sentence that begins with "because". */
      readonly why: string;
    };

const SHARED: Mode = { type: "shared" };

/** Where SQLite itself finds that processes can't share the log. */
export const WITHOUT_SHARED_MEMORY: Mode = {
  type: "exclusive",
  why: "its file system gives processes no memory to share",
};

/** The mode that a folder asks for. */
export function modeIn(stateDir: string, sharing: Sharing): Mode {
  if (sharing === "exclusive") return { type: "exclusive", why: "it was opened for one alone" };
  const name = soleUserFileSystemOf(stateDir);
  if (name === null) return SHARED;
  return { type: "exclusive", why: `its file system (${name}) holds one process at a time` };
}

/** In the log's index, or where that is missing. @see https://www.sqlite.org/rescode.html */
const NO_SHARED_MEMORY = ["SQLITE_IOERR_SHMOPEN", "SQLITE_IOERR_SHMMAP", "SQLITE_IOERR_SHMLOCK"];

/** Whether processes can't share the log here, as SQLite found when it tried. */
export function isWithoutSharedMemory(error: unknown): boolean {
  if (error instanceof HoldfastError) return error.code === "journal/wal-unavailable";
  return NO_SHARED_MEMORY.includes(String((error as { code?: unknown } | null)?.code));
}

/**
 * Takes the lock that keeps everyone else out until the connection is closed. It is the operating
 * system's: it goes with its process, and nothing of that process is written down.
 */
export function lockOut(database: Database.Database): void {
  // Before anything is read: so no index of the log is made in shared memory either.
  database.pragma("locking_mode = EXCLUSIVE");
  database.exec("BEGIN EXCLUSIVE");
  database.exec("COMMIT");
}

/**
 * Sets what the file has beside it. A rollback journal is cut to nothing at each commit, so that it
 * keeps no bytes of what was taken out. An exclusive one has to be locked before.
 *
 * @throws HoldfastError `journal/wal-unavailable` where SQLite leaves it as it is
 */
export function enterMode(
  database: Database.Database,
  file: string,
  { type }: Mode,
  durability: Durability = "full",
): void {
  const wanted = type === "exclusive" ? "truncate" : "wal";
  const mode = database.pragma(`journal_mode = ${wanted}`, { simple: true });
  if (mode !== wanted) throw modeUnavailable(file, wanted, String(mode));
  // A rollback journal that was not synced can leave a damaged file behind a power cut.
  const isFull = type === "exclusive" || durability === "full";
  database.pragma(`synchronous = ${isFull ? "FULL" : "NORMAL"}`);
}

/** Of the write-ahead log nobody is told: a rollback journal takes its place. */
function modeUnavailable(file: string, wanted: string, mode: string): HoldfastError {
  return new HoldfastError(
    "journal/wal-unavailable",
    `SQLite can't keep ${file} in the journal mode ${wanted}: it stays in ${mode}.`,
    "Put the state folder on a local disk and name it with HOLDFAST_DIR.",
  );
}
