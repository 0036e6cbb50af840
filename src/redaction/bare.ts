import { REDACTION_MARKER } from "./limits.ts";

/**
 * Where an unquoted value ends. Blanks without a backslash, `;`, `&`, `|`,
 * `<`, a colour code and an escaped line break always end it.
 * Quotes, brackets and commas may belong to the secret: they end it only when something follows
 * that cannot, so that no tail of a secret stays behind.
 */
export function bareEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === "[" && text.startsWith(REDACTION_MARKER, at)) {
      at += REDACTION_MARKER.length;
      continue;
    }
    if (alwaysEnds(text, at, from)) return at;
    if (MAY_END.has(character) && isEndBehind(text, at + 1)) return at;
    if (character === "\\" && isQuote(text[at + 1]) && isEndBehind(text, at + 2)) return at;
    at += character === "\\" && text[at + 1] === " " ? 2 : 1;
  }
  return Math.min(at, text.length);
}

const ENDS: ReadonlySet<string> = new Set(" \t\r\n\v\f\u00a0\u2028\u2029\u001b;&|");
const MAY_END: ReadonlySet<string> = new Set("\"'`,)]}>");
const FOLLOWS_AN_END: ReadonlySet<string> = new Set([...ENDS, ...MAY_END, ..."<.:!?\\"]);

function alwaysEnds(text: string, at: number, from: number): boolean {
  const character = text[at] ?? "";
  if (ENDS.has(character)) return true;
  if (character === "<") return at > from;
  return character === "\\" && (text[at + 1] === "n" || text[at + 1] === "r");
}

function isEndBehind(text: string, at: number): boolean {
  const character = text[at];
  return character === undefined || FOLLOWS_AN_END.has(character);
}

/** One of the three quotation marks of code. */
export function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === "`";
}
