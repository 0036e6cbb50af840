import type { Problem } from "./chain.ts";
import type { EventRow, Header } from "./event.ts";

/** Says which bodies were removed and why; the only event that lets a body be absent. */
const JOURNAL_SHED = "journal.shed";

/**
 * Bodies that are absent although no `journal.shed` names them.
 *
 * The chain holds without a body, since a header carries only its digest. So a body that someone
 * else took out would go unnoticed if its absence had not to be accounted for.
 */
export class AbsentBodies {
  readonly #absent = new Map<number, Header>();

  /** Takes note of the next event, in order. */
  note({ header, bodyText }: EventRow): void {
    if (bodyText === null) this.#absent.set(header.seq, header);
    else if (header.type === JOURNAL_SHED) this.#account(JSON.parse(bodyText));
  }

  /** What is absent without a reason, once all events have been noted. */
  problems(): readonly Problem[] {
    return [...this.#absent.values()].map(({ seq, type }) => ({
      seq,
      code: "content",
      message: `The content of event ${seq} (${type}) is absent, and no ${JOURNAL_SHED} accounts for it.`,
    }));
  }

  #account(body: { readonly items?: unknown }): void {
    if (!Array.isArray(body.items)) return;
    for (const item of body.items as readonly ShedItem[]) {
      const seq = Number(item?.seq);
      if (this.#absent.get(seq)?.bodyDigest === item?.bodyDigest) this.#absent.delete(seq);
    }
  }
}

/** Read from a stored body, so nothing is taken for granted. */
type ShedItem = { readonly seq?: unknown; readonly bodyDigest?: unknown } | null | undefined;
