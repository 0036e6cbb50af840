import { HoldfastError } from "../errors.ts";
import { EMPTY_HEAD, type Extent, type Head } from "../journal/index.ts";

/** Which events are verified, and against what. */
export interface VerifyOptions {
  /** A head that must be part of the journal. */
  readonly noted?: Head;
  /** The first event; without it the first that is stored. The link to the one before is part of it. */
  readonly from?: number;
  /** The last event. */
  readonly to?: number;
  /** Told now and then how many events have been verified. */
  readonly onProgress?: (events: number) => void;
}

/**
 * What is asked for in the wrong form would be answered as if it had not been asked.
 *
 * @throws HoldfastError `input/invalid`
 */
export function assertVerifyOptions(asked: unknown): void {
  if (typeof asked !== "object" || asked === null) {
    throw invalid(
      "What is verified is said by an object.",
      "Pass { noted, from, to }, or nothing for the whole journal.",
    );
  }
  const { noted, from, to, onProgress } = asked as Partial<Record<keyof VerifyOptions, unknown>>;
  for (const [name, value] of Object.entries({ from, to })) {
    if (value === undefined || isPosition(value)) continue;
    throw invalid(
      `\`${name}\` has to be the number of an event, 1 or more.`,
      "Pass it as a number.",
    );
  }
  if (noted !== undefined && !isHead(noted)) {
    throw invalid(
      "The noted head has to be the number of an event and its hash, 64 lowercase hex digits.",
      "Pass { seq, hash } as `journal.head()` gave it.",
    );
  }
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw invalid("`onProgress` has to be a function.", "Pass one, or leave it out.");
  }
}

const isPosition = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

/** Before the first event there is one hash only. */
function isHead(value: unknown): boolean {
  const { seq, hash } = (value ?? {}) as Partial<Record<keyof Head, unknown>>;
  if (seq === EMPTY_HEAD.seq) return hash === EMPTY_HEAD.hash;
  return isPosition(seq) && typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
}

/**
 * @throws HoldfastError `journal/event-unknown` for events that the journal does not hold,
 * `input/invalid` for a noted head that is not among those asked for
 */
export function assertWithin({ start, head }: Extent, asked: VerifyOptions): void {
  const { noted, from, to } = asked;
  if (from === undefined && to === undefined) return; // All of it, and be that nothing.
  const first = from ?? start.seq + 1;
  const last = to ?? head.seq;
  if (first <= start.seq || last <= start.seq) {
    throw unknown(
      asked,
      `those up to event ${start.seq} were removed by a compaction, and the journal goes up to event ${head.seq}`,
    );
  }
  if (last > head.seq || first > head.seq) {
    throw unknown(asked, `the journal goes up to event ${head.seq}`);
  }
  if (first > last) throw unknown(asked, "a range ends where it begins, or after that");
  if (noted === undefined) return;
  const isBefore = from !== undefined && noted.seq < from - 1;
  const isAfter = to !== undefined && noted.seq > to;
  if (!(isBefore || isAfter)) return;
  throw invalid(
    `The noted head is event ${noted.seq}, which is not among the events ${rangeOf(asked)}.`,
    "Verify a range that holds it, or the whole journal.",
  );
}

function unknown(asked: VerifyOptions, why: string): HoldfastError {
  return new HoldfastError(
    "journal/event-unknown",
    `The events ${rangeOf(asked)} can't be verified: ${why}.`,
    "See the events with `holdfast log`.",
  );
}

/** As it was asked for: an end that was left open is no number. */
function rangeOf({ from, to }: VerifyOptions): string {
  if (from === undefined) return `up to ${to}`;
  return to === undefined ? `from ${from} on` : `${from} to ${to}`;
}

function invalid(message: string, remedy: string): HoldfastError {
  return new HoldfastError("input/invalid", message, remedy);
}
