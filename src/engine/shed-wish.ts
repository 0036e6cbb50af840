import { HoldfastError } from "../errors.ts";
import { SHED, SHED_REASON_MAX, SHED_TEXT_MAX, SHED_TEXT_MIN } from "../journal/index.ts";

/** What is to be shed, by exactly one of `seq` and `text`, and why. */
export interface ShedWish {
  /** Events of which all free text is shed. */
  readonly seq?: number | readonly number[];
  /** A text that is shed from every event. */
  readonly text?: string;
  /** Stands in the journal for good, so it must not hold the text. */
  readonly reason: string;
  /** Only says what would be shed. */
  readonly dryRun?: boolean;
}

/** What a wish is about, known to be fit. */
export type Target =
  | { readonly by: "seq"; readonly seqs: readonly number[] }
  | { readonly by: "text"; readonly text: string };

/** @throws HoldfastError `input/invalid`, `journal/text-unfit` */
export function targetOf(wish: ShedWish): Target {
  const { seq, text } = (wish ?? {}) as ShedWish;
  if ((seq === undefined) === (text === undefined)) {
    throw invalid("Either events or a text are to be shed.", "Pass exactly one of seq and text.");
  }
  if (text !== undefined) return { by: "text", text: fitText(text) };
  const seqs = [...new Set([seq as number | readonly number[]].flat())].toSorted((a, b) => a - b);
  if (seqs.length > 0 && seqs.every((it) => Number.isSafeInteger(it) && it >= 1)) {
    return { by: "seq", seqs };
  }
  throw invalid("Events are named by their numbers.", "Pass seq as 12 or [12, 14].");
}

/** What is said of a text never repeats it: it may be a secret. */
function fitText(text: unknown): string {
  if (typeof text !== "string" || !text.isWellFormed()) {
    throw unfit("The text to shed has to be a well-formed text.", NAME_EVENTS);
  }
  if (text.length > SHED_TEXT_MAX) {
    throw unfit(
      `The text to shed is longer than ${SHED_TEXT_MAX} characters.`,
      `Give a part of it that stands nowhere else: each string that holds it goes whole. Or ${NAME_EVENTS_TOO}`,
    );
  }
  if (text.trim().length < SHED_TEXT_MIN) {
    throw unfit(
      `The text to shed is shorter than ${SHED_TEXT_MIN} characters, so it would be found where nobody means it.`,
    );
  }
  if (SHED.includes(text))
    throw unfit(`The text to shed is part of ${SHED}, which takes its place.`);
  return text;
}

const NAME_EVENTS_TOO = "name the events that hold it: --seq N.";
const NAME_EVENTS = "Name the events that hold it: --seq N.";

const unfit = (message: string, remedy = `Give more of the text, or ${NAME_EVENTS_TOO}`) =>
  new HoldfastError("journal/text-unfit", message, remedy);

/**
 * The reason as it may be stored.
 *
 * @throws HoldfastError `input/invalid`, `journal/reason-holds-text`
 */
export function reasonOf(
  { reason }: ShedWish,
  target: Target,
  redact: (text: string) => string,
): string {
  const isText = typeof reason === "string" && reason.isWellFormed() && reason.trim() !== "";
  if (!isText || reason.length > SHED_REASON_MAX) {
    throw invalid(
      `Shedding needs a reason of 1 to ${SHED_REASON_MAX} characters.`,
      "Say why the content has to go; the reason stays in the journal.",
    );
  }
  if (target.by === "text" && reason.includes(target.text)) {
    throw new HoldfastError(
      "journal/reason-holds-text",
      "The reason holds the very text that is to be shed, and the reason stays in the journal.",
      "Say why without quoting the text.",
    );
  }
  return redact(reason);
}

const invalid = (message: string, remedy: string) =>
  new HoldfastError("input/invalid", message, remedy);
