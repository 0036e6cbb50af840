import { HoldfastError } from "../errors.ts";
import {
  type EventRow,
  type Extent,
  exportLine,
  type Head,
  headOf,
  type Imported,
  type Journal,
  type JsonObject,
  OutOfDate,
  PROBLEMS_MAX,
  type Problem,
  parseExport,
  type ShedBody,
  type StoredEvent,
  shedBodiesIn,
  storedEvent,
  type Verification,
  verifyRows,
} from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import type { Command } from "../task/index.ts";
import { type Answer, type Asking, DEFAULT_SESSION } from "./answer.ts";
import { type CompactionWish, compact } from "./compact.ts";
import { decidedUpToDate } from "./out-of-date.ts";
import { shed } from "./shed.ts";
import type { ShedWish } from "./shed-wish.ts";
import type { Upkeep } from "./upkeep.ts";
import { assertVerifyOptions, assertWithin, type VerifyOptions } from "./verify-options.ts";
import type { CompactionReport, ImportReport, ShedReport } from "./view-schemas.ts";

/** An event of a type of one's own: "x." and then anything a header's type may hold. */
export interface ExtensionEvent {
  readonly type: `x.${string}`;
  readonly body: JsonObject;
}

/** What access to a journal goes through, so that it keeps its turn among the commands. */
export interface JournalDoors {
  readonly journal: Journal;
  readonly sha256: Sha256;
  readonly compactionCeiling: number;
  readonly dispatch: (command: Command, asking: Asking) => Promise<Answer>;
  readonly takeOver: (imported: Imported) => Promise<Head>;
  readonly upkeep: <T>(work: (upkeep: Upkeep) => Promise<T>) => Promise<T>;
}

/** What may be done with the journal itself. */
export class JournalAccess {
  readonly #doors: JournalDoors;

  constructor(doors: JournalDoors) {
    this.#doors = doors;
  }

  /** Where the journal begins and ends, as it is stored now. */
  extent(): Promise<Extent> {
    return this.#journal.extent();
  }

  /** The end of the journal as it is stored now. */
  async head(): Promise<Head> {
    return (await this.extent()).head;
  }

  /** What stopped the reading of the journal, or null. Nothing is appended from then on. */
  get damage(): Problem | null {
    return this.#journal.damage;
  }

  /** What every write would throw, where a newer version made the journal; it can be read then. */
  get readOnly(): HoldfastError | null {
    return this.#journal.readOnly;
  }

  /** @throws HoldfastError `journal/newer-format` where a newer version made the journal */
  assertWritable(): void {
    if (this.readOnly !== null) throw this.readOnly;
  }

  /** @throws HoldfastError `journal/corrupt` when the reading of the journal met damage */
  assertSound(): void {
    this.#journal.assertSound();
  }

  /** The last event that was read and checked. */
  get checkedHead(): Head {
    return this.#journal.head;
  }

