import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import type { EventRow, Extent, Head, SnapshotRow } from "../journal/index.ts";
import type { Backup } from "./backup.ts";
import { describeConnection, type StoreDescription } from "./describe.ts";
import { typedFailure } from "./failures.ts";
import { STORE_VERSION } from "./limits.ts";
import { whenFree } from "./lock.ts";
import { Names } from "./names.ts";
import { COLUMNS, type Columns, rowOf } from "./rows.ts";
import type { SqliteJournalStore } from "./sqlite-store.ts";

/**
 * A journal whose tables a newer version made. As far as they can still be read they are, and nothing
 * is written: what these tables need besides is not known here.
 */
export class NewerStore implements SqliteJournalStore {
  readonly readOnly: HoldfastError;
  readonly #database: Database.Database;
  readonly #file: string;
  readonly #lockWaitMs: number;
  readonly #names: Names;
  readonly #selectHead: Database.Statement;
  readonly #selectAfter: Database.Statement;
  readonly #selectReplacement: Database.Statement;

  /** @throws HoldfastError `journal/newer-format` where the tables can't be read */
  constructor(database: Database.Database, file: string, lockWaitMs: number, version: number) {
    this.readOnly = newer(file, version);
    this.#database = database;
    this.#file = file;
    this.#lockWaitMs = lockWaitMs;
    database.pragma("query_only = ON");
    try {
      this.#names = new Names(database);
      this.#selectHead = database
        .prepare(
          "SELECT seq, lower(hex(hash)), rewritten, start_seq, lower(hex(start_hash)) FROM head",
        )
        .raw();
      this.#selectAfter = database
        .prepare(`SELECT ${COLUMNS} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`)
        .raw();
      this.#selectReplacement = database
        .prepare("SELECT body FROM replacements WHERE seq = ?")
        .pluck();
      this.#extent();
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== "SQLITE_ERROR") throw cause;
      throw newer(file, version, cause);
    }
  }

  extent(): Promise<Extent> {
    return this.#typed(() => this.#extent());
  }

  read(afterSeq: number, limit: number): Promise<readonly EventRow[]> {
    return this.#typed(() => {
      let prev = this.#hashAt(afterSeq);
      return (this.#selectAfter.all(afterSeq, limit) as Columns[]).map((columns) => {
        const row = rowOf(columns, prev, this.#names);
        prev = row.hash;
        if (row.bodyText !== null) return row;
        const text = this.#selectReplacement.get(row.header.seq) as string | undefined;
        return { ...row, replacement: text ?? null };
      });
    });
  }

  async append(): Promise<void> {
    throw this.readOnly;
  }

  /** What is left to be done there is the newer version's to do. */
  async purge(): Promise<void> {}

  async importRows(): Promise<Head> {
    throw this.readOnly;
  }

  commandKey(): Promise<string> {
    return this.#typed(() => {
      const select = "SELECT lower(hex(value)) FROM meta WHERE name = 'command-key'";
      return String(this.#database.prepare(select).pluck().get());
    });
  }

  /** Another version's fold is none for this one. */
  async readSnapshot(): Promise<SnapshotRow | null> {
    return null;
  }

  async writeSnapshot(): Promise<void> {}

  describe(): Promise<StoreDescription> {
    return this.#typed(() => describeConnection(this.#database));
  }

  async backup(): Promise<Backup> {
    throw this.readOnly;
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #extent(): Extent {
    const [seq, hash, rewritten, startSeq, startHash] = this.#selectHead.get() as HeadColumns;
    return { start: { seq: startSeq, hash: startHash }, head: { seq, hash }, rewritten };
  }

  #hashAt(seq: number): string {
    const before = this.#selectAfter.get(seq - 1, 1) as Columns | undefined;
    if (before?.[0] === seq) return before[10];
    return this.#extent().start.hash;
  }

  async #typed<T>(access: () => T): Promise<T> {
    try {
      return await whenFree(this.#file, this.#lockWaitMs, access);
    } catch (error) {
      throw typedFailure(error, this.#file);
    }
  }
}

type HeadColumns = readonly [
  seq: number,
  hash: string,
  rewritten: number,
  startSeq: number,
  startHash: string,
];

function newer(file: string, version: number, cause?: unknown): HoldfastError {
  const known = `store version ${version}, this one knows ${STORE_VERSION}`;
  const told =
    cause === undefined ? "it is read and not written to" : "its tables can't be read here";
  return new HoldfastError(
    "journal/newer-format",
    `${file} was written by a newer Holdfast (${known}): ${told}.`,
    "Upgrade Holdfast.",
    { cause },
  );
}
