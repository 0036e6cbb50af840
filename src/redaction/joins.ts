import type { Sensitivity } from "./keys.ts";
import { GAP_LENGTH_MAX } from "./limits.ts";

/** A key as it stands in a text, without quotes around it. */
export type KeyInText = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly sensitivity: Sensitivity;
};

/** How a key and its value are joined. */
export type Join = {
  /**
   * `KEY=value`, `key: value`, `"key" => "value"`, `--key value`, `<key>value</key>`. What follows
   * an arrow, or the colon of a computed key, is code unless it is quoted.
   */
  readonly kind: "assignment" | "pair" | "arrow" | "option" | "element";
  /** Where the value begins. */
  readonly at: number;
  readonly isKeyQuoted: boolean;
  /** True when blanks stand before an `=`, as in code and settings, and not in a shell. */
  readonly isSpaced: boolean;
};

const GAP = `[ \\t]{0,${GAP_LENGTH_MAX}}`;
const SEPARATOR = new RegExp(
  `(\\\\*["'\`])?(\\]?)\\*{0,2}(${GAP})(=>|:=|=(?![=~>])|:(?![:=]|//))(?:\\*{2}(?=[ \\t]))?`,
  "y",
);
/** A declaration with a type between key and value: `token: string | null = "…"`. */
const TYPED_DECLARATION = new RegExp(
  `[?!]?:${GAP}[A-Za-z_&][\\w<>[\\].]{0,40}(?: \\| [\\w<>[\\].]{1,40}){0,3}[ \\t]{1,${GAP_LENGTH_MAX}}=${GAP}(?=["'\`])`,
  "y",
);
const OPTION_GAP = new RegExp(
  `\\\\*["'\`](?:,\\s{0,${GAP_LENGTH_MAX}}|[ \\t]{1,${GAP_LENGTH_MAX}})(?=\\\\*["'\`])` +
    `|[ \\t]{1,${GAP_LENGTH_MAX}}(?:\\\\\\r?\\n${GAP})?`,
  "y",
);
/** A command of several words: `TOKEN= npm test` empties a variable, and the blank ends its value. */
const EMPTIED = new RegExp(
  `[ \\t]{1,${GAP_LENGTH_MAX}}[A-Za-z_./][^\\s"'\`]{0,${GAP_LENGTH_MAX}}[ \\t]{1,${GAP_LENGTH_MAX}}\\S`,
  "y",
);
const BLANKS = new RegExp(GAP, "y");
const BLANKS_BEFORE_QUOTE = new RegExp(`\\s{0,${GAP_LENGTH_MAX}}(?=\\\\*["'])`, "y");

/** Reads what stands behind a key; null when it is followed by no value. */
export function joinAfter(text: string, key: KeyInText): Join | null {
  const { end } = key;
  if (text[end] === ">" && text[key.start - 1] === "<") return plainJoin("element", end + 1);
  TYPED_DECLARATION.lastIndex = end;
  if (TYPED_DECLARATION.test(text)) {
    return { ...plainJoin("assignment", TYPED_DECLARATION.lastIndex), isSpaced: true };
  }
  SEPARATOR.lastIndex = end;
  const separator = SEPARATOR.exec(text);
  if (separator !== null) return joinBy(separator, text, SEPARATOR.lastIndex);
  if (!key.text.startsWith("--")) return null;
  OPTION_GAP.lastIndex = end;
  return OPTION_GAP.test(text) ? plainJoin("option", OPTION_GAP.lastIndex) : null;
}

function joinBy(separator: RegExpExecArray, text: string, end: number): Join {
  const isKeyQuoted = separator[1] !== undefined;
  const isSpaced = separator[3] !== "";
  const sign = separator[4];
  const isComputed = separator[2] !== "" && sign === ":";
  const kind = sign === "=>" || isComputed ? "arrow" : sign === ":" ? "pair" : "assignment";
  EMPTIED.lastIndex = end;
  const isEmptied = sign === "=" && !isSpaced && !isKeyQuoted && EMPTIED.test(text);
  return { kind, at: isEmptied ? end : afterBlanks(text, end), isKeyQuoted, isSpaced };
}

function plainJoin(kind: Join["kind"], at: number): Join {
  return { kind, at, isKeyQuoted: false, isSpaced: false };
}

/** A quoted value may stand on the next line, any other only on the same. */
function afterBlanks(text: string, from: number): number {
  for (const blanks of [BLANKS_BEFORE_QUOTE, BLANKS]) {
    blanks.lastIndex = from;
    if (blanks.test(text)) return blanks.lastIndex;
  }
  return from;
}
