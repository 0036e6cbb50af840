import { HoldfastError } from "../errors.ts";
import type { Ids } from "../ports.ts";
import { EMPTY_HEAD, type EventRow, type Head } from "./event.ts";
import type { JournalStore, SnapshotRow, StorePlan } from "./store.ts";

/** A store that lives as long as the process: for tests, simulations and hosts without a disk. */
export class MemoryStore implements JournalStore {
  #rows: EventRow[] = [];
  #seqOfKey = new Map<string, number>();
  #commandKey: string;
  #snapshot: SnapshotRow | null = null;
  #newKey: () => string;

  constructor(ids: Pick<Ids, "secret">) {
    this.#newKey = () => ids.secret();
    this.#commandKey = ids.secret();
  }

  async head(): Promise<Head> {
    return this.#head();
  }

  async read(afterSeq: number, limit: number): Promise<readonly EventRow[]> {
    return this.#rows.slice(afterSeq, afterSeq + limit);
  }

  async append(
    known: Head,
    keys: readonly string[],
    plan: StorePlan,
  ): Promise<readonly EventRow[]> {
    const atKnown = known.seq === 0 ? EMPTY_HEAD.hash : this.#rows[known.seq - 1]?.hash;
    if (atKnown !== known.hash) throw replaced(known);
    const added = plan({
      tail: this.#rows.slice(known.seq),
      head: this.#head(),
      existing: new Map(keys.flatMap((key) => this.#commandOf(key))),
    });
    for (const row of added) this.#push(row);
    return added;
  }

  async importRows(rows: Iterable<EventRow>): Promise<Head> {
    if (this.#rows.length > 1) throw notEmpty(this.#rows.length);
    const imported = [...rows];
    this.#rows = [];
    this.#seqOfKey = new Map();
    for (const row of imported) this.#push(row);
    this.#commandKey = this.#newKey();
    this.#snapshot = null;
    return this.#head();
  }

  async readSnapshot(): Promise<SnapshotRow | null> {
    return this.#snapshot;
  }

  async writeSnapshot(snapshot: SnapshotRow | null): Promise<void> {
    this.#snapshot = snapshot;
  }

  async commandKey(): Promise<string> {
    return this.#commandKey;
  }

  async close(): Promise<void> {}

  #head(): Head {
    const last = this.#rows.at(-1);
    return last === undefined ? EMPTY_HEAD : { seq: last.header.seq, hash: last.hash };
  }

  #push(row: EventRow): void {
    this.#rows.push(row);
    if (row.header.key !== null) this.#seqOfKey.set(row.header.key, row.header.seq);
  }

  #commandOf(key: string): [string, readonly EventRow[]][] {
    const seq = this.#seqOfKey.get(key);
    const first = seq === undefined ? undefined : this.#rows[seq - 1];
    if (first === undefined) return [];
    const command = [first];
    for (const row of this.#rows.slice(first.header.seq)) {
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

export function notEmpty(events: number): HoldfastError {
  return new HoldfastError(
    "journal/not-empty",
    `The journal already holds ${events} events; an import needs an empty one.`,
    "Import into a new folder: holdfast --dir NEW journal import FILE.",
  );
}
