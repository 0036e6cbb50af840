import { HoldfastError } from "../errors.ts";
import {
  type EventRow,
  exportLine,
  type Head,
  type Imported,
  type Journal,
  type JsonObject,
  type Problem,
  parseExport,
  type StoredEvent,
  storedEvent,
  type Verification,
  verifyRows,
} from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import type { Command } from "../task/index.ts";
import { type Answer, type Asking, DEFAULT_SESSION } from "./answer.ts";

/** An event of a type of one's own: "x." and then anything a header's type may hold. */
export interface ExtensionEvent {
  readonly type: `x.${string}`;
  readonly body: JsonObject;
}

export interface ImportReport {
  readonly imported: number;
  /** True when a torn last line was left out. */
  readonly torn: boolean;
  readonly head: Head;
}

/** What may be done with the journal itself. */
export class JournalAccess {
  readonly #journal: Journal;
  readonly #sha256: Sha256;
  readonly #dispatch: (command: Command, asking: Asking) => Promise<Answer>;
  readonly #takeOver: (imported: Imported) => Promise<Head>;

  constructor(
    journal: Journal,
    sha256: Sha256,
    dispatch: (command: Command, asking: Asking) => Promise<Answer>,
    takeOver: (imported: Imported) => Promise<Head>,
  ) {
    this.#journal = journal;
    this.#sha256 = sha256;
    this.#dispatch = dispatch;
    this.#takeOver = takeOver;
  }

  /** The end of the journal as it is stored now. */
  async head(): Promise<Head> {
    return (await this.#journal.extent()).head;
  }

  /** What stopped the reading of the journal, or null. Nothing is appended from then on. */
  get damage(): Problem | null {
    return this.#journal.damage;
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
    const answer = await this.#dispatch(
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

  /** Hashes the whole chain again, in constant memory. `noted`: a head that must be part of it. */
  async verify(noted?: Head): Promise<Verification> {
    const { start, head: storedHead } = await this.#journal.extent();
    const verified = await verifyRows(this.#journal.rows(), this.#sha256, {
      start,
      storedHead,
      ...(noted === undefined ? {} : { noted }),
    });
    // Others may have appended meanwhile, and then the head record says so as well.
    const now = await this.head();
    return verified.head.seq <= now.seq ? verified : withEventsBeyond(verified, now);
  }

  /** The journal as JSON lines, one event each, each with its newline. */
  async *export(): AsyncGenerator<string> {
    for await (const row of this.#journal.rows()) yield `${exportLine(row)}\n`;
  }

  /**
   * Takes an exported journal in: whole or not at all, checked while it is read.
   *
   * @throws HoldfastError `journal/import-damaged`, `journal/not-empty`
   */
  async import(chunks: Iterable<string>): Promise<ImportReport> {
    const parsed = parseExport(chunks, this.#sha256);
    const head = await this.#takeOver(parsed);
    return { imported: head.seq, torn: parsed.torn, head };
  }
}

function withEventsBeyond(verified: Verification, head: Head): Verification {
  const seq = head.seq + 1;
  const message = `Event ${seq} stands beyond the journal's own head record, which ends at event ${head.seq}.`;
  return {
    ...verified,
    ok: false,
    problems: [...verified.problems, { seq, code: "link", message }],
  };
}
