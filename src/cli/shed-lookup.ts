import type { Engine } from "../engine/index.ts";
import type { EventRow, ShedBody } from "../journal/index.ts";

/** Tells of an event when and why its body was shed; null of one that has its body. */
export type ShedLookup = (row: EventRow) => Promise<ShedBody | null>;

/** Reads the journal for it once the first event without a body is met, and again where that is new. */
export function shedLookup({ journal }: Engine): ShedLookup {
  let known: ReadonlyMap<number, ShedBody> = new Map();
  return async ({ header: { seq }, bodyText }) => {
    if (bodyText !== null) return null;
    if (!known.has(seq)) {
      const bodies = await journal.shedBodies();
      known = new Map(bodies.map((body) => [body.seq, body]));
    }
    return known.get(seq) ?? null;
  };
}

/** An event as the line of an export; of a shed one also when and why, and what stands for its body. */
export function shownLine(line: string, row: EventRow, shed: ShedBody | null): string {
  if (shed === null) return line;
  const { by, at, reason } = shed;
  const told = JSON.stringify({ by, at, reason }).slice(1, -1);
  return `${line.slice(0, -1)},"shed":{${told},"replacement":${replacementIn(row)}}}`;
}

/** It is in no hash, so in a damaged journal it may be anything. */
function replacementIn({ replacement }: EventRow): string {
  try {
    JSON.parse(replacement ?? "null");
  } catch {
    return "null";
  }
  return replacement ?? "null";
}
