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
  refuseUnfaithful(value);
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
    throw notCanonical(here("a body has to be a JSON object"));
  }
  refuseUnfaithful(body, true);
  return stableStringify(body);
}

/** The size of a body's canonical text where it is more than a journal takes, else null. */
export function excessBytes(text: string): number | null {
  // A UTF-16 unit takes at most three bytes, so most bodies pass without being measured.
  if (text.length * 3 <= BODY_BYTES_MAX) return null;
  const bytes = new TextEncoder().encode(text).length;
  return bytes > BODY_BYTES_MAX ? bytes : null;
}

/** What JSON would change or drop, and the names that lead there, outermost first. */
interface Fault {
  readonly path: string[];
  readonly why: string;
}

const EXPONENT_FROM = 1e21;

/** @throws HoldfastError `journal/not-canonical` */
function refuseUnfaithful(value: unknown, safeIntegers = false): void {
  const fault = faultIn(value, 0, safeIntegers);
  if (fault !== null) throw notCanonical(fault);
}

function faultIn(value: unknown, depth: number, safeIntegers: boolean): Fault | null {
  switch (typeof value) {
    case "boolean":
      return null;
    case "string":
      return value.isWellFormed() ? null : here("it holds half of a surrogate pair");
    case "number":
      return numberFault(value, safeIntegers);
    case "object":
      return value === null ? null : objectFault(value, depth, safeIntegers);
    default:
      return here(`JSON has no ${typeof value}`);
  }
}

function numberFault(value: number, safeIntegers: boolean): Fault | null {
  if (!Number.isFinite(value)) return here(`${value} is not a JSON number`);
  if (!safeIntegers || !Number.isInteger(value) || Number.isSafeInteger(value)) return null;
  return Math.abs(value) < EXPONENT_FROM ? here(`${value} is an integer beyond 2^53 − 1`) : null;
}

function objectFault(value: object, depth: number, safeIntegers: boolean): Fault | null {
  if (depth >= BODY_DEPTH_MAX) return here(`it nests deeper than ${BODY_DEPTH_MAX} levels`);
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    return here("it has a toJSON function");
  }
  if (Object.getOwnPropertySymbols(value).length > 0) return here("it has a name that is a symbol");
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = faultIn(value[index], depth + 1, safeIntegers);
      if (fault !== null) return under(String(index), fault);
    }
    return null;
  }
  if (!isPlain(value)) return here("it is not a plain object");
  for (const name of Object.keys(value)) {
    if (!name.isWellFormed()) return here("a name holds half of a surrogate pair");
    const fault = faultIn((value as Record<string, unknown>)[name], depth + 1, safeIntegers);
    if (fault !== null) return under(name, fault);
  }
  return null;
}

/** Objects of another realm have another Object.prototype, whose own prototype is null too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const here = (why: string): Fault => ({ path: [], why });

/** The way is written down only where there is a fault: this is asked of every body. */
function under(name: string, { path, why }: Fault): Fault {
  return { path: [name, ...path], why };
}

function notCanonical({ path, why }: Fault): HoldfastError {
  const at = path.length === 0 ? "the top" : `/${path.join("/")}`.slice(0, 200);
  return new HoldfastError(
    "journal/not-canonical",
    `The value at ${at} can't be stored exactly: ${why}.`,
    "Pass plain JSON values: well-formed text, finite numbers, integers within ±(2^53 − 1).",
  );
}
