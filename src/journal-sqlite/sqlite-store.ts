import fs from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import {
  EMPTY_HEAD,
  type EventRow,
  type Head,
  type JournalPorts,
  type JournalStore,
  notEmpty,
  replaced,
  type StorePlan,
} from "../journal/index.ts";
import { createJournalFile, writeKey } from "./create.ts";
import { loadDriver } from "./driver.ts";
import { typedFailure } from "./failures.ts";
import { assertNoLinks, hadJournal, hideStateFolder, JOURNAL_FILE, tighten } from "./files.ts";
import { APPLICATION_ID, FILE_MODE, FOLDER_MODE, LOCK_WAIT_MS, STORE_VERSION } from "./limits.ts";
import { whenFree } from "./lock.ts";
import { COLUMNS, type Columns, INSERT, rowOf, valuesOf } from "./rows.ts";

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

/** What SQLite says of an open store, for people who look after it. */
export interface StoreDescription {
  readonly sqliteVersion: string;
  /** The effective values of this connection, as SQLite names them. */
  readonly journalMode: string;
  readonly synchronous: string;
}

export interface SqliteJournalStore extends JournalStore {
  describe(): Promise<StoreDescription>;
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
  assertNoLinks(options.projectDir, stateDir);
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
    tighten(stateDir, FOLDER_MODE);
    tighten(file, FILE_MODE);
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
      return new SqliteStore(database, file, waitMs, options.ports);
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

function assertOurs(database: Database.Database, file: string): void {
  const version = Number(database.pragma("user_version", { simple: true }));
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

class SqliteStore implements SqliteJournalStore {
  readonly #database: Database.Database;
  readonly #file: string;
  readonly #inode: bigint;
  readonly #lockWaitMs: number;
  readonly #ports: JournalPorts;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #selectHead: Database.Statement;
  readonly #updateHead: Database.Statement;
  readonly #insert: Database.Statement;
  readonly #selectAfter: Database.Statement;
  readonly #selectHash: Database.Statement;
  readonly #selectByKey: Database.Statement;
  readonly #selectSession: Database.Statement;
  readonly #insertSession: Database.Statement;

  constructor(database: Database.Database, file: string, lockWaitMs: number, ports: JournalPorts) {
    this.#database = database;
    this.#file = file;
    this.#inode = fs.statSync(file, { bigint: true }).ino;
    this.#lockWaitMs = lockWaitMs;
    this.#ports = ports;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
    this.#selectHead = database.prepare("SELECT seq, hash FROM head").raw();
    this.#updateHead = database.prepare("UPDATE head SET seq = ?, hash = ?");
    this.#insert = database.prepare(INSERT);
    const from = `SELECT ${COLUMNS} FROM events e LEFT JOIN sessions s ON s.id = e.session`;
    this.#selectAfter = database.prepare(`${from} WHERE e.seq > ? ORDER BY e.seq LIMIT ?`).raw();
    this.#selectHash = database.prepare("SELECT hash FROM events WHERE seq = ?").pluck();
    this.#selectByKey = database.prepare("SELECT seq FROM events WHERE key = ?").pluck();
    this.#selectSession = database.prepare("SELECT id FROM sessions WHERE hash = ?").pluck();
    this.#insertSession = database.prepare("INSERT INTO sessions (hash) VALUES (?)");
  }

  async head(): Promise<Head> {
    return this.#typed(() => this.#head());
  }

  async read(afterSeq: number, limit: number): Promise<readonly EventRow[]> {
    return this.#typed(() => this.#read(afterSeq, limit));
  }

  async append(
    known: Head,
    keys: readonly string[],
    plan: StorePlan,
  ): Promise<readonly EventRow[]> {
    return this.#locked(() => {
      const head = this.#head();
      const current = head.seq === known.seq && head.hash === known.hash;
      if (!current && this.#hashAt(known.seq) !== known.hash) throw replaced(known);
      const rows = plan({
        tail: current ? [] : this.#read(known.seq, -1),
        head,
        existing: new Map(keys.flatMap((key) => this.#commandOf(key))),
      });
      this.#store(rows);
      return rows;
    });
  }

  async importRows(rows: Iterable<EventRow>): Promise<Head> {
    return this.#locked(() => {
      const stored = this.#head().seq;
      if (stored > 1) throw notEmpty(stored);
      this.#database.exec("DELETE FROM events; DELETE FROM sessions");
      for (const row of rows) this.#store([row]);
      // Observations made under another journal's key prove nothing here.
      writeKey(this.#database, this.#ports);
      return this.#head();
    });
  }

  async commandKey(): Promise<string> {
    return this.#typed(() => {
      const select = this.#database.prepare("SELECT value FROM meta WHERE name = 'command-key'");
      return (select.pluck().get() as Buffer).toString("hex");
    });
  }

