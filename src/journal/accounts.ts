import { canonicalText, type JsonValue } from "./canonical.ts";
import type { Problem } from "./chain.ts";
import { EMPTY_HEAD, type EventRow, type Head, type Header } from "./event.ts";

/** Says which bodies were taken out and why; the only event that lets a body be absent. */
export const JOURNAL_SHED = "journal.shed";

/** Says which events were taken out; the only event that lets a journal begin elsewhere than at 1. */
export const JOURNAL_COMPACTED = "journal.compacted";

interface Absence {
  readonly header: Header;
  /** What stands for the body; undefined where that is not known yet, as while an export is read. */
  readonly replacement: string | null | undefined;
}

interface Account {
  readonly bodyDigest: unknown;
  /** Canonical text, or null. */
  readonly replacement: string | null;
}

/**
 * What a journal lacks, and the events that account for it.
 *
 * The chain holds without a body, since a header carries only its digest, and from any event on. So
 * what someone else took out would go unnoticed if its absence had not to be accounted for. The
 * order in which events are noted does not matter.
 */
export class Accounts {
  readonly #start: Head;
  readonly #absent: Map<number, Absence>;
  /** By event; the latest shedding that names it counts. */
  readonly #shed: Map<number, Account & { readonly by: number }>;
  #compacted: { readonly by: number; readonly through: unknown } | null;

  /** @param start the event that the first one follows */
  constructor(start: Head = EMPTY_HEAD, from?: Accounts) {
    this.#start = start;
    this.#absent = new Map(from === undefined ? [] : from.#absent);
    this.#shed = new Map(from === undefined ? [] : from.#shed);
    this.#compacted = from === undefined ? null : from.#compacted;
  }

  copy(): Accounts {
    return new Accounts(this.#start, this);
  }

  /** Takes note of an event. */
  note({ header, bodyText, replacement }: EventRow): void {
    if (bodyText === null) this.#absent.set(header.seq, { header, replacement });
    if (header.type === JOURNAL_SHED) {
      const known = bodyText ?? replacement ?? this.#shed.get(header.seq)?.replacement;
      this.#noteShed(header.seq, known ?? null);
    }
    if (header.type === JOURNAL_COMPACTED && bodyText !== null) {
      if (header.seq < (this.#compacted?.by ?? 0)) return;
      this.#compacted = { by: header.seq, through: JSON.parse(bodyText).through };
    }
  }

  /** What is absent without a reason, by all events that were noted. */
  problems(): readonly Problem[] {
    const prefix = this.#prefixProblem();
    const bodies = [...this.#absent.values()].flatMap((absence) => this.#bodyProblem(absence));
    return prefix === null ? bodies : [prefix, ...bodies];
  }

  /** What stands for each absent body, by the event that accounts for it. */
  replacements(): readonly { readonly seq: number; readonly text: string | null }[] {
    return [...this.#absent.keys()].map((seq) => ({
      seq,
      text: this.#shed.get(seq)?.replacement ?? null,
    }));
  }

  #noteShed(by: number, text: string | null): void {
    const items = text === null ? null : (JSON.parse(text) as { readonly items?: unknown }).items;
    if (!Array.isArray(items)) return;
    for (const item of items as readonly ShedItem[]) {
      const seq = Number(item?.seq);
      if (by < (this.#shed.get(seq)?.by ?? 0)) continue;
      const replacement =
        item?.replacement == null ? null : canonicalText(item.replacement as JsonValue);
      this.#shed.set(seq, { by, bodyDigest: item?.bodyDigest, replacement });
      // A shedding that was itself shed: what stands for it still accounts for the bodies it named.
      const isShedding = this.#absent.get(seq)?.header.type === JOURNAL_SHED;
      if (isShedding) this.#noteShed(seq, replacement);
    }
  }

  #bodyProblem({ header, replacement }: Absence): readonly Problem[] {
    const { seq, type, bodyDigest } = header;
    const account = this.#shed.get(seq);
    if (account === undefined || account.bodyDigest !== bodyDigest) {
      const message = `The content of event ${seq} (${type}) is absent, and no ${JOURNAL_SHED} accounts for it.`;
      return [{ seq, code: "content", message }];
    }
    if (replacement === undefined || replacement === account.replacement) return [];
    const message = `What stands for the content of event ${seq} (${type}) is not what event ${account.by} (${JOURNAL_SHED}) put there.`;
    return [{ seq, code: "content", message }];
  }

  #prefixProblem(): Problem | null {
    const { seq, hash } = this.#start;
    if (seq === 0) return null;
    const through = this.#compacted?.through as
      | { seq?: unknown; hash?: unknown }
      | null
      | undefined;
    if (through?.seq === seq && through.hash === hash) return null;
    const message = `The journal begins after event ${seq}, and no ${JOURNAL_COMPACTED} accounts for those before.`;
    return { seq: seq + 1, code: "gap", message };
  }
}

/** Read from a stored body, so nothing is taken for granted. */
type ShedItem =
  | { readonly seq?: unknown; readonly bodyDigest?: unknown; readonly replacement?: unknown }
  | null
  | undefined;
