import { sensitivityOf } from "./keys.ts";
import { PLACEHOLDER_LENGTH_MAX, REDACTION_MARKER } from "./limits.ts";

/** Values that say that there is no value, or that it was left out. */
const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set([
  "",
  "null",
  "undefined",
  "none",
  "nil",
  "true",
  "false",
  "0",
  "not-set",
  "unset",
  "placeholder",
  "example",
  "changeme",
  "change-me",
  "redacted",
  "hidden",
  "filtered",
  "masked",
  "shed",
]);

/** Values with a shape that says that something is to be filled in or was left out; punctuation alone. */
const PLACEHOLDER_SHAPE = /^(?:<[^<>\n]*>|\*+|•+|x{3,}|\.{3,}|…|your[-_ ].*|[^\p{L}\p{N}]{1,3})$/iu;

/** Values that only name where the secret is kept: shell, CI, template and PowerShell variables. */
const VARIABLE =
  /^(?:\$[A-Z_][A-Z0-9_]*|\$\{[A-Za-z_][\w.]*\}|%[A-Z_][A-Z0-9_]*%|\$env:\w+|\$?\{\{[^{}\n]*\}\})$/;

/** Says that a value gives no secret away: a placeholder, an empty text, a variable, the marker itself. */
export function revealsNothing(value: string): boolean {
  const bare = value.trim();
  if (bare === REDACTION_MARKER) return true;
  // The longest value that can be kept is a placeholder with its brackets.
  if (bare.length > PLACEHOLDER_LENGTH_MAX + 2) return false;
  const word = bare.replace(/^[[({]+|[\])}.,:;!?]+$/g, "").toLowerCase();
  if (PLACEHOLDER_WORDS.has(word)) return true;
  if (PLACEHOLDER_SHAPE.test(bare) || VARIABLE.test(bare)) return true;
  // In lower case `$name` could be a password that begins with `$`, so the name has to say what it is.
  return /^\$\w+$/.test(bare) && sensitivityOf(bare) !== null;
}
