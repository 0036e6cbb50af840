import { HoldfastError } from "../errors.ts";
import { bodyText, excessBytes, type JsonObject, type JsonValue } from "./canonical.ts";
import { isSheddable } from "./chain.ts";
import { type EventRow, JOURNAL_SHED, type StoredEvent } from "./event.ts";
import { SHED_EVENT_TEXT_MAX, SHED_LEAVES_MAX } from "./limits.ts";
import type { JournalShed } from "./schemas.ts";
import { cutEnds, isCutWithin, mayBeCut, SHED } from "./shed-cut.ts";

export { SHED };

/** Whether a body of this type can still be read once something else stands in it. */
export type Accepts = (type: string, body: JsonObject) => boolean;

/** One body that is to be taken out, as `journal.shed` lists it. */
export type ShedItem = JournalShed["items"][number];

/** What becomes of one event. */
export interface ShedResult {
  /** Null where its body stays as it is. */
  readonly item: ShedItem | null;
  /** Whether the text is still in it afterwards, where nothing takes it out. */
  readonly remains: boolean;
}

const UNTOUCHED: ShedResult = { item: null, remains: false };

/**
 * Whether an event may hold a text, found without parsing it: escapes are the same character by
 * character, and only what was cut in the middle can hide a part of it.
 */
export function mayHold(row: EventRow, text: string): boolean {
  const standing = row.bodyText ?? row.replacement ?? "";
  const escaped = JSON.stringify(text).slice(1, -1);
  return standing.includes(escaped) || mayBeCut(standing) || isNamedBy(row, text);
}

/** Types of others are the only words in a header that somebody else chose. */
function isNamedBy({ header }: Pick<EventRow, "header">, text: string): boolean {
  return header.type.startsWith("x.") && header.type.includes(text);
}

/**
 * Takes a text out of one event: each string that holds it, a value or a name, is gone whole, and so
 * is each number that holds it. What the journal itself counts in its own events is no such number.
 */
export function shedText(event: StoredEvent, text: string, accepts: Accepts): ShedResult {
  const { header, body } = event;
  const named = isNamedBy(event, text);
  if (body === null) return { item: null, remains: named };
  if (!isSheddable(header.type)) return { item: null, remains: holdsWords(body, text) };
  if (header.type === JOURNAL_SHED) return shedAccount(event, body, text);
  if (!holds(body, text)) return { item: null, remains: named };
  const replacement = acceptable(header.type, withoutText(body, text) as JsonObject, accepts);
  return { item: itemOf(event, replacement), remains: named };
}

/**
 * Takes all free text out of one event: each string that may be any other one. Identifiers, digests
 * and the words of closed lists stay, since the body could not be read without them.
 *
 * @throws HoldfastError `journal/not-sheddable`
 */
export function shedWhole(event: StoredEvent, accepts: Accepts): ShedResult {
  const { header, body } = event;
  const { seq, type } = header;
  if (!isSheddable(type)) {
    throw new HoldfastError(
      "journal/not-sheddable",
      `The content of event ${seq} (${type}) can't be shed: the rest of the journal rests on it.`,
      "Leave it out; only events of tasks and of types of your own can be shed.",
    );
  }
  if (body === null) return UNTOUCHED;
  if (type === JOURNAL_SHED) {
    return body.reason === SHED
      ? UNTOUCHED
      : { item: itemOf(event, { ...body, reason: SHED }), remains: false };
  }
  const leaves = leavesOf(body);
  if (leaves.length > SHED_LEAVES_MAX) return { item: itemOf(event, null), remains: false };
  const free = leaves.filter(
    (path) => valueAt(body, path) !== SHED && accepts(type, withShed(body, path)),
  );
  if (free.length === 0) return UNTOUCHED;
  const replacement = acceptable(type, free.reduce(withShed, body), accepts);
  return { item: itemOf(event, replacement), remains: false };
}

/** The bodies of the `journal.shed` events that list these items: as few as their size allows. */
export function shedEventBodies(items: readonly ShedItem[], reason: string): readonly JsonObject[] {
  const bodies: { readonly items: ShedItem[]; readonly reason: string }[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const length = JSON.stringify(item).length;
    if (size + length > SHED_EVENT_TEXT_MAX) {
      bodies.push({ items: [], reason });
      size = 0;
    }
    size += length;
    bodies.at(-1)?.items.push(item);
  }
  return bodies as unknown as readonly JsonObject[];
}

/**
 * What stands for a `journal.shed` goes on accounting for the bodies that it lists. Of what it put in
 * their place, it keeps nothing that holds the text: that is in the events themselves by now, and
 * they are listed anew.
 */
