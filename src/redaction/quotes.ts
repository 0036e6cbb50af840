/** An opening quote with the backslashes before it: text inside JSON text has them. */
const OPENING = /(?:[bBfFrRuU]{1,2}|[$@])?(\\*)(["'`])/y;

/** How far back the beginning of a line is looked for, in characters. */
const LOOK_BACK_MAX = 200;

/** A quoted text: offsets of what stands between the quotes, and the offset behind the closing one. */
export type Quoted = { readonly start: number; readonly end: number; readonly after: number };

/**
 * Reads the quoted text that begins at `at`, or null where none does. Ends at the closing quote of
 * the same depth of escaping, else at the end of the line: output is often cut in the middle.
 */
export function quotedAt(text: string, at: number): Quoted | null {
  OPENING.lastIndex = at;
  const opening = OPENING.exec(text);
  if (opening === null) return null;
  const start = OPENING.lastIndex;
  const end = closingQuote(text, start, opening[2] ?? "", opening[1]?.length ?? 0);
  return { start, end, after: end + (opening[1]?.length ?? 0) + 1 };
}

/** The offset where the text in these quotes ends, from `from` on: before the quote and its backslashes. */
export function closingQuote(text: string, from: number, quote: string, depth: number): number {
  let backslashes = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") {
      backslashes += 1;
      continue;
    }
    if (character === "\n") return at;
    // YAML and SQL write an apostrophe inside single quotes twice.
    if (character === "'" && quote === "'" && text[at + 1] === "'" && at > from) {
      at += 1;
    } else if (character === quote && closes(backslashes, depth)) {
      return at - Math.min(backslashes, depth);
    }
    backslashes = 0;
  }
  return text.length;
}

/**
 * One level of JSON escaping turns n backslashes before a quote into 2n + 1, so a quote of the same
 * depth is preceded by `depth` of them and any number of whole escaped backslashes. Fewer belong to
 * a quote further out, which ends this text as well.
 */
function closes(backslashes: number, depth: number): boolean {
  return backslashes < depth || (backslashes - depth) % (2 * depth + 2) === 0;
}

/**
 * Says that the quote at `at` closes a text that began before `keyStart`, as in
 * `prompt("Your password: ")`. Both signs must speak for it: an odd number of these quotes earlier
 * in the line, and behind it what follows a closed text.
 */
export function closesEarlierText(text: string, keyStart: number, at: number): boolean {
  if (!/["'`][\s,;)\]}+:]/.test(text.slice(at, at + 2))) return false;
  const before = text.slice(Math.max(0, keyStart - LOOK_BACK_MAX), keyStart);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.split(text[at] ?? "").length % 2 === 0;
}
