import type { HoldfastError } from "../errors.ts";
import type { EventRow, Head } from "./event.ts";

/** Where a stored journal begins and ends. */
export interface Extent {
  /** The event that the first stored one follows: `EMPTY_HEAD`, or the last that compaction removed. */
  readonly start: Head;
  /** The last event as the store has recorded it; the start where it holds none. */
  readonly head: Head;
  /**
   * The last event that changed what stands before it, 0 without one: whoever folded the journal
   * when this was another number has folded what is gone.
   */
  readonly rewritten: number;
}

/** What a plan sees while the store is locked. */
export interface StoreView extends Extent {
  /** Events that others appended after the `known` head of the call, in order. Read when asked for. */
  readonly tail: readonly EventRow[];
  /**
   * For each asked key hash that was used before: the event that carries it and those that its
   * command caused in the same append (they follow it and name it as their cause).
   */
  readonly existing: ReadonlyMap<string, readonly EventRow[]>;
}

/** What stands for a body that was taken out. */
export interface Replacement {
  readonly seq: number;
  /** Canonical text; null where nothing stands for it. */
  readonly text: string | null;
}

/** What a plan does to a store, in one commit. */
export interface Change {
  readonly rows: readonly EventRow[];
  /** Bodies that are taken out. */
  readonly shed?: readonly Replacement[];
  /** The event up to which all are taken out, itself included. */
  readonly removeThrough?: number;
  /** Whether it has to survive a power cut, also where the store is set to be faster than that. */
  readonly lasting?: boolean;
}

/** Decides on the locked view. Synchronous and without effects; a throw changes nothing. */
export type StorePlan = (view: StoreView) => Change;

/** A journal as it is taken in from an export. */
export interface Imported {
  /** Checked while they stream; a throw leaves the store as it was. */
  readonly rows: Iterable<EventRow>;
  /** What stands for bodies that are absent; asked once the rows are through. */
  readonly replacements: () => readonly Replacement[];
}

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
 * Every store has to pass the suite of `holdfast/conformance`.
 */
export interface JournalStore {
  /** What every write would throw, where this store takes none: a newer version made it. */
  readonly readOnly?: HoldfastError | undefined;

  extent(): Promise<Extent>;

  /** Rows after `seq` in order, at most `limit`. Holds no lock or transaction open afterwards. */
  read(afterSeq: number, limit: number): Promise<readonly EventRow[]>;

  /**
   * Locks, reads what is new after `known`, lets `plan` decide on it, carries out what it returns
   * and commits; resolves once that is as durable as the store promises. All of it is stored or
   * nothing.
   *
   * A change that takes something out drops the snapshot in the same commit, moves `rewritten` to
   * the new head and leaves a purge pending. Where the known head was taken out, the tail is empty.
   *
   * @throws HoldfastError `journal/busy` when the lock could not be had in time,
   * `journal/replaced` when `known` is not part of what is stored, `journal/storage-full`.
   */
  append(known: Head, keys: readonly string[], plan: StorePlan): Promise<void>;

  /**
   * Removes what was taken out from wherever the store may still hold its bytes. Does nothing when
   * no purge is pending; one that was cut off stays pending.
   *
   * @throws HoldfastError `journal/busy`, `journal/storage-full`: it stays pending then
   */
  purge(): Promise<void>;

  /**
   * Puts an exported journal in place of an empty one: whole or not at all.
   *
   * @throws HoldfastError `journal/not-empty` when more than `journal.opened` is stored.
   */
  importRows(imported: Imported): Promise<Head>;

  /** The cached fold as it is stored, unchecked; null where there is none. */
  readSnapshot(): Promise<SnapshotRow | null>;

  /**
   * Keeps a fold in place of the one before; null throws it away. One that stands before
   * `rewritten` is not kept: it may hold what was taken out. Nothing but speed depends on it.
   */
  writeSnapshot(snapshot: SnapshotRow | null): Promise<void>;

  /** What is wrong with the store beside its rows, as with an index; null where nothing is. */
  check?(): Promise<string | null>;

  /** The journal's own random key (64 hex characters); never exported. */
  commandKey(): Promise<string>;

  /**
   * Lets go of what the handle holds; what is committed stays. May be called again, and every other
   * call is refused from then on.
   *
   * @throws HoldfastError `journal/closed` from every other call
   */
  close(): Promise<void>;
}
