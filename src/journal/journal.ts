import { HoldfastError } from "../errors.ts";
import type { Sha256 } from "../ports.ts";
import { Accounts } from "./accounts.ts";
import { checkRow, type Problem } from "./chain.ts";
import {
  EMPTY_HEAD,
  type EventRow,
  type Head,
  headOf,
  type NewEvent,
  type StoredEvent,
  storedEvent,
} from "./event.ts";
import { portableSha256 } from "./hash.ts";
import { FAR_BEHIND, READ_BATCH } from "./limits.ts";
import { type JournalPorts, Linker, openingRow } from "./link.ts";
import { isTrustworthy, snapshotOf } from "./snapshot.ts";
import type { Change, Extent, Imported, JournalStore } from "./store.ts";

/**
 * What was read is too old to decide on: another process took something out of it, or appended so
 * much that it should not be read under the lock. Nothing was decided or stored; read on first.
 */
export class OutOfDate extends Error {}

/** An append in progress, under the store's lock. */
export interface Append {
  /** Verified events that others appended since this journal last looked. */
  readonly tail: readonly StoredEvent[];
  /** The events of the command that used this key hash before, or undefined. */
  commandOf(keyHash: string): readonly StoredEvent[] | undefined;
  /**
   * Links the events of one command: all of them or, if one can't be stored, none. The first
   * carries the command's key; the others name the first as their cause, unless they name another.
   */
  add(command: readonly NewEvent[]): readonly StoredEvent[];
  /** Takes bodies or events out in the same commit; one of the added events has to account for it. */
  takeOut(change: Pick<Change, "shed" | "removeThrough">): void;
  /** Has the commit survive a power cut, also where the store is set to be faster than that. */
  makeLasting(): void;
}

/**
 * A hash-chained, append-only log over a store. Follows the chain from its beginning, checks each
 * event that it reads, and refuses to append to a chain that does not hold.
 */
export class Journal {
  readonly #store: JournalStore;
  readonly #ports: JournalPorts;
  readonly #sha256: Sha256;
  /** The last event that was read and checked. */
  #head: Head = EMPTY_HEAD;
  /** The event that the first stored one follows. */
  #start: Head = EMPTY_HEAD;
  /** From here on up to the head every event was checked by this journal itself. */
  #checkedFrom = 1;
  #runSeqs = new Map<string, number>();
  #accounts = new Accounts();
  /** As the store said it when the reading began. */
  #rewritten = 0;
  #damage: Problem | null = null;

  private constructor(store: JournalStore, ports: JournalPorts) {
    this.#store = store;
    this.#ports = ports;
    this.#sha256 = ports.sha256 ?? portableSha256;
  }

  /** Takes a store into use; an empty one gets its `journal.opened`. Reads nothing else yet. */
  static async open(store: JournalStore, ports: JournalPorts): Promise<Journal> {
    const journal = new Journal(store, ports);
    await journal.#openEmpty();
    return journal;
  }

  /** The point up to which this journal has read and checked. */
  get head(): Head {
    return this.#head;
  }

  /** The event that the first stored one follows: 0, or the last that compaction removed. */
  get start(): Head {
    return this.#start;
  }

  /** Every event from here up to `head` was checked by this journal itself, and by no snapshot. */
  get checkedFrom(): number {
    return this.#checkedFrom;
  }

  /** What stopped the reading, or null. Nothing is appended from then on. */
  get damage(): Problem | null {
    return this.#damage;
  }

  /** What every append would throw, where the store takes none. */
  get readOnly(): HoldfastError | null {
    return this.#store.readOnly ?? null;
  }

