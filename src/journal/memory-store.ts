import { HoldfastError } from "../errors.ts";
import type { Ids } from "../ports.ts";
import { EMPTY_HEAD, type EventRow, type Head, headOf } from "./event.ts";
import type {
  Change,
  Extent,
  Imported,
  JournalStore,
  Replacement,
  SnapshotRow,
  StorePlan,
} from "./store.ts";

/** A store in memory, gone once it is closed: for tests, simulations and hosts without a disk. */
export class MemoryStore implements JournalStore {
  #start: Head = EMPTY_HEAD;
  #rows: EventRow[] = [];
  #rewritten = 0;
  #seqOfKey = new Map<string, number>();
  #commandKey: string;
  #snapshot: SnapshotRow | null = null;
  #newKey: () => string;
  #isClosed = false;

  constructor(ids: Pick<Ids, "secret">) {
    this.#newKey = () => ids.secret();
    this.#commandKey = ids.secret();
  }

  async extent(): Promise<Extent> {
    this.#assertOpen();
    return this.#extent();
  }

  async read(afterSeq: number, limit: number): Promise<readonly EventRow[]> {
    this.#assertOpen();
    const from = this.#after(afterSeq);
    return this.#rows.slice(from, from + limit);
  }

  async append(known: Head, keys: readonly string[], plan: StorePlan): Promise<void> {
    this.#assertOpen();
    const isTakenOut = known.seq < this.#start.seq;
    if (!isTakenOut && this.#hashAt(known.seq) !== known.hash) throw replaced(known);
    const change = plan({
      ...this.#extent(),
      tail: isTakenOut ? [] : this.#rows.slice(this.#after(known.seq)),
      existing: new Map(keys.flatMap((key) => this.#commandOf(key))),
    });
    this.#carryOut(change);
  }

  async purge(): Promise<void> {
    this.#assertOpen();
  }

  async importRows({ rows, replacements }: Imported): Promise<Head> {
    this.#assertOpen();
    if (this.#head().seq > 1) throw notEmpty(this.#rows.length);
    const imported = [...rows];
    const first = imported[0]?.header;
    this.#start = first === undefined ? EMPTY_HEAD : { seq: first.seq - 1, hash: first.prev };
    this.#rows = [];
    this.#seqOfKey = new Map();
    for (const row of imported) this.#push(row);
    for (const replacement of replacements()) this.#shed(replacement);
    this.#commandKey = this.#newKey();
    this.#snapshot = null;
    this.#rewritten = this.#head().seq;
    return this.#head();
  }

  async readSnapshot(): Promise<SnapshotRow | null> {
    this.#assertOpen();
    return this.#snapshot;
  }

  async writeSnapshot(snapshot: SnapshotRow | null): Promise<void> {
    this.#assertOpen();
    if (snapshot !== null && snapshot.seq < this.#rewritten) return;
    this.#snapshot = snapshot;
  }

  async commandKey(): Promise<string> {
    this.#assertOpen();
    return this.#commandKey;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #assertOpen(): void {
    if (!this.#isClosed) return;
    throw new HoldfastError("journal/closed", "The journal is closed.", "Open it again.");
  }

  #extent(): Extent {
    return { start: this.#start, head: this.#head(), rewritten: this.#rewritten };
  }

  #head(): Head {
    const last = this.#rows.at(-1);
    return last === undefined ? this.#start : headOf(last);
  }

  /** The index of the first row after an event. */
  #after(seq: number): number {
    return Math.max(0, seq - this.#start.seq);
  }

  #hashAt(seq: number): string | undefined {
    return seq === this.#start.seq ? this.#start.hash : this.#rows[seq - this.#start.seq - 1]?.hash;
  }

  #carryOut({ rows, shed = [], removeThrough = this.#start.seq }: Change): void {
    for (const row of rows) this.#push(row);
    for (const replacement of shed) this.#shed(replacement);
    const removed = this.#rows.slice(0, this.#after(removeThrough));
    const last = removed.at(-1);
    if (last !== undefined) {
      this.#start = headOf(last);
      this.#rows = this.#rows.slice(removed.length);
      for (const { header } of removed) if (header.key !== null) this.#seqOfKey.delete(header.key);
    }
    if (shed.length === 0 && removed.length === 0) return;
    this.#snapshot = null;
    this.#rewritten = this.#head().seq;
  }

  #push(row: EventRow): void {
    this.#rows.push(row);
    if (row.header.key !== null) this.#seqOfKey.set(row.header.key, row.header.seq);
  }

  #shed({ seq, text }: Replacement): void {
    const index = this.#after(seq) - 1;
    const row = this.#rows[index];
    if (row === undefined) return;
    const { header, hash } = row;
    this.#rows[index] = { header, hash, bodyText: null, replacement: text };
  }

  #commandOf(key: string): [string, readonly EventRow[]][] {
    const seq = this.#seqOfKey.get(key);
    const [first, ...following] = seq === undefined ? [] : this.#rows.slice(this.#after(seq) - 1);
    if (first === undefined) return [];
    const command = [first];
    for (const row of following) {
      if (row.header.key !== null || row.header.cause !== first.header.id) break;
      command.push(row);
    }
    return [[key, command]];
  }
}

export function replaced(known: Head): HoldfastError {
  return new HoldfastError(
    "journal/replaced",
    `The journal no longer holds event ${known.seq} as it was read: it was replaced, cut or put back to an older copy.`,
    "Open the journal again and compare it with a head noted elsewhere: holdfast journal verify --head SEQ:HASH.",
  );
}

/** @param events how many are held now, without those that compaction removed */
export function notEmpty(events: number): HoldfastError {
  return new HoldfastError(
    "journal/not-empty",
    `The journal already holds ${events} ${events === 1 ? "event" : "events"}; an import needs an empty one.`,
    "Import into a new folder: holdfast --dir NEW journal import FILE.",
  );
}
