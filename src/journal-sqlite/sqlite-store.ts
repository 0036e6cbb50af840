import fs from "node:fs";
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
  type SnapshotRow,
  type StorePlan,
} from "../journal/index.ts";
import { writeKey } from "./create.ts";
import { typedFailure } from "./failures.ts";
import { whenFree } from "./lock.ts";
import { COLUMNS, type Columns, INSERT, rowOf, valuesOf } from "./rows.ts";

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

/** An open database, known to be ours. `openSqliteStore` makes it. */
export class SqliteStore implements SqliteJournalStore {
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
      this.#database.exec("DELETE FROM events; DELETE FROM sessions; DELETE FROM snapshot");
      for (const row of rows) this.#store([row]);
      // Observations made under another journal's key prove nothing here.
      writeKey(this.#database, this.#ports);
      return this.#head();
    });
  }

  async commandKey(): Promise<string> {
    return this.#typed(() => {
      const select = this.#database.prepare("SELECT value FROM meta WHERE name = 'command-key'");
      const key = select.pluck().get() as Buffer | undefined;
      if (key === undefined) throw this.#lacks("command key");
      return key.toString("hex");
    });
  }

  async readSnapshot(): Promise<SnapshotRow | null> {
    return this.#typed(() => {
      const select = "SELECT seq, hash, fold_version, digest, text FROM snapshot";
      const row = this.#database.prepare(select).raw().get() as SnapshotColumns | undefined;
      if (row === undefined) return null;
      const [seq, hash, foldVersion, digest, text] = row;
      return { seq, hash: hash.toString("hex"), foldVersion, digest: digest.toString("hex"), text };
    });
  }

  async writeSnapshot(snapshot: SnapshotRow | null): Promise<void> {
    await this.#locked(() => {
      if (snapshot === null) return void this.#database.exec("DELETE FROM snapshot");
      const { seq, hash, foldVersion, digest, text } = snapshot;
      const values = [seq, Buffer.from(hash, "hex"), foldVersion, Buffer.from(digest, "hex"), text];
      this.#database
        .prepare("INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?, ?, ?, ?)")
        .run(values);
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
    if (row === undefined) throw this.#lacks("record of its own end");
    return { seq: row[0], hash: row[1].toString("hex") };
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

  #lacks(what: string): HoldfastError {
    return new HoldfastError(
      "journal/corrupt",
      `The journal ${this.#file} has no ${what}.`,
      "Keep the file as it is, and import the newest export or use the newest backup.",
    );
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

type SnapshotColumns = [number, Buffer, number, Buffer, string];

/** The names of the values of `PRAGMA synchronous`. @see https://www.sqlite.org/pragma.html#pragma_synchronous */
const SYNCHRONOUS = ["off", "normal", "full", "extra"];
