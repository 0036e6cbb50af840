import type { Sha256 } from "../ports.ts";
import { canonicalText, type JsonValue } from "./canonical.ts";
import { checkRow, type Problem } from "./chain.ts";
import {
  EMPTY_HEAD,
  type EventRow,
  type Head,
  type Header,
  JOURNAL_COMPACTED,
  JOURNAL_SHED,
  objectIn,
} from "./event.ts";
import type { ShedBody } from "./view-schemas.ts";

interface Absence {
  readonly header: Header;
  /** What stands for the body; undefined where that is not known yet, as while an export is read. */
  readonly replacement: string | null | undefined;
}

/** The event that took a body out. */
interface Origin {
  readonly by: number;
  readonly at: string;
}

interface Account extends Origin {
  readonly reason: string;
  readonly bodyDigest: unknown;
  /** Canonical text, or null. */
  readonly replacement: string | null;
}

interface Compaction {
  readonly by: number;
  readonly through: unknown;
}

/**
 * What a journal lacks, and the events that account for it.
 *
 * The chain holds without a body, since a header carries only its digest, and from any event on. So
 * what someone else took out would go unnoticed if its absence had not to be accounted for. The
 * order in which events are noted does not matter. Only rows that were checked may be noted.
 */
export class Accounts {
  readonly #start: Head;
  readonly #absent: Map<number, Absence>;
  /** By event; the latest shedding that names it counts. */
  readonly #shed: Map<number, Account>;
  #compacted: Compaction | null;
  /** What `journal.compacted` events say of the journal before them, and is not so. */
  readonly #disagreeing: Map<number, Problem>;

  /** @param start the event that the first one follows */
  constructor(start: Head = EMPTY_HEAD, from?: Accounts) {
    this.#start = start;
    this.#absent = new Map(from === undefined ? [] : from.#absent);
    this.#shed = new Map(from === undefined ? [] : from.#shed);
    this.#compacted = from === undefined ? null : from.#compacted;
    this.#disagreeing = new Map(from === undefined ? [] : from.#disagreeing);
  }

