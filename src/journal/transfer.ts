import { HoldfastError } from "../errors.ts";
import type { Sha256 } from "../ports.ts";
import { Accounts } from "./accounts.ts";
import { bodyText, excessBytes } from "./canonical.ts";
import { checkRow } from "./chain.ts";
import { isHeader } from "./checks.generated.ts";
import { EMPTY_HEAD, type EventRow, FORMAT_VERSION, headerText } from "./event.ts";
import { BODY_BYTES_MAX } from "./limits.ts";
import { type Line, linesOf } from "./lines.ts";
import { openingProblem } from "./opening.ts";
import type { Imported } from "./store.ts";

/** One event as a line of an export, without the newline. */
export function exportLine(row: EventRow): string {
  return `{"header":${headerText(row.header)},"hash":"${row.hash}","body":${row.bodyText ?? "null"}}`;
}

/** An export that is being read. */
export interface ParsedExport extends Imported {
  /** Whether the last line turned out to be torn off, and so was left out; known once `rows` ended. */
  readonly torn: boolean;
}

/**
 * Reads an export line by line, as text or as the bytes of its UTF-8, and checks the chain on the way.
 *
 * A last line without its newline that is not even JSON is what a cut-off write leaves: it is left
 * out and `torn` says so. Anything else that does not check out is damage.
 *
 * @throws HoldfastError `journal/import-damaged`, naming the line and the last sound event, and
 * `journal/newer-format`, while `rows` is read
 */
export function parseExport(
  chunks: Iterable<string> | Iterable<Uint8Array>,
  sha256: Sha256,
): ParsedExport {
  let accounts = new Accounts();
  let torn = false;
  return {
    get torn() {
      return torn;
    },
    rows: { [Symbol.iterator]: rows },
    replacements: () => accounts.replacements(),
  };

  function* rows(): Generator<EventRow> {
    /** The event before the first one: compaction may have removed some. */
    let start = EMPTY_HEAD;
    let head = EMPTY_HEAD;
    let number = 0;
    const keys = new Set<string>();
    const lines = linesOf(chunks, LINE_MAX);
    const damaged = (why: string) => damagedAt(number, head.seq, why, lines);
    // Not `for … of`: where a line is damaged, those after it are still looked at.
    for (let line = lines.next(); line.done !== true; line = lines.next()) {
      const { text, end } = line.value;
      number++;
      if (end === "too-long") throw damaged("no event is that long");
      const value = text === null ? undefined : jsonOf(text);
      if (value === undefined && end === "file") {
        torn = true;
        break;
      }
      if (text === null) throw damaged("its bytes are not UTF-8");
      assertReadable(value);
      const row = rowOf(value, text);
      if (row === null) throw damaged("it is not a whole event in canonical form");
      const { key, seq, prev } = row.header;
      if (number === 1) {
        // A compacted journal begins later; a later event has to account for that.
        start = seq === 1 ? EMPTY_HEAD : { seq: seq - 1, hash: prev };
        head = start;
        accounts = new Accounts(start);
      }
      const problem = checkRow(head, row, sha256) ?? openingProblem(row);
      if (problem?.code === "newer") throw newer(problem.message);
      if (problem !== null) throw damaged(problem.message);
      if (key !== null && keys.has(key)) throw damaged("its idempotency key was used before");
      if (key !== null) keys.add(key);
      accounts.note(row);
      head = { seq, hash: row.hash };
      yield row;
    }
    if (head.seq === 0) throw damagedAt(1, 0, "it holds no event", lines);
    const [problem] = accounts.problems();
    if (problem !== undefined) {
      const { seq, message } = problem;
      throw damagedAt(seq - start.seq, seq - 1, message, lines);
    }
  }
}

/** Characters or bytes of the longest line: the largest body and what stands around it. */
const LINE_MAX = BODY_BYTES_MAX + 4_096;

/** Undefined for what is not JSON. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // The caller tells a torn line from a damaged one.
  }
}

/** @throws HoldfastError `journal/newer-format` */
function assertReadable(value: unknown): void {
  const { header } = (value ?? {}) as { header?: { seq?: unknown; v?: unknown } | null };
  if (!Number.isInteger(header?.v) || Number(header?.v) <= FORMAT_VERSION) return;
  throw newer(
    `Event ${header?.seq} has format version ${header?.v}; this program reads ${FORMAT_VERSION}.`,
  );
}

function newer(message: string): HoldfastError {
  return new HoldfastError(
    "journal/newer-format",
    message,
    "Upgrade Holdfast to the version that wrote this export.",
  );
}

/** Null unless the line is, to the byte, what an export writes: so nothing is lost in a number. */
function rowOf(value: unknown, line: string): EventRow | null {
  if (typeof value !== "object" || value === null) return null;
  const { header, hash, body } = value as Record<string, unknown>;
  if (!isHeader(header) || !isTime(header.at) || typeof hash !== "string") return null;
  try {
    const text = body === null ? null : bodyText(body as never);
    if (text !== null && excessBytes(text) !== null) return null;
    const row: EventRow = { header, hash, bodyText: text };
    return exportLine(row) === line ? row : null;
  } catch (error) {
    if (error instanceof HoldfastError) return null; // A body that JSON can't carry exactly.
    throw error;
  }
}

/** Whether such a day and hour exists, so that a store may keep the time as a number. */
function isTime(at: string): boolean {
  const time = new Date(at);
  return !Number.isNaN(time.getTime()) && time.toISOString() === at;
}

function damagedAt(
  line: number,
  lastSound: number,
  why: string,
  after: Iterable<Line>,
): HoldfastError {
  return new HoldfastError(
    "journal/import-damaged",
    `Line ${line} of the export is damaged: ${why.replace(/\.$/, "")}. The last intact event is ${lastSound}; ${whatFollows(after)} can't be joined to the chain.`,
    "Make the export again from its journal; nothing was imported.",
  );
}

/** Names the events on the lines after the damage, as far as these say what they are. */
function whatFollows(after: Iterable<Line>): string {
  let first: number | null = null;
  let last = 0;
  for (const { text } of after) {
    const { header } = (jsonOf(text ?? "") ?? {}) as { header?: { seq?: unknown } | null };
    if (!Number.isSafeInteger(header?.seq)) continue;
    last = Number(header?.seq);
    first ??= last;
  }
  if (first === null) return "what follows";
  return first === last ? `event ${first} after it` : `events ${first} to ${last} after it`;
}
