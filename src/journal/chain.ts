import type { Sha256 } from "../ports.ts";
import { type EventRow, FORMAT_VERSION, type Head, headerHash, JOURNAL_SHED } from "./event.ts";

/**
 * What can be wrong with an event.
 *
 * - `content`: the body is not the one that was hashed, or is absent without a reason
 * - `link`: the header, or its link to the event before, is not the one that was hashed
 * - `gap`: an event is missing before this one
 * - `missing-tail`: the journal once went on further than it does now
 * - `foreign`: this is another journal than the one the given head was noted in
 * - `removed`: compaction took out the event that the given head names, so it can't be compared
 * - `store`: the store contradicts itself beside its rows, as in an index; `seq` is 0
 * - `newer`: a newer version wrote this event in another format
 */
export type ProblemCode =
  | "content"
  | "link"
  | "gap"
  | "missing-tail"
  | "foreign"
  | "removed"
  | "store"
  | "newer";

export interface Problem {
  readonly seq: number;
  readonly code: ProblemCode;
  readonly message: string;
}

/**
 * Whether an event's body may be taken out. Everything else rests on the journal's own events, so
 * they stay whole; only what a shedding put in the place of a body can be shed again.
 */
export function isSheddable(type: string): boolean {
  return !type.startsWith("journal.") || type === JOURNAL_SHED;
}

/** Checks the event that has to follow `before`. Null means that it does. */
export function checkRow(before: Head, row: EventRow, sha256: Sha256): Problem | null {
  const { header } = row;
  const { seq } = header;
  if (seq <= before.seq) {
    const message = `Event ${seq} stands after event ${before.seq}: it is doubled or out of order.`;
    return { seq, code: "link", message };
  }
  if (seq > before.seq + 1) {
    const missing = seq - before.seq - 1;
    const what =
      missing === 1 ? `event ${seq - 1} is` : `events ${before.seq + 1} to ${seq - 1} are`;
    return {
      seq,
      code: "gap",
      message: `Event ${seq} follows event ${before.seq}: ${what} missing.`,
    };
  }
  if (header.v !== FORMAT_VERSION) {
    const message = `Event ${seq} has format version ${header.v}; this program reads ${FORMAT_VERSION}.`;
    return { seq, code: "newer", message };
  }
  if (row.bodyText !== null && sha256(row.bodyText) !== header.bodyDigest) {
    const message = `The content of event ${seq} (${header.type}) does not match its digest.`;
    return { seq, code: "content", message };
  }
  if (row.bodyText === null && !isSheddable(header.type)) {
    const message = `The content of event ${seq} (${header.type}) is absent; it is never shed.`;
    return { seq, code: "content", message };
  }
  if (header.prev !== before.hash || headerHash(header, sha256) !== row.hash) {
    const message = `Event ${seq} (${header.type}) does not link to event ${before.seq}: its hash does not fit its header and the hash before it.`;
    return { seq, code: "link", message };
  }
  return null;
}
