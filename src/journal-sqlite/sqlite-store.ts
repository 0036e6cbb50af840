import type Database from "better-sqlite3";
import {
  type EventRow,
  type Head,
  type Imported,
  type JournalPorts,
  type JournalStore,
  notEmpty,
  replaced,
  type SnapshotRow,
  type StorePlan,
} from "../journal/index.ts";
import { syncFile } from "../state-folder/index.ts";
import { backUp } from "./backup.ts";
import { writeKey } from "./create.ts";
import { type StoreDescription, synchronousOf } from "./describe.ts";
import { loadDriver } from "./driver.ts";
import { busy, notSynced, typedFailure } from "./failures.ts";
import { Place } from "./place.ts";
import { INSERT, SELECT_BY_KEY, valuesOf } from "./rows.ts";
import { StoredRows } from "./stored-rows.ts";
import { Turn } from "./turn.ts";
import { pendingPurge, purge, replaceBodies, takeOut } from "./upkeep.ts";
import type { Backup } from "./view-schemas.ts";

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
export class SqliteStore extends StoredRows implements SqliteJournalStore {
  readonly #place: Place;
  readonly #turn = new Turn();
  /** Whether each commit is on the disk before it is answered. */
  readonly #isSynced: boolean;
  readonly #ports: JournalPorts;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #rollback: Database.Statement;
  readonly #updateHead: Database.Statement;
  readonly #insert: Database.Statement;
  readonly #selectByKey: Database.Statement;

  constructor(database: Database.Database, file: string, lockWaitMs: number, ports: JournalPorts) {
    super(database, file, lockWaitMs);
    this.#ports = ports;
    this.#begin = database.prepare("BEGIN IMMEDIATE");
    this.#commit = database.prepare("COMMIT");
    this.#rollback = database.prepare("ROLLBACK");
    this.#updateHead = database.prepare("UPDATE head SET seq = ?, hash = ?");
    this.#insert = database.prepare(INSERT);
    this.#selectByKey = database.prepare(SELECT_BY_KEY).pluck();
    this.#isSynced = ["full", "extra"].includes(synchronousOf(database));
    this.#place = new Place(file);
  }

  async append(known: Head, keys: readonly string[], plan: StorePlan): Promise<void> {
    const { lasting = false } = await this.#locked(() => {
      const extent = this.storedExtent();
      const { start, head } = extent;
      const isCurrent = head.seq === known.seq && head.hash === known.hash;
      const isTakenOut = known.seq < start.seq;
      if (!isCurrent && !isTakenOut && this.hashAt(known.seq) !== known.hash) throw replaced(known);
      const readTail = () => (isCurrent || isTakenOut ? [] : this.rowsAfter(known.seq, -1));
      const change = plan({
        ...extent,
        get tail() {
          return readTail();
        },
        existing: keys.length === 0 ? NONE : new Map(keys.flatMap((key) => this.#commandOf(key))),
      });
      this.#store(change.rows);
      takeOut(this.database, this.names, change);
      return change;
    });
    if (lasting && !this.#isSynced) this.#syncLog();
  }

  async purge(): Promise<void> {
    await this.typed(() => {
      if (pendingPurge(this.database) === 0) return;
      this.#place.assertUnchanged();
      if (!purge(this.database)) throw busy(this.file);
    });
  }

  async importRows({ rows, replacements }: Imported): Promise<Head> {
    return this.#locked(() => {
      const { start, head } = this.storedExtent();
      if (head.seq > 1) throw notEmpty(head.seq - start.seq);
      this.database.exec("DELETE FROM events; DELETE FROM snapshot; DELETE FROM replacements");
      let isFirst = true;
      for (const row of rows) {
        if (isFirst) this.#startAfter({ seq: row.header.seq - 1, hash: row.header.prev });
        isFirst = false;
        this.#store([row]);
      }
      replaceBodies(this.database, replacements());
      this.names.removeUnused();
      this.database.exec("UPDATE head SET rewritten = seq");
      // Observations made under another journal's key prove nothing here.
      writeKey(this.database, this.#ports);
      return this.storedExtent().head;
    });
  }

