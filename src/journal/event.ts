import { HoldfastError } from "../errors.ts";
import type { Sha256 } from "../ports.ts";
import { canonicalBody, excessBytes, type JsonObject, type JsonValue } from "./canonical.ts";
import { isHeader } from "./checks.generated.ts";
import { BODY_BYTES_MAX } from "./limits.ts";
import type { Header } from "./schemas.ts";
import type { Head } from "./view-schemas.ts";

/** The format version that this code writes. */
export const FORMAT_VERSION = 1;

/** Events that belong to no run stand in this stream. */
export const JOURNAL_STREAM = "-";

/** `prev` of the first event. */
export const GENESIS_HASH = "0".repeat(64);

/** The type of the first event; its body carries the journal's random id. */
export const JOURNAL_OPENED = "journal.opened";

/** Says which bodies were taken out and why; the only event that lets a body be absent. */
export const JOURNAL_SHED = "journal.shed";

/** Says which events were taken out; the only event that lets a journal begin elsewhere than at 1. */
export const JOURNAL_COMPACTED = "journal.compacted";

/** Separates this hash from every other use of SHA-256 (domain separation). */
const HASH_DOMAIN = "holdfast.journal.v1\n";

export type { Head, Header };

/** One event as a store keeps it: the body is the very text that was hashed, null once shed. */
export interface EventRow {
  readonly header: Header;
  readonly hash: string;
  readonly bodyText: string | null;
  /** Canonical text that stands for a body that was shed; null or left out where none does. */
  readonly replacement?: string | null;
}

/** One event as readers get it. */
export interface StoredEvent {
  readonly header: Header;
  readonly hash: string;
  /** Once shed: what stands for it, or null. */
  readonly body: JsonObject | null;
  /** True once the body was shed: it is not the one that was written. */
  readonly shed?: true;
}

/** What a writer says; the journal adds seq, id, runSeq, at, digest, prev and hash. */
export interface NewEvent {
  readonly run: string;
  readonly type: string;
  /** SHA-256 of the session id, or null. */
  readonly session: string | null;
  readonly cause: string | null;
  /** SHA-256 of the idempotency key, or null. */
  readonly key: string | null;
  readonly body: JsonObject;
}

export const EMPTY_HEAD: Head = { seq: 0, hash: GENESIS_HASH };

/** Where a chain stands at an event. */
export function headOf({ header, hash }: Pick<EventRow, "header" | "hash">): Head {
  return { seq: header.seq, hash };
}

const text = (value: string | null) => (value === null ? "null" : `"${value}"`);

/**
 * The header's canonical text, its keys already in order. Nothing is escaped: the header's schema
 * gives each text an alphabet that needs no escape, so only what it accepts may come here.
 */
export function headerText(header: Header): string {
  return (
    `{"at":"${header.at}","bodyDigest":"${header.bodyDigest}","cause":${text(header.cause)},` +
    `"id":"${header.id}","key":${text(header.key)},"prev":"${header.prev}","run":"${header.run}",` +
    `"runSeq":${header.runSeq},"seq":${header.seq},"session":${text(header.session)},` +
    `"type":"${header.type}","v":${header.v}}`
  );
}

/** The hash of an event, which the next one carries as `prev`. */
export function headerHash(header: Header, sha256: Sha256): string {
  return sha256(HASH_DOMAIN + headerText(header));
}

/** An event that was linked: as a store keeps it, and as readers get it. */
export interface LinkedEvent {
  readonly row: EventRow;
  readonly event: StoredEvent;
}

/**
 * Makes the event that follows `head`.
 *
 * @throws HoldfastError `input/invalid` for what no header can hold, also if it came from a port;
 * `journal/not-canonical`, `journal/body-too-large`
 */
export function linkEvent(
  event: NewEvent,
  at: { readonly head: Head; readonly runSeq: number; readonly id: string; readonly at: string },
  sha256: Sha256,
): LinkedEvent {
  const body = canonicalBody(event.body);
  assertSize(event.type, body.text);
  const header: Header = {
    v: FORMAT_VERSION,
    seq: at.head.seq + 1,
    id: at.id,
    run: event.run,
    runSeq: at.runSeq,
    type: event.type,
    at: at.at,
    session: event.session,
    cause: event.cause,
    key: event.key,
    bodyDigest: sha256(body.text),
    prev: at.head.hash,
  };
  assertHeader(header);
  const hash = headerHash(header, sha256);
  return { row: { header, hash, bodyText: body.text }, event: { header, hash, body: body.value } };
}

function assertHeader(header: object): void {
  if (isHeader(header)) return;
  throw new HoldfastError(
    "input/invalid",
    `A header field has the wrong form: ${JSON.stringify(header).slice(0, 1_000)}.`,
    "Use a type of [a-z0-9_.:-], UUIDs as id, run and cause, a year of four digits, and SHA-256 hex for session and key.",
  );
}

function assertSize(type: string, body: string): void {
  const bytes = excessBytes(body);
  if (bytes === null) return;
  throw new HoldfastError(
    "journal/body-too-large",
    `The body of ${type} takes ${bytes} bytes; at most ${BODY_BYTES_MAX} are stored.`,
    "Store the content elsewhere and record its digest and size.",
  );
}

/**
 * A row as readers get it. What stands for a shed body is in no hash of this event: where it is no
 * object it was damaged, and nothing stands there.
 *
 * @throws HoldfastError `journal/corrupt` for a body that is no object, which no checked row has
 */
export function storedEvent({ header, hash, bodyText, replacement }: EventRow): StoredEvent {
  if (bodyText === null) {
    return { header, hash, body: objectIn(replacement ?? "null"), shed: true };
  }
  const body = objectIn(bodyText);
  if (body !== null) return { header, hash, body };
  throw new HoldfastError(
    "journal/corrupt",
    `The content of event ${header.seq} (${header.type}) is no JSON object.`,
    "See what is damaged with `holdfast journal verify`, and import the newest export.",
  );
}

/** The object that a stored text says; null where it says none. */
export function objectIn(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return typeof value === "object" && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null; // Only a damaged text is not even JSON.
  }
}
