import type { Join, KeyInText } from "./joins.ts";
import { normaliseKey, sensitivityOf } from "./keys.ts";
import { PLACEHOLDER_LENGTH_MAX } from "./limits.ts";

/** A call, an index or a generic type. */
const EXPRESSION =
  /(?:(?:await|new|typeof)[ \t]{1,8})?[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::)[A-Za-z_$][\w$]*){0,16}(?:\((?:[^\n]{0,200}\)|[ \t]*(?:\n|$))|\[[^\n]{0,200}\]|<[A-Za-z][^\n]{0,200}>)/y;

/** The beginning of an object or an array, and not of a password that begins with a bracket. */
const COLLECTION = /[{[](?:[\s"'`}\]{[]|$|[\w$]{1,64} ?[:,])/y;

/** A name as code has them, such as `request.accessToken`. */
const CODE_NAME = /^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$#][\w$]*)*!?$/;

/** Where code reads settings from, and its own fields. */
const CODE_ROOT =
  /^(?:process\.env|import\.meta\.env|Deno\.env|Bun\.env|os\.environ|this|self|exports|module|secrets|vars|env)\b./;

/** A type or a member of one: `KeyObject`, `Keyword.Type`. No digits, which secrets nearly always have. */
const TYPE_NAME = /^[A-Z][a-z]+(?:\.?[A-Z]+[a-z]+)+$/;

/** Says that the value may be an expression: the joins of code, settings and prose, not those of a shell. */
export function isCodeJoin(join: Join): boolean {
  return join.kind === "pair" || (join.kind === "assignment" && join.isSpaced);
}

/** Says that an expression begins here, which is decided by its first characters alone. */
export function startsExpression(text: string, key: KeyInText, at: number): boolean {
  COLLECTION.lastIndex = at;
  EXPRESSION.lastIndex = at;
  return COLLECTION.test(text) || EXPRESSION.test(text) || isDeclared(text, key);
}

/** `const token = …` and `case "token": …` are followed by code. */
function isDeclared(text: string, key: KeyInText): boolean {
  const before = text.slice(Math.max(0, key.start - 16), key.start);
  return /\b(?:const|let|var|case)\s+["'`]?$/.test(before);
}

/**
 * Says that an unquoted value is the name of a variable, field or type and not a secret, as in
 * `token: CancellationToken,`, `password: options.password` or `--token TOKEN`.
 *
 * @param after the character behind the value, or an empty text
 */
export function namesVariable(value: string, key: string, inCode: boolean, after: string): boolean {
  if (value.length > PLACEHOLDER_LENGTH_MAX || !CODE_NAME.test(value)) return false;
  if (CODE_ROOT.test(value) || value === key) return true;
  if (inCode && ";,)".includes(after) && after !== "" && TYPE_NAME.test(value)) return true;
  const sensitivity = sensitivityOf(value);
  if (sensitivity === null) return false;
  if (/^[A-Z][A-Z_]*$/.test(value)) return true;
  if (!inCode) return false;
  return normaliseKey(value) === sensitivity.term || /[a-z][A-Z]|[.>:]/.test(value);
}
