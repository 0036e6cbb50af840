import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import {
  EMPTY_HEAD,
  type EventRow,
  type Extent,
  type Head,
  type Imported,
  type JournalPorts,
  type JournalStore,
  notEmpty,
  replaced,
  type SnapshotRow,
  type StorePlan,
} from "../journal/index.ts";
import { type Backup, backUp } from "./backup.ts";
import { writeKey } from "./create.ts";
import { describeConnection, type StoreDescription } from "./describe.ts";
import { loadDriver } from "./driver.ts";
import { busy, typedFailure } from "./failures.ts";
import { syncFile } from "./files.ts";
import { whenFree } from "./lock.ts";
import { Names } from "./names.ts";
import { Place } from "./place.ts";
import { COLUMNS, type Columns, INSERT, rowOf, SELECT_BY_KEY, valuesOf } from "./rows.ts";
import { Turn } from "./turn.ts";
import { isPurgePending, purge, shedBodies, takeOut } from "./upkeep.ts";

export interface SqliteJournalStore extends JournalStore {
  describe(): Promise<StoreDescription>;

  /**
   * Copies the journal into one file while others may write, its command key included.
   *
   * @throws HoldfastError `input/exists` where a file is and it is not to be replaced,
   * `input/not-writable`, `journal/corrupt` where the copy does not end as its head says
   */
  backup(file: string, options?: { readonly replace: boolean }): Promise<Backup>;
}

/** An open database, known to be ours. `openSqliteStore` makes it. */
export class SqliteStore implements SqliteJournalStore {
  readonly #database: Database.Database;
  readonly #file: string;
  readonly #place: Place;
  readonly #turn = new Turn();
  readonly #names: Names;
  readonly #lockWaitMs: number;
  /** Whether each commit is on the disk before it is answered. */
  readonly #isSynced: boolean;
  readonly #ports: JournalPorts;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #selectHead: Database.Statement;
  readonly #selectStart: Database.Statement;
  readonly #updateHead: Database.Statement;
  readonly #insert: Database.Statement;
  readonly #selectAfter: Database.Statement;
  readonly #selectHash: Database.Statement;
  readonly #selectByKey: Database.Statement;
  readonly #selectReplacement: Database.Statement;

  constructor(database: Database.Database, file: string, lockWaitMs: number, ports: JournalPorts) {
    this.#database = database;
    this.#file = file;
    this.#lockWaitMs = lockWaitMs;
    this.#ports = ports;
    this.#names = new Names(database);
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
    this.#selectHead = database.prepare("SELECT seq, lower(hex(hash)), rewritten FROM head").raw();
    this.#selectStart = database
      .prepare("SELECT start_seq, lower(hex(start_hash)) FROM head")
      .raw();
    this.#updateHead = database.prepare("UPDATE head SET seq = ?, hash = ?");
    this.#insert = database.prepare(INSERT);
    const after = `SELECT ${COLUMNS} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`;
    this.#selectAfter = database.prepare(after).raw();
    this.#selectHash = database
      .prepare("SELECT lower(hex(hash)) FROM events WHERE seq = ?")
      .pluck();
    this.#selectByKey = database.prepare(SELECT_BY_KEY).pluck();
    const replacement = "SELECT body FROM replacements WHERE seq = ?";
    this.#selectReplacement = database.prepare(replacement).pluck();
    this.#isSynced = Number(database.pragma("synchronous", { simple: true })) >= SYNCHRONOUS_FULL;
    this.#extent(); // Reads, so that all files are there by now.
    this.#place = new Place(file);
  }

  async extent(): Promise<Extent> {
    return this.#typed(() => this.#extent());
  }

  async read(afterSeq: number, limit: number): Promise<readonly EventRow[]> {
    return this.#typed(() => this.#read(afterSeq, limit));
  }