function shedAccount(event: StoredEvent, body: JsonObject, text: string): ShedResult {
  if (!isList(body.items ?? null)) return { item: null, remains: holds(body, text) };
  const listed = body.items as readonly JsonObject[];
  const isHolding = (item: JsonObject) => holds(item?.replacement ?? null, text);
  const isQuoted = holds(body.reason ?? null, text);
  if (!isQuoted && !listed.some(isHolding)) return { item: null, remains: holdsWords(body, text) };
  const items = listed.map((item) => (isHolding(item) ? { ...item, replacement: null } : item));
  const replacement = { ...body, items, reason: isQuoted ? SHED : (body.reason ?? SHED) };
  const remains = holdsWords(replacement, text);
  if (!isStorable(replacement)) return { item: null, remains: true };
  return { item: itemOf(event, replacement), remains };
}

const itemOf = ({ header }: StoredEvent, replacement: JsonObject | null): ShedItem => ({
  seq: header.seq,
  bodyDigest: header.bodyDigest,
  replacement,
});

/** A body that can't be read, or has no room in a `journal.shed`, stands for nothing. */
function acceptable(type: string, body: JsonObject, accepts: Accepts): JsonObject | null {
  return isStorable(body) && accepts(type, body) ? body : null;
}

/** Whether a `journal.shed` can list it: neither too large nor nested too deep there. */
function isStorable(replacement: JsonObject): boolean {
  try {
    const text = bodyText({ items: [{ replacement }] });
    return text.length <= SHED_EVENT_TEXT_MAX && excessBytes(text) === null;
  } catch (error) {
    if (error instanceof HoldfastError) return false;
    throw error;
  }
}

/** Whether a value holds a text in a string, a name or a number. */
function holds(value: JsonValue, text: string): boolean {
  return typeof value === "object" && value !== null
    ? holdsWithin(value, text, holds)
    : isHeldBy(value, text);
}

/** The same but for numbers. */
function holdsWords(value: JsonValue, text: string): boolean {
  if (typeof value === "number") return false;
  return typeof value === "object" && value !== null
    ? holdsWithin(value, text, holdsWords)
    : isHeldBy(value, text);
}

function holdsWithin(
  value: JsonObject | readonly JsonValue[],
  text: string,
  isHolding: (inner: JsonValue, text: string) => boolean,
): boolean {
  if (isList(value)) return value.some((inner) => isHolding(inner, text));
  const { head, tail } = cutEnds(value, text);
  if (head || tail) return true;
  return Object.entries(value).some(
    ([name, inner]) => name.includes(text) || isHolding(inner, text),
  );
}

function isHeldBy(value: JsonValue, text: string): boolean {
  if (typeof value === "number") return JSON.stringify(value).includes(text);
  return typeof value === "string" && (value.includes(text) || isCutWithin(value, text));
}

function withoutText(value: JsonValue, text: string): JsonValue {
  if (typeof value !== "object" || value === null) return isHeldBy(value, text) ? SHED : value;
  if (isList(value)) return value.map((inner) => withoutText(inner, text));
  const { head, tail } = cutEnds(value, text);
  const whole = { ...value, ...(head && { head: SHED }), ...(tail && { tail: SHED }) };
  const newName = namesBeside(Object.keys(whole).filter((name) => !name.includes(text)));
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]) => [
      name.includes(text) ? newName() : name,
      withoutText(inner, text),
    ]),
  );
}

/** Names for what has lost its own, so that no two are alike. */
function namesBeside(kept: readonly string[]): () => string {
  const taken = new Set(kept);
  let number = 0;
  const next = () => {
    number += 1;
    return number === 1 ? SHED : `${SHED} ${number}`;
  };
  return () => {
    let name = next();
    while (taken.has(name)) name = next();
    return name;
  };
}

type Path = readonly (string | number)[];

function leavesOf(value: JsonValue, path: Path = []): readonly Path[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return isList(value)
    ? value.flatMap((inner, index) => leavesOf(inner, [...path, index]))
    : Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

function valueAt(value: JsonValue, path: Path): JsonValue {
  return path.reduce<JsonValue>((inner, step) => (inner as JsonObject)[step] ?? null, value);
}

function withShed(body: JsonObject, path: Path): JsonObject {
  return replacedAt(body, path) as JsonObject;
}

function replacedAt(value: JsonValue, [step, ...rest]: Path): JsonValue {
  if (step === undefined) return SHED;
  if (isList(value)) {
    return value.map((inner, index) => (index === step ? replacedAt(inner, rest) : inner));
  }
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, name === step ? replacedAt(inner, rest) : inner]),
  );
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
