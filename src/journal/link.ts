import type { Clock, Ids, Sha256 } from "../ports.ts";
import {
  EMPTY_HEAD,
  type EventRow,
  FORMAT_VERSION,
  type Head,
  headOf,
  JOURNAL_OPENED,
  JOURNAL_STREAM,
  type LinkedEvent,
  linkEvent,
  type NewEvent,
  type StoredEvent,
} from "./event.ts";

export interface JournalPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Defaults to plain JavaScript. */
  readonly sha256?: Sha256;
}

/** Follows a chain from a point on and links new events to its end, without storing anything. */
export class Linker {
  readonly #ports: JournalPorts;
  readonly #sha256: Sha256;
  readonly #runSeqBefore: (run: string) => number;
  readonly #runSeqs = new Map<string, number>();
  readonly #linked: EventRow[] = [];
  #head: Head;

  /** @param runSeqBefore the last position in a run as of `head`, 0 for a run that has none */
  constructor(
    head: Head,
    runSeqBefore: (run: string) => number,
    ports: JournalPorts,
    sha256: Sha256,
  ) {
    this.#head = head;
    this.#runSeqBefore = runSeqBefore;
    this.#ports = ports;
    this.#sha256 = sha256;
  }

  get head(): Head {
    return this.#head;
  }

  /** The last position in each run that went on since. */
  get runSeqs(): ReadonlyMap<string, number> {
    return this.#runSeqs;
  }

  /** The rows that were linked, in order. */
  get linked(): readonly EventRow[] {
    return this.#linked;
  }

  /** Goes on from an event that is stored already. */
  follow({ header, hash }: EventRow): void {
    this.#head = { seq: header.seq, hash };
    this.#runSeqs.set(header.run, header.runSeq);
  }

  /**
   * Links the events of one command: all of them or, if one can't be stored, none. The first
   * carries the command's key; the others name the first as their cause, unless they name another.
   */
  link(command: readonly NewEvent[]): readonly StoredEvent[] {
    const linked: LinkedEvent[] = [];
    for (const event of command) linked.push(this.#after(event, linked));
    for (const { row } of linked) {
      this.follow(row);
      this.#linked.push(row);
    }
    return linked.map(({ event }) => event);
  }

  /** Links an event to those of the same command, which are not followed yet. */
  #after(given: NewEvent, before: readonly LinkedEvent[]): LinkedEvent {
    const { clock, ids } = this.#ports;
    const cause = given.cause ?? before[0]?.row.header.id ?? null;
    const last = before.at(-1)?.row;
    const ownBefore = before.findLast(({ row }) => row.header.run === given.run)?.row;
    const at = {
      head: last === undefined ? this.#head : headOf(last),
      runSeq: (ownBefore?.header.runSeq ?? this.#runSeqOf(given.run)) + 1,
      id: ids.uuid(),
      at: new Date(clock.now()).toISOString(),
    };
    return linkEvent(cause === given.cause ? given : { ...given, cause }, at, this.#sha256);
  }

  #runSeqOf(run: string): number {
    return this.#runSeqs.get(run) ?? this.#runSeqBefore(run);
  }
}

/** The first row of a new journal. */
export function openingRow(ports: JournalPorts, sha256: Sha256): EventRow {
  const linker = new Linker(EMPTY_HEAD, () => 0, ports, sha256);
  linker.link([
    {
      run: JOURNAL_STREAM,
      type: JOURNAL_OPENED,
      session: null,
      cause: null,
      key: null,
      body: { journal: ports.ids.uuid(), format: FORMAT_VERSION },
    },
  ]);
  return linker.linked[0] as EventRow;
}