  async describe(): Promise<StoreDescription> {
    return this.#typed(() => ({
      sqliteVersion: String(this.#database.prepare("SELECT sqlite_version()").pluck().get()),
      journalMode: String(this.#database.pragma("journal_mode", { simple: true })),
      synchronous:
        SYNCHRONOUS[Number(this.#database.pragma("synchronous", { simple: true }))] ?? "unknown",
    }));
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #head(): Head {
    const row = this.#selectHead.get() as [number, Buffer] | undefined;
    if (row !== undefined) return { seq: row[0], hash: row[1].toString("hex") };
    throw new HoldfastError(
      "journal/corrupt",
      `The journal ${this.#file} has no record of its own end.`,
      "Keep the file as it is, and import the newest export or use the newest backup.",
    );
  }

  #hashAt(seq: number): string {
    if (seq === 0) return EMPTY_HEAD.hash;
    return (this.#selectHash.get(seq) as Buffer | undefined)?.toString("hex") ?? "";
  }

  #read(afterSeq: number, limit: number): readonly EventRow[] {
    let prev = this.#hashAt(afterSeq);
    return (this.#selectAfter.all(afterSeq, limit) as Columns[]).map((columns) => {
      const row = rowOf(columns, prev);
      prev = row.hash;
      return row;
    });
  }

  #commandOf(key: string): [string, readonly EventRow[]][] {
    const seq = this.#selectByKey.get(Buffer.from(key, "hex")) as number | undefined;
    if (seq === undefined) return [];
    const command: EventRow[] = [];
    for (;;) {
      const [row] = this.#read(seq - 1 + command.length, 1);
      const first = command[0];
      const follows = row?.header.key === null && row.header.cause === first?.header.id;
      if (row === undefined || (first !== undefined && !follows)) return [[key, command]];
      command.push(row);
    }
  }

  #store(rows: readonly EventRow[]): void {
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const row of rows) this.#insert.run(...valuesOf(row, this.#sessionId(row.header.session)));
    this.#updateHead.run(last.header.seq, Buffer.from(last.hash, "hex"));
  }

  #sessionId(session: string | null): number | null {
    if (session === null) return null;
    const hash = Buffer.from(session, "hex");
    const known = this.#selectSession.get(hash) as number | undefined;
    return known ?? Number(this.#insertSession.run(hash).lastInsertRowid);
  }

  /**
   * Runs `work` in one write transaction: all of it is stored or nothing. From the lock to the
   * commit nothing else of this process runs, so calls on one store may overlap.
   */
  #locked<T>(work: () => T): Promise<T> {
    return this.#typed(() => {
      this.#begin.run();
      try {
        this.#assertInPlace();
        const result = work();
        this.#commit.run();
        return result;
      } catch (error) {
        // SQLite has already rolled back after some failures (a full disk, for one).
        if (this.#database.inTransaction) this.#rollback.run();
        throw typedFailure(error, this.#file);
      }
    });
  }

  async #typed<T>(access: () => T): Promise<T> {
    try {
      return await whenFree(this.#file, this.#lockWaitMs, () => {
        this.#assertOpen();
        return access();
      });
    } catch (error) {
      throw typedFailure(error, this.#file);
    }
  }

  #assertOpen(): void {
    if (this.#database.open) return;
    throw new HoldfastError("journal/closed", "The journal is closed.", "Open it again.");
  }

  /** A file that was moved away still takes writes; nobody would ever read them. */
  #assertInPlace(): void {
    const stat = fs.statSync(this.#file, { bigint: true, throwIfNoEntry: false });
    if (stat?.ino === this.#inode) return;
    throw new HoldfastError(
      "journal/replaced",
      `${this.#file} was ${stat === undefined ? "deleted" : "replaced"} while it was open; nothing is written to the old file.`,
      "Open the journal again.",
    );
  }
}

/** The names of the values of `PRAGMA synchronous`. @see https://www.sqlite.org/pragma.html#pragma_synchronous */
const SYNCHRONOUS = ["off", "normal", "full", "extra"];

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
