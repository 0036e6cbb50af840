import { KEY_TRIGGER_SOURCE, sensitivityOf } from "./keys.ts";
import { KEY_LENGTH_MAX, REDACTION_MARKER } from "./limits.ts";
import type { Span } from "./spans.ts";
import { findValues } from "./values.ts";

const KEY_TRIGGER = new RegExp(KEY_TRIGGER_SOURCE, "gi");

/**
 * Adds where the text holds a value that is secret because of the key before it: `KEY=value`,
 * `"key": "value"`, `--key value`, `?key=value`, `Authorization: …`. No key is named before `from`.
 *
 * Reads forward only: each character belongs to at most one key and one value that is taken, and a
 * value that is left alone is short or ends before the next key.
 */
export function findLabelledValues(text: string, from: number, spans: Span[]): void {
  KEY_TRIGGER.lastIndex = from;
  let readTo = 0;
  for (let hit = KEY_TRIGGER.exec(text); hit !== null; hit = KEY_TRIGGER.exec(text)) {
    const start = keyStart(text, hit.index, readTo);
    const end = keyEnd(text, KEY_TRIGGER.lastIndex);
    readTo = end;
    const key = text.slice(Math.max(start, end - KEY_LENGTH_MAX), end);
    const sensitivity = isMarker(text, start) ? null : sensitivityOf(key);
    if (sensitivity !== null) {
      readTo = Math.max(end, findValues(text, { text: key, start, end, sensitivity }, spans));
    }
    KEY_TRIGGER.lastIndex = readTo;
  }
}

function keyStart(text: string, from: number, readTo: number): number {
  let start = from;
  while (start > readTo && isKeyCharacter(text.charCodeAt(start - 1))) start -= 1;
  // The first letter may be the end of an escape: `\n` in JSON text, `m` after `ESC[31` in coloured output.
  if (text[start - 1] === "\\" && "nrt".includes(text[start] ?? "-")) return start + 1;
  // A property given to the JVM or to a build tool: `-Dpassword=…`.
  if (/^-[DP][a-z]/.test(text.slice(start, start + 3))) return start + 2;
  const colour = /\[(?:\d+;)*$/.exec(text.slice(Math.max(0, start - 16), start));
  const rest = colour === null ? null : /^\d*m/.exec(text.slice(start, start + 4));
  return start + (rest?.[0].length ?? 0);
}

function keyEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isKeyCharacter(text.charCodeAt(end))) end += 1;
  return end;
}

/** Letters, digits, `_`, `.` and `-`. */
function isKeyCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

/** The marker itself reads like a key. */
function isMarker(text: string, start: number): boolean {
  return text[start - 1] === "[" && text.startsWith(REDACTION_MARKER, start - 1);
}
