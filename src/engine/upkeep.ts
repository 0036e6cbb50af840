import { HoldfastError, type Refusal } from "../errors.ts";
import { type Journal, OutOfDate } from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import type { ProjectState } from "../task/index.ts";
import type { Asking } from "./answer.ts";
import { UPKEEP_TRIES_MAX } from "./limits.ts";

/** What upkeep of the journal works on, while nothing else of this engine touches it. */
export interface Upkeep {
  readonly journal: Journal;
  readonly sha256: Sha256;
  readonly uuid: () => string;
  /** The text as it may be stored. */
  readonly redact: (text: string) => string;
  /** Folded from everything up to the journal's head. */
  readonly state: () => ProjectState;
  readonly catchUp: () => Promise<void>;
}

/** What became of the bytes that upkeep took out. */
export interface Purged {
  /** Whether they are gone from wherever the store kept them. */
  readonly purged: boolean;
  /** Why they are not; the next opening tries again. */
  readonly purgeProblem: Refusal | null;
}

/** Carries out one piece of upkeep, again where another process changed the past meanwhile. */
export async function onStillPast<T>({ catchUp }: Upkeep, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OutOfDate) || tries === UPKEEP_TRIES_MAX) throw error;
      await catchUp();
    }
  }
}

/** Has the store remove what was taken out. Where it can't just now, that stays to be done. */
export async function purge(journal: Journal): Promise<Purged> {
  try {
    await journal.purge();
    return { purged: true, purgeProblem: null };
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const { code, message, remedy } = error;
    return { purged: false, purgeProblem: { code, message, remedy } };
  }
}

/** Who asks, as events hold it. */
export function askedBy({ session, key }: Asking, { sha256, uuid }: Upkeep) {
  return { session: sha256(session), key: sha256(key ?? uuid()) };
}
