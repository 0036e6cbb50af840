import { afterScheme, authorizationValue } from "./authorization.ts";
import { bareEnd } from "./bare.ts";
import { isCodeJoin, namesVariable, startsExpression } from "./code.ts";
import { type Join, joinAfter, type KeyInText } from "./joins.ts";
import type { Sensitivity } from "./keys.ts";
import { BARE_LENGTH_MIN, BARE_OUTRIGHT_LENGTH_MIN, PLACEHOLDER_LENGTH_MAX } from "./limits.ts";
import { revealsNothing } from "./placeholders.ts";
import { closesEarlierText, type Quoted, quotedAt } from "./quotes.ts";
import type { Span } from "./spans.ts";

/** Shell and CI syntax that fetches a value when it runs. */
const FETCHED = /\$\(|\$?\{\{/y;

/** A name that stands for a value, as a whole: `<your key>`, `${name}`. */
const STAND_IN = new RegExp(
  `(?:<[^<>\\n]{1,${PLACEHOLDER_LENGTH_MAX}}>` +
    `|\\$\\{[A-Za-z_][\\w.]{0,${PLACEHOLDER_LENGTH_MAX}}\\})(?=[\\s;&|,.)"'\`\\]}]|$)`,
  "y",
);

const FOLDER = /["'`]?(?:[/~]|[A-Za-z]:[\\/])/y;
const ELEMENT_TEXT = /[^<>\r\n]{1,1024}(?=<\/)/y;
const LIST_GAP = /[[,]\s{0,64}/y;
const AWS_SECRET_IN_COLUMNS = /[ \t]{1,64}(?=[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))/y;
const AWS_SECRET_LENGTH = 40;

/** What comes after a key in prose on it, in type declarations and in messages on its state. */
const WORDS_AFTER_COLON: ReadonlySet<string> = new Set([
  ...["accepted", "configured", "disabled", "encrypted", "incorrect", "mismatch", "optional"],
  ...["provided", "rejected", "required", "unavailable", "unchanged", "readonly", "function"],
]);

/** What comes after the name of an option in prose and in help texts. */
const WORDS_AFTER_OPTION: ReadonlySet<string> = new Set([
  ...["a", "an", "and", "argument", "as", "can", "flag", "for", "from", "if", "in", "instead"],
  ...["is", "must", "on", "option", "or", "should", "string", "the", "to", "when", "with"],
]);

/** Adds the secret values that belong to a sensitive key; returns where to go on reading. */
export function findValues(text: string, key: KeyInText, spans: Span[]): number {
  const join = joinAfter(text, key);
  const found = join === null ? awsSecretInColumns(text, key) : valuesAt(text, key, join);
  for (const span of found) spans.push(span);
  return found.at(-1)?.end ?? key.end;
}

function valuesAt(text: string, key: KeyInText, join: Join): readonly Span[] {
  if (isFolder(text, key, join.at)) return [];
  if (join.kind === "element") return elementText(text, join.at);
  if (!join.isKeyQuoted && closesEarlierText(text, key.start, join.at)) return [];
  const quoted = quotedAt(text, join.at);
  if (quoted !== null) return quotedValue(text, key, quoted);
  if (join.isKeyQuoted && text[join.at] === "[") return listedValues(text, key, join.at);
  if (join.kind === "arrow") return [];
  if (key.sensitivity.term === "authorization" && join.kind !== "option") {
    return authorizationValue(text, key, join.at);
  }
  return bareValue(text, key, join);
}

function quotedValue(text: string, key: KeyInText, quoted: Quoted): readonly Span[] {
  const { end } = quoted;
  const hasScheme = key.sensitivity.term === "authorization";
  const start = hasScheme ? afterScheme(text, quoted.start) : quoted.start;
  const value = text.slice(start, end);
  return revealsNothing(value) || isCount(key, value) ? [] : [{ start, end }];
}

/** The texts of a JSON array, as in `"tokens": ["…", "…"]`. */
function listedValues(text: string, key: KeyInText, at: number): readonly Span[] {
  const spans: Span[] = [];
  LIST_GAP.lastIndex = at;
  while (LIST_GAP.test(text)) {
    const quoted = quotedAt(text, LIST_GAP.lastIndex);
    if (quoted === null) break;
    spans.push(...quotedValue(text, key, quoted));
    LIST_GAP.lastIndex = quoted.after;
  }
  return spans;
}

function elementText(text: string, at: number): readonly Span[] {
  ELEMENT_TEXT.lastIndex = at;
  const value = ELEMENT_TEXT.exec(text)?.[0];
  return value === undefined || revealsNothing(value)
    ? []
    : [{ start: at, end: at + value.length }];
}

function bareValue(text: string, key: KeyInText, join: Join): readonly Span[] {
  const { kind, at } = join;
  const inCode = isCodeJoin(join);
  if (startsAt(FETCHED, text, at) || startsAt(STAND_IN, text, at)) return [];
  if (inCode && startsExpression(text, key, at)) return [];
  const end = bareEnd(text, at);
  const value = text.slice(at, end);
  const isKept =
    revealsNothing(value) ||
    namesVariable(value, key.text, inCode, text[end] ?? "") ||
    isCount(key, value) ||
    (inCode && isSmallNumber(key, value)) ||
    (kind === "pair" && isProse(value, key.sensitivity)) ||
    (kind === "option" && (value.startsWith("-") || WORDS_AFTER_OPTION.has(withoutStop(value))));
  return isKept ? [] : [{ start: at, end }];
}

function isProse(value: string, { isOutright }: Sensitivity): boolean {
  const lengthMin = isOutright ? BARE_OUTRIGHT_LENGTH_MIN : BARE_LENGTH_MIN;
  return value.length < lengthMin || WORDS_AFTER_COLON.has(withoutStop(value));
}

function withoutStop(word: string): string {
  return word.replace(/[.:!?]+$/, "");
}

/** `tokens=1500` counts tokens. */
function isCount(key: KeyInText, value: string): boolean {
  return key.sensitivity.isPlural && /^[\d.,_]+$/.test(value);
}

/** `EndOfFileToken = 1` numbers kinds of tokens. */
function isSmallNumber(key: KeyInText, value: string): boolean {
  return !key.sensitivity.isOutright && /^\d{1,4}$/.test(value);
}

/** `PWD=/home/…` is the current folder. */
function isFolder(text: string, key: KeyInText, at: number): boolean {
  return /^pwd$/i.test(key.text) && startsAt(FOLDER, text, at);
}

function awsSecretInColumns(text: string, key: KeyInText): readonly Span[] {
  if (key.sensitivity.term !== "secret_access_key") return [];
  if (!startsAt(AWS_SECRET_IN_COLUMNS, text, key.end)) return [];
  const start = AWS_SECRET_IN_COLUMNS.lastIndex;
  return [{ start, end: start + AWS_SECRET_LENGTH }];
}

function startsAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}