  /** What is wrong with the store beside its rows, or null. */
  async check(): Promise<string | null> {
    return (await this.#store.check?.()) ?? null;
  }

  commandKey(): Promise<string> {
    return this.#store.commandKey();
  }

  /**
   * Goes on from a cached fold, so that only what follows it has to be read. One that does not
   * check out is thrown away, and everything is read from the beginning.
   *
   * @returns the folded state, or null where there is none to trust
   */
  async restore(foldVersion: number): Promise<unknown> {
    const snapshot = await this.#store.readSnapshot();
    if (snapshot === null) return null;
    const extent = await this.#store.extent();
    this.#rewind(extent);
    // What was taken out meanwhile must not come back by way of what was read before.
    if (snapshot.seq < extent.rewritten) return null;
    const [row] = await this.#store.read(snapshot.seq - 1, 1);
    if (!isTrustworthy(snapshot, foldVersion, row, this.#sha256)) {
      await this.#store.writeSnapshot(null);
      return null;
    }
    const { state, runSeqs } = JSON.parse(snapshot.text) as SnapshotContent;
    this.#head = { seq: snapshot.seq, hash: snapshot.hash };
    this.#checkedFrom = snapshot.seq + 1;
    // That events before the first one were removed rightly was checked before it was made.
    this.#accounts = new Accounts();
    this.#runSeqs = new Map(runSeqs);
    return state;
  }

  /** Caches a folded state for `restore`. It has to be the fold of everything up to `head`. */
  async snapshot(foldVersion: number, state: unknown): Promise<void> {
    const content: SnapshotContent = { state, runSeqs: [...this.#runSeqs] };
    const text = JSON.stringify(content);
    await this.#store.writeSnapshot(snapshotOf(this.#head, foldVersion, text, this.#sha256));
  }

  /**
   * Checks the events from `seq` on that a snapshot stood for, as `catchUp` would have. Damage is
   * said in `damage` and stops every append from then on.
   */
  async checkFrom(seq: number): Promise<void> {
    const first = Math.max(this.#start.seq + 1, seq);
    if (this.#damage !== null || first >= this.#checkedFrom) return;
    let before: Head | null = first === this.#start.seq + 1 ? this.#start : null;
    for await (const row of this.rows(first - 1)) {
      if (row.header.seq >= this.#checkedFrom) break;
      before ??= { seq: first - 1, hash: row.header.prev };
      this.#damage = checkRow(before, row, this.#sha256);
      if (this.#damage !== null) return;
      before = headOf(row);
      this.#accounts.note(row);
    }
    const checked = before?.seq ?? 0;
    this.#damage =
      checked === this.#checkedFrom - 1
        ? (this.#accounts.problems()[0] ?? null)
        : missingTail({ seq: checked, hash: before?.hash ?? "" }, this.#head);
    this.#checkedFrom = first;
  }

  /**
   * Reads on to the end, giving each checked event to `each`. Stops at the first that does not
   * check out and says so in `damage`: what was given before it is sound.
   *
   * @param restart what was given so far is no more, since something in it was taken out; everything
   * that is left comes again
   */
  async catchUp(each: (event: StoredEvent) => void, restart: () => void = () => {}): Promise<void> {
    while (this.#damage === null) {
      const extent = await this.#store.extent();
      if (extent.rewritten !== this.#rewritten) {
        this.#rewind(extent);
        restart();
      }
      const isBehind = extent.head.seq > this.#head.seq;
      const rows = isBehind ? await this.#store.read(this.#head.seq, READ_BATCH) : [];
      if (rows.length === 0) {
        this.#damage = endsAt(this.#head, extent.head) ?? this.#accounts.problems()[0] ?? null;
        return;
      }
      const problem = this.#accept(rows, each);
      if (problem === null) continue;
      // What was taken out between the two readings is no damage.
      const { rewritten } = await this.#store.extent();
      if (rewritten === this.#rewritten) this.#damage = problem;
    }
  }

  /**
   * Appends what `plan` adds, in one commit that includes what others appended meanwhile. `plan`
   * is synchronous; if it throws, or the commit fails, nothing is stored.
   *
   * @throws OutOfDate, HoldfastError `journal/corrupt` when the chain does not hold, and what the
   * store throws
   */
  async append(
    keys: readonly string[],
    plan: (append: Append) => void,
  ): Promise<readonly StoredEvent[]> {
    this.assertSound();
    let appended: Appended | null = null;
    let damage: Problem | null = null;
    await this.#store.append(this.#head, keys, (view) => {
      // All made anew each time: the store may call this again where it could not commit.
      appended = null;
      const isFarBehind = view.head.seq - this.#head.seq > FAR_BEHIND;
      if (isFarBehind || view.rewritten !== this.#rewritten) return NOTHING;
      const { tail } = view;
      const linker = this.#newLinker();
      const accounts = tail.length === 0 ? this.#accounts : this.#accounts.copy();
      damage = this.#follow(tail, linker, accounts) ?? endsAt(linker.head, view.head);
      if (damage !== null) return NOTHING;
      const events: StoredEvent[] = [];
      let further: Omit<Change, "rows"> = {};
      plan({
        tail: tail.map(storedEvent),
        commandOf: (keyHash) => view.existing.get(keyHash)?.map(storedEvent),
        add: (command) => {
          const linked = linker.link(command);
          events.push(...linked);
          return linked;
        },
        takeOut: (change) => {
          further = { ...further, ...change, lasting: true };
        },
        makeLasting: () => {
          further = { ...further, lasting: true };
        },
      });
      appended = { linker, accounts, events };
      return { rows: linker.linked, ...further };
    });
    if (damage !== null) {
      this.#damage = damage;
      this.assertSound();
    }
    return this.#take(appended);
  }

  /** @throws HoldfastError `journal/corrupt` (or `journal/newer-format`) when reading met damage. */
  assertSound(): void {
    const damage = this.#damage;
    if (damage === null) return;
    if (damage.code === "newer") {
      throw new HoldfastError(
        "journal/newer-format",
        damage.message,
        "Upgrade Holdfast to the version that wrote this journal.",
      );
    }
    throw new HoldfastError(
      "journal/corrupt",
      `The journal is damaged at event ${damage.seq}: ${damage.message} The last sound event is ${Math.min(this.#head.seq, damage.seq - 1)}.`,
      "See what is damaged with `holdfast journal verify`. To go on, move the state folder away and begin anew with `holdfast init`, or import the newest export.",
    );
  }

  /** One row as it is stored, unchecked; null where there is none. */
  async rowAt(seq: number): Promise<EventRow | null> {
    const [row] = await this.#store.read(seq - 1, 1);
    return row?.header.seq === seq ? row : null;
  }

  /** Rows after `afterSeq` as they are stored, in batches, without checking them. */
  async *rows(afterSeq = 0): AsyncGenerator<EventRow> {
    let seq = afterSeq;
    for (;;) {
      const batch = await this.#store.read(seq, READ_BATCH);
      yield* batch;
      const last = batch.at(-1);
      if (last === undefined || batch.length < READ_BATCH) return;
      seq = last.header.seq;
    }
  }

  extent(): Promise<Extent> {
    return this.#store.extent();
  }

  /** Takes an exported journal in; the next `catchUp` reads it from the beginning. */
  importRows(imported: Imported): Promise<Head> {
    return this.#store.importRows(imported);
  }

  /** Removes what was taken out from wherever its bytes may still be. */
  purge(): Promise<void> {
    return this.#store.purge();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #rewind({ start, rewritten }: Extent): void {
    this.#start = start;
    this.#head = start;
    this.#checkedFrom = start.seq + 1;
    this.#runSeqs = new Map();
    this.#accounts = new Accounts(start);
    this.#rewritten = rewritten;
  }

  #accept(rows: readonly EventRow[], each: (event: StoredEvent) => void): Problem | null {
    for (const row of rows) {
      const problem = checkRow(this.#head, row, this.#sha256);
      if (problem !== null) return problem;
      this.#head = headOf(row);
      this.#runSeqs.set(row.header.run, row.header.runSeq);
      this.#accounts.note(row);
      each(storedEvent(row));
    }
    return null;
  }

  #take(appended: Appended | null): readonly StoredEvent[] {
    if (appended === null) throw new OutOfDate();
    this.#head = appended.linker.head;
    this.#accounts = appended.accounts;
    for (const [run, runSeq] of appended.linker.runSeqs) this.#runSeqs.set(run, runSeq);
    return appended.events;
  }

  /** Checks stored events that go on from the head, and says what is wrong with them, or null. */
  #follow(rows: readonly EventRow[], linker: Linker, accounts: Accounts): Problem | null {
    for (const row of rows) {
      const problem = checkRow(linker.head, row, this.#sha256);
      if (problem !== null) return problem;
      linker.follow(row);
      accounts.note(row);
    }
    return accounts.problems()[0] ?? null;
  }

  #newLinker(): Linker {
    const runSeqOf = (run: string) => this.#runSeqs.get(run) ?? 0;
    return new Linker(this.#head, runSeqOf, this.#ports, this.#sha256);
  }

  async #openEmpty(): Promise<void> {
    const extent = await this.#store.extent();
    this.#rewind(extent);
    if (extent.head.seq > 0) return;
    await this.#store.append(EMPTY_HEAD, [], ({ head }) => {
      if (head.seq > 0) return NOTHING;
      return { rows: [openingRow(this.#ports, this.#sha256)] };
    });
  }
}

const NOTHING: Change = { rows: [] };

interface Appended {
  readonly linker: Linker;
  readonly accounts: Accounts;
  readonly events: readonly StoredEvent[];
}

/** What a snapshot's text holds: the reader's state, and what the journal itself has to know. */
interface SnapshotContent {
  readonly state: unknown;
  readonly runSeqs: readonly (readonly [run: string, runSeq: number])[];
}

/** What is wrong where the head record says another end than the one that was found, or null. */
function endsAt(found: Head, recorded: Head): Problem | null {
  if (found.seq === recorded.seq && found.hash === recorded.hash) return null;
  return recorded.seq < found.seq ? missingTail(recorded, found) : missingTail(found, recorded);
}

function missingTail(found: Head, expected: Head): Problem {
  return {
    seq: expected.seq,
    code: "missing-tail",
    message: `The journal should end at event ${expected.seq} (${expected.hash.slice(0, 12)}…) but ends at event ${found.seq} (${found.hash.slice(0, 12)}…).`,
  };
}
