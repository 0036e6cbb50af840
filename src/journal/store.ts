import type { EventRow, Head } from "./event.ts";

/** What a plan sees while the store is locked. */
export interface StoreView {
  /** Events that others appended after the `known` head of the call, in order. */
  readonly tail: readonly EventRow[];
  readonly head: Head;
  /**
   * For each asked key hash that was used before: the event that carries it and those that its
   * command caused in the same append (they follow it and name it as their cause).
   */
  readonly existing: ReadonlyMap<string, readonly EventRow[]>;
}

/** Decides on the locked view which rows to append. Synchronous and without effects; a throw appends nothing. */
export type StorePlan = (view: StoreView) => readonly EventRow[];

/**
 * A folded state as a store caches it: bound to the event it stands at and to the version of the
 * fold that made it, with a digest of all that.
 */
export interface SnapshotRow {
  readonly seq: number;
  readonly hash: string;
  readonly foldVersion: number;
  /** Makes a changed snapshot show; see `snapshotDigest`. */
  readonly digest: string;
  readonly text: string;
}

/**
 * Where events are kept. A store holds rows and knows nothing of their meaning: linking, hashing
 * and checking are the journal's.
 *
 * Every store has to pass `test/journal/store-suite.ts`.
 */
export interface JournalStore {
  /** The head as the store has recorded it (`seq` 0 and 64 zeros when empty). */
  head(): Promise<Head>;

  /** Rows after `seq` in order, at most `limit`. Holds no lock or transaction open afterwards. */
  read(afterSeq: number, limit: number): Promise<readonly EventRow[]>;

  /**
   * Locks, reads what is new after `known`, lets `plan` decide on it, appends what it returns and
   * commits; resolves once that is as durable as the store promises. All rows are stored or none.
   *
   * @throws HoldfastError `journal/busy` when the lock could not be had in time,
   * `journal/replaced` when `known` is not part of what is stored, `journal/storage-full`.
   */
  append(known: Head, keys: readonly string[], plan: StorePlan): Promise<readonly EventRow[]>;

  /**
   * Puts an exported journal in place of an empty one: whole or not at all. `rows` are checked by
   * the caller while they stream.
   *
   * @throws HoldfastError `journal/not-empty` when more than `journal.opened` is stored.
   */
  importRows(rows: Iterable<EventRow>): Promise<Head>;

  /** The cached fold as it is stored, unchecked; null where there is none. */
  readSnapshot(): Promise<SnapshotRow | null>;

  /** Keeps a fold in place of the one before; null throws it away. Nothing but speed depends on it. */
  writeSnapshot(snapshot: SnapshotRow | null): Promise<void>;

  /** The journal's own random key (64 hex characters); never exported. */
  commandKey(): Promise<string>;

  close(): Promise<void>;
}
