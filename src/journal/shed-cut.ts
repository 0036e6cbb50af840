import type { JsonObject } from "./canonical.ts";
import { SHED_TEXT_MIN } from "./limits.ts";

/** Stands in a shed body wherever a text was taken out. */
export const SHED = "[SHED]";

const LEFT_OUT = /\u2026\[\d+ characters left out\]\u2026/;
const LEFT_OUT_END = " characters left out]\u2026";

/** Stands in a long text where so many characters of its middle were left out. */
export function leftOutMark(characters: number): string {
  return `\u2026[${characters}${LEFT_OUT_END}`;
}

/** Which ends of something that was cut in two hold a part of a text. */
interface CutEnds {
  readonly head: boolean;
  readonly tail: boolean;
}

const NEITHER: CutEnds = { head: false, tail: false };

/** Whether a body, as it is stored, may hold something that was cut. */
export function mayBeCut(standing: string): boolean {
  return standing.includes('"tail":"') || standing.includes(LEFT_OUT_END);
}

/** What an output that is kept as its head and its tail holds of a text where it was cut. */
export function cutEnds({ head, tail, bytes }: JsonObject, text: string): CutEnds {
  if (typeof head !== "string" || typeof tail !== "string") return NEITHER;
  if (meet(head, tail, text)) return { head: true, tail: true };
  // One that is there in two ends may have lost its middle, even where secrets taken out made it longer.
  const isCut = typeof bytes === "number" && (tail !== "" || bytes > bytesOf(head));
  return isCut ? partsBeside(head, tail, text) : NEITHER;
}

/** Whether a string whose middle was left out holds a part of a text right beside it. */
export function isCutWithin(value: string, text: string): boolean {
  if (!value.includes(LEFT_OUT_END)) return false;
  const parts = value.split(LEFT_OUT);
  return parts.slice(1).some((tail, index) => {
    const beside = partsBeside(parts[index] ?? "", tail, text);
    return beside.head || beside.tail;
  });
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function meet(head: string, tail: string, text: string): boolean {
  if (head === SHED || tail === SHED) return false;
  const beside = text.length - 1;
  return (head.slice(-beside) + tail.slice(0, beside)).includes(text);
}

/** Shorter parts than a text may have say nothing of it. */
function partsBeside(head: string, tail: string, text: string): CutEnds {
  return {
    head: head !== SHED && endsWithBeginning(head, text),
    tail: tail !== SHED && beginsWithEnd(tail, text),
  };
}

function endsWithBeginning(head: string, text: string): boolean {
  const shortest = text.slice(0, text.length - text.trimStart().length + SHED_TEXT_MIN);
  const end = head.slice(1 - text.length);
  for (let at = end.indexOf(shortest); at >= 0; at = end.indexOf(shortest, at + 1)) {
    if (text.startsWith(end.slice(at))) return true;
  }
  return false;
}

function beginsWithEnd(tail: string, text: string): boolean {
  const shortest = text.slice(text.trimEnd().length - SHED_TEXT_MIN);
  const beginning = tail.slice(0, text.length - 1);
  for (let at = beginning.indexOf(shortest); at >= 0; at = beginning.indexOf(shortest, at + 1)) {
    if (text.endsWith(beginning.slice(0, at + shortest.length))) return true;
  }
  return false;
}
