import stableStringify from "fast-json-stable-stringify";
import { HoldfastError } from "../errors.ts";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from "./limits.ts";

/** A value that JSON can carry unchanged. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
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
  refuseUnfaithful(value, "", 0);
  return stableStringify(value);
}

/**
 * The canonical text of an event's body, which also keeps to the integers that every JSON reader
 * holds exactly.
 *
 * @see RFC 7493 §2.2 (I-JSON): integers within ±(2^53 − 1). From 1e21 on, ECMAScript writes a
 * number with an exponent, so nobody takes it for an exact integer, and it is let through.
 */
export function bodyText(body: JsonObject): string {
  if (Array.isArray(body) || body === null || typeof body !== "object") {
    throw notCanonical("", "a body has to be a JSON object");
  }
  refuseUnfaithful(body, "", 0, true);
  return stableStringify(body);
}

/** The size of a body's canonical text where it is more than a journal takes, else null. */
export function excessBytes(text: string): number | null {
  // A UTF-16 unit takes at most three bytes, so most bodies pass without being measured.
  if (text.length * 3 <= BODY_BYTES_MAX) return null;
  const bytes = new TextEncoder().encode(text).length;
  return bytes > BODY_BYTES_MAX ? bytes : null;
}

const EXPONENT_FROM = 1e21;

function refuseUnfaithful(value: unknown, path: string, depth: number, safeIntegers = false): void {
  switch (typeof value) {
    case "boolean":
      return;
    case "string":
      if (!value.isWellFormed()) throw notCanonical(path, "it holds half of a surrogate pair");
      return;
    case "number":
      if (!Number.isFinite(value)) throw notCanonical(path, `${value} is not a JSON number`);
      if (safeIntegers && Number.isInteger(value) && !Number.isSafeInteger(value)) {
        if (Math.abs(value) < EXPONENT_FROM) {
          throw notCanonical(path, `${value} is an integer beyond 2^53 − 1`);
        }
      }
      return;
    case "object":
      break;
    default:
      throw notCanonical(path, `JSON has no ${typeof value}`);
  }
  if (value === null) return;
  if (depth >= BODY_DEPTH_MAX) {
    throw notCanonical(path, `it nests deeper than ${BODY_DEPTH_MAX} levels`);
  }
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    throw notCanonical(path, "it has a toJSON function");
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    throw notCanonical(path, "it has a name that is a symbol");
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      refuseUnfaithful(value[index], `${path}/${index}`, depth + 1, safeIntegers);
    }
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have another Object.prototype, whose own prototype is null too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw notCanonical(path, "it is not a plain object");
  }
  for (const name of Object.keys(value)) {
    if (!name.isWellFormed()) throw notCanonical(path, "a name holds half of a surrogate pair");
    const inner: unknown = (value as Record<string, unknown>)[name];
    refuseUnfaithful(inner, `${path}/${name}`, depth + 1, safeIntegers);
  }
}

function notCanonical(path: string, why: string): HoldfastError {
  return new HoldfastError(
    "journal/not-canonical",
    `The value at ${path === "" ? "the top" : path.slice(0, 200)} can't be stored exactly: ${why}.`,
    "Pass plain JSON values: well-formed text, finite numbers, integers within ±(2^53 − 1).",
  );
}
