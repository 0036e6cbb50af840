import type { Sha256 } from "../ports.ts";
import { type EventRow, FORMAT_VERSION, type Head, headerHash, JOURNAL_SHED } from "./event.ts";
import type { Problem } from "./view-schemas.ts";

export type { Problem };

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