  copy(): Accounts {
    return new Accounts(this.#start, this);
  }

  /** Takes note of an event. */
  note({ header, bodyText, replacement }: EventRow): void {
    if (bodyText === null) this.#absent.set(header.seq, { header, replacement });
    if (header.type === JOURNAL_SHED) {
      const known = bodyText ?? replacement ?? this.#shed.get(header.seq)?.replacement;
      this.#noteShed({ by: header.seq, at: header.at }, known ?? null);
    }
    if (header.type === JOURNAL_COMPACTED && bodyText !== null) {
      this.#noteCompacted(header, objectIn(bodyText) ?? {});
    }
  }

  /** What is absent without a reason, by all events that were noted. */
  problems(): readonly Problem[] {
    const prefix = this.#prefixProblem();
    const bodies = [...this.#absent.values()].flatMap((absence) => this.#bodyProblem(absence));
    const others = [...this.#disagreeing.values(), ...bodies];
    return prefix === null ? others : [prefix, ...others];
  }

  /** The bodies that were taken out and are accounted for, in order. */
  shed(): readonly ShedBody[] {
    return [...this.#absent.values()]
      .filter(({ header }) => this.#isAccounted(header))
      .map(({ header: { seq } }) => {
        const { by, at, reason } = this.#shed.get(seq) as Account;
        return { seq, by, at, reason };
      });
  }

  /** What stands for each absent body, by the event that accounts for it. */
  replacements(): readonly { readonly seq: number; readonly text: string | null }[] {
    return [...this.#absent.keys()].map((seq) => ({
      seq,
      text: this.#shed.get(seq)?.replacement ?? null,
    }));
  }

  #noteCompacted({ seq, prev }: Header, { through, headBefore }: StoredCompaction): void {
    if (!isSameHead(headBefore, { seq: seq - 1, hash: prev })) {
      const message = `Event ${seq} (${JOURNAL_COMPACTED}) names another end of the journal before it than the event that it follows.`;
      this.#disagreeing.set(seq, { seq, code: "content", message });
    }
    if (seq >= (this.#compacted?.by ?? 0)) this.#compacted = { by: seq, through };
  }

  #noteShed(origin: Origin, text: string | null): void {
    const { items, reason }: StoredAccount = objectIn(text ?? "null") ?? {};
    if (!Array.isArray(items)) return;
    for (const item of items as readonly StoredItem[]) {
      const seq = Number(item?.seq);
      if (origin.by < (this.#shed.get(seq)?.by ?? 0)) continue;
      const replacement =
        item?.replacement == null ? null : canonicalText(item.replacement as JsonValue);
      const { bodyDigest } = item ?? {};
      this.#shed.set(seq, { ...origin, reason: String(reason), bodyDigest, replacement });
      // A shedding that was itself shed: what stands for it still accounts for the bodies it named.
      const header = this.#absent.get(seq)?.header;
      if (header?.type === JOURNAL_SHED) this.#noteShed({ by: seq, at: header.at }, replacement);
    }
  }

  #isAccounted({ seq, bodyDigest }: Header): boolean {
    return this.#shed.get(seq)?.bodyDigest === bodyDigest;
  }

  #bodyProblem({ header, replacement }: Absence): readonly Problem[] {
    const { seq, type } = header;
    const account = this.#shed.get(seq);
    if (account === undefined || !this.#isAccounted(header)) {
      const message = `The content of event ${seq} (${type}) is absent, and no ${JOURNAL_SHED} accounts for it.`;
      return [{ seq, code: "content", message }];
    }
    if (replacement === undefined || replacement === account.replacement) return [];
    const message = `What stands for the content of event ${seq} (${type}) is not what event ${account.by} (${JOURNAL_SHED}) put there.`;
    return [{ seq, code: "content", message }];
  }

  #prefixProblem(): Problem | null {
    const { seq } = this.#start;
    if (seq === 0 || isSameHead(this.#compacted?.through, this.#start)) return null;
    const message = `The journal begins after event ${seq}, and no ${JOURNAL_COMPACTED} accounts for those before.`;
    return { seq: seq + 1, code: "gap", message };
  }
}

/**
 * The bodies that were taken out of a journal and are accounted for, in order. The rows need not have
 * been checked: what is not as it was written accounts for nothing.
 */
export async function shedBodiesIn(
  rows: AsyncIterable<EventRow>,
  sha256: Sha256,
): Promise<readonly ShedBody[]> {
  const accounts = new Accounts();
  for await (const row of rows) {
    const isAbsent = row.bodyText === null && isSound(row, sha256);
    if (isAbsent || isSoundAccount(row, sha256)) accounts.note(row);
  }
  return accounts.shed();
}

/** Whether a row says why something before it is absent, and is itself as it was written. */
export function isSoundAccount(row: EventRow, sha256: Sha256): boolean {
  const { type } = row.header;
  return (type === JOURNAL_SHED || type === JOURNAL_COMPACTED) && isSound(row, sha256);
}

/** Whether a row is as it was written, by itself: what is before it is not looked at. */
function isSound(row: EventRow, sha256: Sha256): boolean {
  const { seq, prev } = row.header;
  return checkRow({ seq: seq - 1, hash: prev }, row, sha256) === null;
}

function isSameHead(said: unknown, { seq, hash }: Head): boolean {
  const head = (said ?? {}) as { readonly seq?: unknown; readonly hash?: unknown };
  return head.seq === seq && head.hash === hash;
}

/** Read from stored bodies, so nothing is taken for granted. */
interface StoredAccount {
  readonly items?: unknown;
  readonly reason?: unknown;
}

interface StoredCompaction {
  readonly through?: unknown;
  readonly headBefore?: unknown;
}

type StoredItem =
  | { readonly seq?: unknown; readonly bodyDigest?: unknown; readonly replacement?: unknown }
  | null
  | undefined;
