import { HoldfastError } from "../errors.ts";
import {
  type Append,
  type Head,
  headOf,
  type Journal,
  type Problem,
  type StoredEvent,
} from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import type { Asking } from "./answer.ts";
import type { Fold } from "./fold.ts";
import { assertAsking } from "./input.ts";
import { decidedUpToDate } from "./out-of-date.ts";
import type { Purged, ToldFailure } from "./view-schemas.ts";

/** What upkeep of the journal works on, while nothing else of this engine touches it. */
export interface Upkeep {
  readonly journal: Journal;
  readonly sha256: Sha256;
  readonly uuid: () => string;
  /** The text as it may be stored. */
  readonly redact: (text: string) => string;
  /** Of everything up to the journal's head. */
  readonly fold: Fold;
}

/** Who asks, as events hold it. */
export interface AskedBy {
  readonly session: string;
  readonly key: string;
}

/** One piece of upkeep, on what was read of the journal so far. */
export interface Piece<Report> {
  /** Decides under the store's lock. */
  readonly plan: (append: Append, by: AskedBy) => Report;
  /**
   * The answer of the command that used the key before.
   *
   * @throws HoldfastError `journal/key-reused` where that was another one
   */
  readonly repeated: (earlier: readonly StoredEvent[]) => Promise<Report>;
}

/**
 * Carries out one piece of upkeep in one commit, and has the store remove what was taken out.
 *
 * @param prepare reads what the piece needs; asked again where that was out of date under the lock
 * @throws HoldfastError `input/invalid`, `journal/corrupt`, `journal/busy`
 */
export async function carryOut<Report extends object>(
  upkeep: Upkeep,
  { asking, dryRun }: { readonly asking: Asking; readonly dryRun: boolean },
  prepare: () => Promise<Piece<Report>>,
): Promise<Report & Purged> {
  assertAsking(asking);
  const { journal, sha256, uuid } = upkeep;
  journal.assertSound();
  const by = { session: sha256(asking.session), key: sha256(asking.key ?? uuid()) };
  const decide = async () => committed(upkeep, by, await prepare());
  const report = await decidedUpToDate(decide, () => upkeep.fold.catchUp());
  if (dryRun) return { ...report, purged: false, purgeProblem: null };
  return { ...report, ...(await purge(journal)) };
}

async function committed<Report>(
  { journal, fold }: Upkeep,
  by: AskedBy,
  { plan, repeated }: Piece<Report>,
): Promise<Report> {
  let tail: readonly StoredEvent[] = [];
  let answer: () => Report | Promise<Report> = () => {
    throw new Error("The append ended without a report.");
  };
  await journal.append([by.key], (append) => {
    tail = append.tail;
    const earlier = append.commandOf(by.key);
    const report = earlier === undefined ? plan(append, by) : null;
    answer = () => report ?? repeated(earlier ?? []);
  });
  fold.follow(tail);
  return answer();
}

/** Where the journal ends under the lock, before anything is added. */
export function endOf({ tail }: Append, { head }: Journal): Head {
  const last = tail.at(-1);
  return last === undefined ? head : headOf(last);
}

/** Has the store remove what was taken out. Where it can't just now, that stays to be done. */
export async function purge(journal: Journal): Promise<Purged> {
  try {
    await journal.purge();
    return { purged: true, purgeProblem: null };
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return { purged: false, purgeProblem: problemOf(error) };
  }
}

/** The commit that took something out is stored by then, so nothing has to be asked for again. */
function problemOf({ code, message, remedy }: HoldfastError): ToldFailure {
  if (code !== "journal/storage-full") return { code, message, remedy };
  return {
    code,
    message:
      "There is no room left to write the file anew, though all that was asked for is stored.",
    remedy: "Free some space; the next call that opens the journal finishes it.",
  };
}

/** The error where upkeep meets an event that is not as it was written. */
export function damagedAt({ seq, message }: Problem): HoldfastError {
  return new HoldfastError(
    "journal/corrupt",
    `The journal is damaged at event ${seq}, so nothing is taken out of it: ${message}`,
    "See what is damaged with `holdfast journal verify`, and import the newest export.",
  );
}