  /**
   * Appends one event of one's own type, or several in one commit.
   *
   * @throws HoldfastError `journal/type-reserved` for a type that does not begin with "x.",
   * `journal/not-canonical` for a body that JSON can't carry unchanged
   */
  async append(
    given: ExtensionEvent | readonly ExtensionEvent[],
    asking: Asking = { session: DEFAULT_SESSION },
  ): Promise<readonly StoredEvent[]> {
    const events: readonly ExtensionEvent[] = Array.isArray(given) ? given : [given];
    const reserved = events.find(({ type }) => !String(type).startsWith("x."));
    if (reserved !== undefined) {
      throw new HoldfastError(
        "journal/type-reserved",
        `The event type ${JSON.stringify(reserved.type)} is the engine's to write.`,
        'Begin types of your own with "x.".',
      );
    }
    const answer = await this.#doors.dispatch(
      {
        type: "appendExtension",
        events: events.map(({ type, body }) => ({ type, body: body as Record<string, unknown> })),
      },
      asking,
    );
    return answer.events;
  }

  /** Events after `afterSeq` in order, as they are stored and without checking them again. */
  async *read(afterSeq = 0): AsyncGenerator<StoredEvent> {
    for await (const row of this.#journal.rows(afterSeq)) yield storedEvent(row);
  }

  /** Rows as they are stored, unchecked and in order; `bodyText` is null once shed. */
  rows(afterSeq = 0): AsyncIterable<EventRow> {
    return this.#journal.rows(afterSeq);
  }

  /** One row as it is stored, unchecked; null where there is none. */
  rowAt(seq: number): Promise<EventRow | null> {
    return this.#journal.rowAt(seq);
  }

  /**
   * Hashes the chain again, all of it or a part, in constant memory.
   *
   * @throws HoldfastError `journal/event-unknown` for a range that is not within the journal, as it is
   * where its events were removed, `input/invalid` for options of the wrong form and for a noted head
   * outside of the range, `journal/busy` where others went on taking something out
   */
  async verify(asked: VerifyOptions = {}): Promise<Verification> {
    assertVerifyOptions(asked);
    const catchUp = async () => {}; // Each time it is read anew.
    return decidedUpToDate(() => this.#verified(asked), catchUp);
  }

  /** @throws OutOfDate where something was taken out from under the reading */
  async #verified(asked: VerifyOptions): Promise<Verification> {
    const { noted, from, to, onProgress } = asked;
    const extent = await this.#journal.extent();
    assertWithin(extent, asked);
    const start = await this.#eventBefore(from ?? 1, extent);
    const verified = await verifyRows(this.#journal.rows(start.seq), this.#doors.sha256, {
      start,
      isPart: start.seq > extent.start.seq,
      ...(to === undefined ? { storedHead: extent.head } : { to }),
      ...(noted === undefined ? {} : { noted }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    // Others may have appended meanwhile, and then the head record says so as well.
    const { head: now, rewritten } = await this.#journal.extent();
    if (rewritten !== extent.rewritten) throw new OutOfDate();
    const isWhole = from === undefined && to === undefined;
    return [
      verified.head.seq <= now.seq ? null : eventsBeyond(now),
      isWhole ? storeProblem(await this.#journal.check()) : null,
    ].reduce(withProblem, verified);
  }

  /**
   * The journal as JSON lines, one event each, each with its newline.
   *
   * @throws HoldfastError `journal/busy` where something was taken out of it meanwhile
   */
  async *export(): AsyncGenerator<string> {
    const { rewritten } = await this.#journal.extent();
    for await (const row of this.#journal.rows()) yield `${exportLine(row)}\n`;
    if (rewritten === (await this.#journal.extent()).rewritten) return;
    throw new HoldfastError(
      "journal/busy",
      "Another process shed or compacted the journal while it was exported.",
      "Export it again; what was written is not whole.",
    );
  }

  /**
   * Takes an exported journal in, as text or as the bytes of its UTF-8: whole or not at all, checked
   * while it is read.
   *
   * @throws HoldfastError `journal/import-damaged`, `journal/not-empty`
   */
  async import(chunks: Iterable<string> | Iterable<Uint8Array>): Promise<ImportReport> {
    const parsed = parseExport(chunks, this.#doors.sha256);
    const head = await this.#doors.takeOver(parsed);
    const { start } = await this.#journal.extent();
    return { imported: head.seq - start.seq, torn: parsed.torn, head };
  }

  /**
   * Takes a text, or all free text of some events, out of the journal for good: out of its file, its
   * log and its snapshot. The chain stays whole, and a `journal.shed` says when it was done and why.
   *
   * @throws HoldfastError `journal/text-unfit`, `journal/reason-holds-text`, `journal/not-sheddable`,
   * `journal/event-unknown`, `journal/corrupt`, `journal/unknown-event`
   * @example
   * await engine.journal.shed({ text: "TOP-demo-SECRET-42", reason: "a pasted key" });
   */
  shed(wish: ShedWish, asking: Asking = { session: DEFAULT_SESSION }): Promise<ShedReport> {
    return this.#doors.upkeep((upkeep) => shed(upkeep, wish, asking));
  }

  /** The bodies that were shed: by which event, when and why. */
  shedBodies(): Promise<readonly ShedBody[]> {
    return shedBodiesIn(this.#journal.rows(), this.#doors.sha256);
  }

  /**
   * Removes events from the beginning until no more than `ceiling` are left (default: the engine's
   * `compactionCeiling`), as far as every run before has ended. Events that stay keep their number
   * and hash; what decisions need of the others stands in a `journal.compacted`.
   *
   * @throws HoldfastError `journal/corrupt`, `journal/unknown-event`
   */
  compact(
    wish: CompactionWish = {},
    asking: Asking = { session: DEFAULT_SESSION },
  ): Promise<CompactionReport> {
    // Null from JavaScript is as good as nothing.
    const ceiling = wish?.ceiling ?? this.#doors.compactionCeiling;
    return this.#doors.upkeep((upkeep) => compact(upkeep, { ...wish, ceiling }, asking));
  }

  /** Compacts where the journal holds more events than its ceiling; null where it does not. */
  async compactIfAbove(
    asking: Asking = { session: DEFAULT_SESSION },
  ): Promise<CompactionReport | null> {
    const { start, head } = await this.#journal.extent();
    const isAbove = head.seq - start.seq > this.#doors.compactionCeiling;
    return isAbove ? this.compact({}, asking) : null;
  }

  /** The event that one follows, by what is stored of it. */
  async #eventBefore(seq: number, { start }: Extent): Promise<Head> {
    if (seq - 1 <= start.seq) return start;
    const row = await this.#journal.rowAt(seq - 1);
    if (row !== null) return headOf(row);
    // It is missing itself; what the next one says of it is all there is.
    const next = await this.#journal.rowAt(seq);
    return { seq: seq - 1, hash: next?.header.prev ?? "" };
  }

  get #journal(): Journal {
    return this.#doors.journal;
  }
}

function eventsBeyond(head: Head): Problem {
  const seq = head.seq + 1;
  const message = `Event ${seq} stands beyond the journal's own head record, which ends at event ${head.seq}.`;
  return { seq, code: "link", message };
}

function storeProblem(found: string | null): Problem | null {
  if (found === null) return null;
  return { seq: 0, code: "store", message: `What holds the events is damaged: ${found}.` };
}

function withProblem(verified: Verification, problem: Problem | null): Verification {
  if (problem === null) return verified;
  return {
    ...verified,
    ok: false,
    problems: [...verified.problems, problem].slice(0, PROBLEMS_MAX),
    problemCount: verified.problemCount + 1,
  };
}
