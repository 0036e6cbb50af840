import type { Problem } from "./chain.ts";
import type { EventRow, Header } from "./event.ts";

/** Says which bodies were removed and why; the only event that lets a body be absent. */
const JOURNAL_SHED = "journal.shed";

/**
 * Bodies that are absent although no `journal.shed` names them.
 *
 * The chain holds without a body, since a header carries only its digest. So a body that someone
 * else took out would go unnoticed if its absence had not to be accounted for. The order in which
 * events are noted does not matter.
 */
export class AbsentBodies {
  readonly #absent: Map<number, Header>;
  /** The digests of the bodies that were said to be removed, by event. */
  readonly #accounted: Map<number, unknown>;

  constructor(from?: AbsentBodies) {
    this.#absent = new Map(from === undefined ? [] : from.#absent);
    this.#accounted = new Map(from === undefined ? [] : from.#accounted);
  }

  /** Takes note of an event. */
  note({ header, bodyText }: EventRow): void {
    if (bodyText === null) this.#absent.set(header.seq, header);
    else if (header.type === JOURNAL_SHED) this.#account(JSON.parse(bodyText));
  }

  /** What is absent without a reason, by all events that were noted. */
  problems(): readonly Problem[] {
    return [...this.#absent.values()]
      .filter(({ seq, bodyDigest }) => this.#accounted.get(seq) !== bodyDigest)
      .map(({ seq, type }) => ({
        seq,
        code: "content",
        message: `The content of event ${seq} (${type}) is absent, and no ${JOURNAL_SHED} accounts for it.`,
      }));
  }

  #account(body: { readonly items?: unknown }): void {
    if (!Array.isArray(body.items)) return;
    for (const item of body.items as readonly ShedItem[]) {
      this.#accounted.set(Number(item?.seq), item?.bodyDigest);
    }
  }
}

/** Read from a stored body, so nothing is taken for granted. */
type ShedItem = { readonly seq?: unknown; readonly bodyDigest?: unknown } | null | undefined;