  async append(known: Head, keys: readonly string[], plan: StorePlan): Promise<void> {
    const { lasting = false } = await this.#locked(() => {
      const extent = this.#extent();
      const { start, head } = extent;
      const isCurrent = head.seq === known.seq && head.hash === known.hash;
      const isTakenOut = known.seq < start.seq;
      if (!isCurrent && !isTakenOut && this.#hashAt(known.seq) !== known.hash)
        throw replaced(known);
      const readTail = () => (isCurrent || isTakenOut ? [] : this.#read(known.seq, -1));
      const change = plan({
        ...extent,
        get tail() {
          return readTail();
        },
        existing: new Map(keys.flatMap((key) => this.#commandOf(key))),
      });
      this.#store(change.rows);
      takeOut(this.#database, change);
      return change;
    });
    if (lasting && !this.#isSynced) syncFile(`${this.#file}-wal`);
  }

  async purge(): Promise<void> {
    await this.#typed(() => {
      if (!isPurgePending(this.#database)) return;
      this.#place.assertUnchanged();
      if (!purge(this.#database)) throw busy(this.#file);
    });
  }

  async importRows({ rows, replacements }: Imported): Promise<Head> {
    return this.#locked(() => {
      const stored = this.#extent().head.seq;
      if (stored > 1) throw notEmpty(stored);
      this.#database.exec("DELETE FROM events; DELETE FROM snapshot; DELETE FROM replacements");
      let isFirst = true;
      for (const row of rows) {
        if (isFirst) this.#startAfter({ seq: row.header.seq - 1, hash: row.header.prev });
        isFirst = false;
        this.#store([row]);
      }
      shedBodies(this.#database, replacements());
      this.#database.exec("UPDATE head SET rewritten = seq");
      // Observations made under another journal's key prove nothing here.
      writeKey(this.#database, this.#ports);
      return this.#extent().head;
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
      const select =
        "SELECT seq, lower(hex(hash)), fold_version, lower(hex(digest)), text FROM snapshot";
      const row = this.#database.prepare(select).raw().get() as SnapshotColumns | undefined;
      if (row === undefined) return null;
      const [seq, hash, foldVersion, digest, text] = row;
      return { seq, hash, foldVersion, digest, text };
    });
  }

  async writeSnapshot(snapshot: SnapshotRow | null): Promise<void> {
    await this.#locked(() => {
      if (snapshot === null) return void this.#database.exec("DELETE FROM snapshot");
      const { seq, hash, foldVersion, digest, text } = snapshot;
      if (seq < this.#extent().rewritten) return;
      const values = [seq, Buffer.from(hash, "hex"), foldVersion, Buffer.from(digest, "hex"), text];
      this.#database
        .prepare("INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?, ?, ?, ?)")
        .run(values);
    });
  }

  async describe(): Promise<StoreDescription> {
    return this.#typed(() => describeConnection(this.#database));
  }

  async backup(file: string, options = { replace: false }): Promise<Backup> {
    const driver = await loadDriver();
    return this.#typed(() => backUp(driver, this.#database, file, options));
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #extent(): Extent {
    const row = this.#selectHead.get() as [number, string, number] | undefined;
    if (row === undefined) throw this.#lacks("record of its own end");
    const [seq, hash, rewritten] = row;
    const start = rewritten === 0 ? EMPTY_HEAD : this.#start();
    return { start, head: { seq, hash }, rewritten };
  }

  #start(): Head {
    const [seq, hash] = this.#selectStart.get() as [number, string];
    return { seq, hash };
  }

  #startAfter({ seq, hash }: Head): void {
    this.#database
      .prepare("UPDATE head SET start_seq = ?, start_hash = ?")
      .run(seq, Buffer.from(hash, "hex"));
  }

  #hashAt(seq: number): string {
    const hash = this.#selectHash.get(seq) as string | undefined;
    if (hash !== undefined) return hash;
    const start = this.#start();
    return seq <= start.seq ? start.hash : "";
  }

  #read(afterSeq: number, limit: number): readonly EventRow[] {
    let prev = this.#hashAt(afterSeq);
    return (this.#selectAfter.all(afterSeq, limit) as Columns[]).map((columns) => {
      const row = rowOf(columns, prev, this.#names);
      prev = row.hash;
      return row.bodyText === null ? this.#withReplacement(row) : row;
    });
  }

  #withReplacement(row: EventRow): EventRow {
    const text = this.#selectReplacement.get(row.header.seq) as string | undefined;
    return { ...row, replacement: text ?? null };
  }

  #commandOf(key: string): [string, readonly EventRow[]][] {
    const bytes = Buffer.from(key, "hex");
    const seq = this.#selectByKey.get(bytes.subarray(0, 8), bytes) as number | undefined;
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
    for (const row of rows) {
      this.#insert.run(...valuesOf(row, this.#names));
    }
    this.#updateHead.run(last.header.seq, Buffer.from(last.hash, "hex"));
  }

  /**
   * Runs `work` in one write transaction: all of it is stored or nothing. From the lock to the
   * commit nothing else of this process runs, so calls on one store may overlap.
   */
  async #locked<T>(work: () => T): Promise<T> {
    const turn = this.#turn.before();
    if (turn !== null) await turn;
    return this.#typed(() => {
      this.#begin.run();
      try {
        this.#place.assertUnchanged();
        const result = work();
        this.#commit.run();
        this.#turn.committed();
        return result;
      } catch (error) {
        this.#names.forget(); // Those that this transaction added are not stored.
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
}

/** @see https://www.sqlite.org/pragma.html#pragma_synchronous */
const SYNCHRONOUS_FULL = 2;

type SnapshotColumns = [number, string, number, string, string];