  async readSnapshot(): Promise<SnapshotRow | null> {
    return this.typed(() => {
      const select =
        "SELECT seq, lower(hex(hash)), fold_version, lower(hex(digest)), text FROM snapshot";
      const row = this.database.prepare(select).raw().get() as SnapshotColumns | undefined;
      if (row === undefined) return null;
      const [seq, hash, foldVersion, digest, text] = row;
      return { seq, hash, foldVersion, digest, text };
    });
  }

  async writeSnapshot(snapshot: SnapshotRow | null): Promise<void> {
    await this.#locked(() => {
      if (snapshot === null) return void this.database.exec("DELETE FROM snapshot");
      const { seq, hash, foldVersion, digest, text } = snapshot;
      if (seq < this.storedExtent().rewritten) return;
      const values = [seq, Buffer.from(hash, "hex"), foldVersion, Buffer.from(digest, "hex"), text];
      this.database
        .prepare("INSERT OR REPLACE INTO snapshot VALUES (1, ?, ?, ?, ?, ?)")
        .run(values);
    });
  }

  /**
   * Closing the last connection moves the log into the file. Where the index of the log was replaced,
   * others append under another one and SQLite does not know of them: it would write over what they
   * appended. So a second connection makes this one not the last.
   */
  override async close(): Promise<void> {
    if (!this.database.open || !this.#place.hasLostIndex()) return super.close();
    const keeper = await this.#secondConnection();
    await super.close();
    keeper?.close();
  }

  /** Null where nothing is left under the file's name: then nobody else can have appended to it. */
  async #secondConnection(): Promise<Database.Database | null> {
    const driver = await loadDriver();
    let second: Database.Database | null = null;
    try {
      second = new driver(this.file, { readonly: true, timeout: 0 });
      second.prepare("SELECT seq FROM head").get();
      return second;
    } catch {
      second?.close();
      return null;
    }
  }

  async backup(file: string, options = { replace: false }): Promise<Backup> {
    const driver = await loadDriver();
    return this.typed(() => backUp(driver, this.database, file, options));
  }

  #startAfter({ seq, hash }: Head): void {
    this.database
      .prepare("UPDATE head SET start_seq = ?, start_hash = ?")
      .run(seq, Buffer.from(hash, "hex"));
  }

  #commandOf(key: string): [string, readonly EventRow[]][] {
    const bytes = Buffer.from(key, "hex");
    const seq = this.#selectByKey.get(bytes.subarray(0, 8), bytes) as number | undefined;
    if (seq === undefined) return [];
    const command: EventRow[] = [];
    for (;;) {
      const [row] = this.rowsAfter(seq - 1 + command.length, 1);
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
      this.#insert.run(...valuesOf(row, this.names));
    }
    this.#updateHead.run(last.header.seq, Buffer.from(last.hash, "hex"));
  }

  /**
   * Runs `work` in one write transaction: all of it is stored or nothing. From the lock to the
   * commit nothing else of this process runs, so calls on one store may overlap.
   */
  #locked<T>(work: () => T): Promise<T> {
    const turn = this.#turn.before();
    return turn === null ? this.#lockedNow(work) : turn.then(() => this.#lockedNow(work));
  }

  #lockedNow<T>(work: () => T): Promise<T> {
    return this.typed(() => {
      this.#begin.run();
      try {
        this.#place.assertUnchanged();
        const result = work();
        this.#commit.run();
        this.#turn.committed();
        return result;
      } catch (error) {
        this.names.forget(); // Those that this transaction added are not stored.
        // SQLite has already rolled back after some failures (a full disk, for one).
        if (this.database.inTransaction) this.#rollback.run();
        throw typedFailure(error, this.file);
      }
    });
  }

  /** SQLite locks the file and the index of its log, and never the log: so `syncFile` gives up none. */
  #syncLog(): void {
    try {
      syncFile(`${this.file}-wal`);
    } catch (cause) {
      throw notSynced(this.file, cause);
    }
  }
}

const NONE: ReadonlyMap<string, readonly EventRow[]> = new Map();

type SnapshotColumns = [number, string, number, string, string];
