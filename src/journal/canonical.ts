import stableStringify from "fast-json-stable-stringify";
import { HoldfastError } from "../errors.ts";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from "./limits.ts";

/** A value that JSON can carry unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A copy of a value, its names in canonical order, and the text of it. */
export interface Canonical<Value extends JsonValue> {
  readonly value: Value;
  readonly text: string;
}

/**
 * The canonical JSON text of a value: keys in UTF-16 code-unit order, no white space, numbers
 * and strings as ECMAScript writes them.
 *
 * @throws HoldfastError `journal/not-canonical` for what JSON would silently change or drop:
 * undefined, functions, symbols, NaN and infinities, lone surrogates, dates, maps, cycles.
 * @see RFC 8785 §3.2
 */
export function canonicalText(value: JsonValue): string {
  return canonical(value, false).text;
}

/**
 * An event's body as it is kept, which also keeps to the integers that every JSON reader holds
 * exactly.
 *
 * @throws HoldfastError `journal/not-canonical`
 * @see RFC 7493 §2.2 (I-JSON): integers within ±(2^53 − 1). From 1e21 on, ECMAScript writes a
 * number with an exponent, so nobody takes it for an exact integer, and it is let through.
 */
export function canonicalBody(body: JsonObject): Canonical<JsonObject> {
  if (Array.isArray(body) || body === null || typeof body !== "object") {
    throw notCanonical("a body has to be a JSON object", null);
  }
  return canonical(body, true);
}

/** The text of `canonicalBody`. */
export function bodyText(body: JsonObject): string {
  return canonicalBody(body).text;
}

/** The size of a body's canonical text where it is more than a journal takes, else null. */
export function excessBytes(text: string): number | null {
  // A UTF-16 unit takes at most three bytes, so most bodies pass without being measured.
  if (text.length * 3 <= BODY_BYTES_MAX) return null;
  const bytes = new TextEncoder().encode(text).length;
  return bytes > BODY_BYTES_MAX ? bytes : null;
}

function canonical<Value extends JsonValue>(value: Value, safeIntegers: boolean): Canonical<Value> {
  const copier = new Copier(safeIntegers);
  const copy = copier.copy(value, 0, null) as Value;
  // Writing it with names in order already takes half the time of sorting them while it is written.
  const text = copier.isInOrder ? JSON.stringify(copy) : stableStringify(copy);
  return { value: copy, text };
}

/** The name under which a value stands, and where that one stands; null at the top. */
type Place = { readonly name: string | number; readonly in: Place } | null;

const EXPONENT_FROM = 1e21;

/** Copies what JSON can carry unchanged, with the names of each object in canonical order. */
class Copier {
  /** Whether the copy has its names in order. An object puts those that are indexes before others. */
  isInOrder = true;
  readonly #safeIntegers: boolean;

  constructor(safeIntegers: boolean) {
    this.#safeIntegers = safeIntegers;
  }

  /** @throws HoldfastError `journal/not-canonical` */
  copy(value: unknown, depth: number, at: Place): JsonValue {
    switch (typeof value) {
      case "boolean":
        return value;
      case "string":
        if (value.isWellFormed()) return value;
        throw notCanonical("it holds half of a surrogate pair", at);
      case "number":
        return this.#number(value, at);
      case "object":
        return value === null ? null : this.#object(value, depth, at);
      default:
        throw notCanonical(`JSON has no ${typeof value}`, at);
    }
  }

  #number(value: number, at: Place): number {
    if (!Number.isFinite(value)) throw notCanonical(`${value} is not a JSON number`, at);
    const isUnsafe = this.#safeIntegers && Number.isInteger(value) && !Number.isSafeInteger(value);
    if (isUnsafe && Math.abs(value) < EXPONENT_FROM) {
      throw notCanonical(`${value} is an integer beyond 2^53 − 1`, at);
    }
    return value === 0 ? 0 : value; // Not -0, which JSON writes as 0.
  }

  #object(value: object, depth: number, at: Place): JsonValue {
    if (depth >= BODY_DEPTH_MAX) {
      throw notCanonical(`it nests deeper than ${BODY_DEPTH_MAX} levels`, at);
    }
    if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
      throw notCanonical("it has a toJSON function", at);
    }
    if (Object.getOwnPropertySymbols(value).length > 0) {
      throw notCanonical("it has a name that is a symbol", at);
    }
    if (Array.isArray(value)) {
      const items: JsonValue[] = [];
      for (let index = 0; index < value.length; index++) {
        items.push(this.copy(value[index], depth + 1, { name: index, in: at }));
      }
      return items;
    }
    if (!isPlain(value)) throw notCanonical("it is not a plain object", at);
    const copy: Record<string, JsonValue> = {};
    for (const name of Object.keys(value).sort()) {
      if (!name.isWellFormed()) throw notCanonical("a name holds half of a surrogate pair", at);
      const inner = (value as Record<string, unknown>)[name];
      this.#set(copy, name, this.copy(inner, depth + 1, { name, in: at }));
    }
    return copy;
  }

  #set(copy: Record<string, JsonValue>, name: string, value: JsonValue): void {
    if (name === "__proto__") {
      Object.defineProperty(copy, name, { ...OWN, value });
      return;
    }
    if (startsWithDigit(name)) this.isInOrder = false;
    copy[name] = value;
  }
}

const OWN = { configurable: true, enumerable: true, writable: true };

function startsWithDigit(name: string): boolean {
  const code = name.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** Objects of another realm have another Object.prototype, whose own prototype is null too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function notCanonical(why: string, at: Place): HoldfastError {
  const names: (string | number)[] = [];
  for (let place = at; place !== null; place = place.in) names.unshift(place.name);
  const where = names.length === 0 ? "the top" : `/${names.join("/")}`.slice(0, 200);
  return new HoldfastError(
    "journal/not-canonical",
    `The value at ${where} can't be stored exactly: ${why}.`,
    "Pass plain JSON values: well-formed text, finite numbers, integers within ±(2^53 − 1).",
  );
}
