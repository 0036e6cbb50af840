import { bareEnd, isQuote } from "./bare.ts";
import { namesVariable, startsExpression } from "./code.ts";
import type { KeyInText } from "./joins.ts";
import { BARE_LENGTH_MIN } from "./limits.ts";
import { revealsNothing } from "./placeholders.ts";
import { closingQuote } from "./quotes.ts";
import type { Span } from "./spans.ts";

/** The schemes of RFC 9110 and of common services; the first group takes one word, the rest parameters. */
const SCHEME =
  /(?:(bearer|basic|token|negotiate|ntlm|apikey|jwt)|digest|oauth|hawk|signature|aws4-hmac-sha256)[ \t]+/iy;

/** Where the credentials begin in a quoted header value: behind the scheme, which is no secret. */
export function afterScheme(text: string, start: number): number {
  SCHEME.lastIndex = start;
  return SCHEME.test(text) ? SCHEME.lastIndex : start;
}

/**
 * The credentials of a header that is not quoted. Behind a known scheme they are secret at any
 * length. Other words stay unless they are long.
 */
export function authorizationValue(text: string, key: KeyInText, at: number): readonly Span[] {
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text);
  const start = scheme === null ? at : SCHEME.lastIndex;
  const takesParameters = scheme !== null && scheme[1] === undefined;
  const end = takesParameters ? headerEnd(text, key, start) : bareEnd(text, start);
  const value = text.slice(start, end);
  if (revealsNothing(value)) return [];
  if (scheme !== null) return [{ start, end }];
  if (startsExpression(text, key, at)) return [];
  if (namesVariable(value, key.text, true, text[end] ?? "")) return [];
  return value.length >= BARE_LENGTH_MIN ? [{ start, end }] : secondWord(text, end);
}

/** `Authorization: Custom 1234…`: a scheme that is not known, and its credentials. */
function secondWord(text: string, firstEnd: number): readonly Span[] {
  const start = text[firstEnd] === " " ? firstEnd + 1 : firstEnd;
  const end = bareEnd(text, start);
  const isCredential =
    start > firstEnd && end - start >= BARE_LENGTH_MIN && /\d/.test(text.slice(start, end));
  return isCredential ? [{ start, end }] : [];
}

/** A header given as one quoted argument ends with its quote, any other with its line. */
function headerEnd(text: string, key: KeyInText, from: number): number {
  const quote = text[key.start - 1];
  if (quote !== undefined && isQuote(quote)) {
    return closingQuote(text, from, quote, text[key.start - 2] === "\\" ? 1 : 0);
  }
  const lineEnd = text.slice(from).search(/[\r\n]|\\[rn]/);
  return lineEnd < 0 ? text.length : from + lineEnd;
}
