import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import { EMPTY_HEAD, type EventRow, type Extent, type Head } from "../journal/index.ts";
import { describeConnection, type StoreDescription } from "./describe.ts";
import { typedFailure } from "./failures.ts";
import { whenFree } from "./lock.ts";
import { Names } from "./names.ts";
import { COLUMNS, type Columns, rowOf } from "./rows.ts";

/** The rows of an open database, as far as they are only read. */
export class StoredRows {
  protected readonly database: Database.Database;
  protected readonly file: string;
  protected readonly names: Names;
  readonly #lockWaitMs: number;
  readonly #selectHead: Database.Statement;
  readonly #selectStart: Database.Statement;
  readonly #selectAfter: Database.Statement;
  readonly #selectHash: Database.Statement;
  readonly #selectReplacement: Database.Statement;
  /** Several statements on one state of the database, whatever others commit meanwhile. */
  readonly #readAtOnce: (afterSeq: number, limit: number) => readonly EventRow[];

  /** Reads, so that a database that can't be read is found, and SQLite has made all its files. */
  constructor(database: Database.Database, file: string, lockWaitMs: number) {
    this.database = database;
    this.file = file;
    this.names = new Names(database);
    this.#lockWaitMs = lockWaitMs;
    this.#selectHead = database.prepare("SELECT seq, lower(hex(hash)), rewritten FROM head").raw();
    this.#selectStart = database
      .prepare("SELECT start_seq, lower(hex(start_hash)) FROM head")
      .raw();
    const after = `SELECT ${COLUMNS} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`;
    this.#selectAfter = database.prepare(after).raw();
    this.#selectHash = database
      .prepare("SELECT lower(hex(hash)) FROM events WHERE seq = ?")
      .pluck();
    const replacement = "SELECT body FROM replacements WHERE seq = ?";
    this.#selectReplacement = database.prepare(replacement).pluck();
    this.#readAtOnce = database.transaction((afterSeq: number, limit: number) => {
      this.storedExtent();
      return this.rowsAfter(afterSeq, limit);
    });
    this.storedExtent();
  }

  async extent(): Promise<Extent> {
    return this.typed(() => this.storedExtent());
  }

  async read(afterSeq: number, limit: number): Promise<readonly EventRow[]> {
    return this.typed(() => this.#readAtOnce(afterSeq, limit));
  }

  async commandKey(): Promise<string> {
    return this.typed(() => {
      const select = "SELECT lower(hex(value)) FROM meta WHERE name = 'command-key'";
      const key = this.database.prepare(select).pluck().get() as string | undefined;
      if (key === undefined) throw this.#lacks("command key");
      return key;
    });
  }

  async describe(): Promise<StoreDescription> {
    return this.typed(() => describeConnection(this.database));
  }

  /** Looks at pages and indexes, which no event's hash covers. */
  async check(): Promise<string | null> {
    return this.typed(() => {
      const found = String(this.database.pragma("integrity_check(1)", { simple: true }));
      return found === "ok" ? null : found;
    });
  }

  async close(): Promise<void> {
    this.database.close();
  }

  /** To be read in each transaction before its rows: what their names stand for depends on it. */
  protected storedExtent(): Extent {
    const row = this.#selectHead.get() as [number, string, number] | undefined;
    if (row === undefined) throw this.#lacks("record of its own end");
    const [seq, hash, rewritten] = row;
    this.names.asOf(rewritten);
    const start = rewritten === 0 ? EMPTY_HEAD : this.#start();
    return { start, head: { seq, hash }, rewritten };
  }

  /** The hash of an event; of one that was removed, that of the last of these. Empty for none. */
  protected hashAt(seq: number): string {
    const hash = this.#selectHash.get(seq) as string | undefined;
    if (hash !== undefined) return hash;
    const start = this.#start();
    return seq <= start.seq ? start.hash : "";
  }

  protected rowsAfter(afterSeq: number, limit: number): readonly EventRow[] {
    let prev = this.hashAt(afterSeq);
    return (this.#selectAfter.all(afterSeq, limit) as Columns[]).map((columns) => {
      const row = rowOf(columns, prev, this.names);
      prev = row.hash;
      return row.bodyText === null ? this.#withReplacement(row) : row;
    });
  }

  /**
   * Reaches the database: once nobody else holds it, and with failures that say what to do.
   *
   * @throws HoldfastError `journal/closed` after `close`, and what `typedFailure` gives
   */
  protected async typed<T>(access: () => T): Promise<T> {
    const attempt = () => {
      this.#assertOpen();
      return access();
    };
    try {
      return await whenFree(this.file, this.#lockWaitMs, attempt);
    } catch (error) {
      throw typedFailure(error, this.file);
    }
  }

  #start(): Head {
    const [seq, hash] = this.#selectStart.get() as [number, string];
    return { seq, hash };
  }

  #withReplacement(row: EventRow): EventRow {
    const text = this.#selectReplacement.get(row.header.seq) as string | undefined;
    return { ...row, replacement: text ?? null };
  }

  #lacks(what: string): HoldfastError {
    return new HoldfastError(
      "journal/corrupt",
      `The journal ${this.file} has no ${what}.`,
      "Keep the file as it is, and import the newest export or use the newest backup.",
    );
  }

  #assertOpen(): void {
    if (this.database.open) return;
    throw new HoldfastError("journal/closed", "The journal is closed.", "Open it again.");
  }
}
