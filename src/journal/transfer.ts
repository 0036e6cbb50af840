import { HoldfastError } from "../errors.ts";
import type { Sha256 } from "../ports.ts";
import { Accounts } from "./accounts.ts";
import { bodyText, excessBytes } from "./canonical.ts";
import { checkRow } from "./chain.ts";
import { isHeader } from "./checks.generated.ts";
import { EMPTY_HEAD, type EventRow, FORMAT_VERSION, headerText, JOURNAL_OPENED } from "./event.ts";
import { BODY_BYTES_MAX } from "./limits.ts";
import type { Imported } from "./store.ts";

/** One event as a line of an export, without the newline. */
export function exportLine(row: EventRow): string {
  return `{"header":${headerText(row.header)},"hash":"${row.hash}","body":${row.bodyText ?? "null"}}`;
}

export interface ParsedExport extends Imported {
  /** True once the last line turned out to be torn off; it was left out. */
  torn: boolean;
}

/**
 * Reads an export line by line and checks the chain on the way.
 *
 * A last line without its newline that is not even JSON is what a cut-off write leaves: it is left
 * out and `torn` is set. Anything else that does not check out is damage.
 *
 * @throws HoldfastError `journal/import-damaged`, naming the line and the last sound event, and
 * `journal/newer-format`, while `rows` is read
 */
export function parseExport(chunks: Iterable<string>, sha256: Sha256): ParsedExport {
  let accounts = new Accounts();
  const parsed: ParsedExport = {
    torn: false,
    rows: { [Symbol.iterator]: rows },
    replacements: () => accounts.replacements(),
  };
  return parsed;

  function* rows(): Generator<EventRow> {
    let head = EMPTY_HEAD;
    let number = 0;
    const keys = new Set<string>();
    for (const line of linesOf(chunks)) {
      number++;
      if (line.text.length > LINE_MAX) throw damaged(number, head.seq, "no event is that long");
      const value = jsonOf(line.text);
      if (value === undefined && !line.finished) {
        parsed.torn = true;
        break;
      }
      assertReadable(value);
      const row = rowOf(value, line.text);
      if (row === null) {
        throw damaged(number, head.seq, "it is not a whole event in canonical form");
      }
      if (number === 1) {
        if (row.header.seq === 1 && row.header.type !== JOURNAL_OPENED) {
          throw damaged(number, head.seq, `the first event has to be ${JOURNAL_OPENED}`);
        }
        // A compacted journal begins later; a later event has to account for that.
        head = { seq: row.header.seq - 1, hash: row.header.prev };
        accounts = new Accounts(head.seq === 0 ? EMPTY_HEAD : head);
        if (head.seq === 0) head = EMPTY_HEAD;
      }
      const problem = checkRow(head, row, sha256);
      if (problem !== null) throw damaged(number, head.seq, problem.message);
      const { key, seq } = row.header;
      if (key !== null && keys.has(key)) {
        throw damaged(number, head.seq, "its idempotency key was used before");
      }
      if (key !== null) keys.add(key);
      accounts.note(row);
      head = { seq, hash: row.hash };
      yield row;
    }
    if (head.seq === 0) throw damaged(1, 0, "it holds no event");
    const [problem] = accounts.problems();
    if (problem !== undefined) {
      const { seq, message } = problem;
      throw damaged(number - (head.seq - seq), seq - 1, message);
    }
  }
}

/** Characters of the longest line: the largest body and what stands around it. */
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
  throw new HoldfastError(
    "journal/newer-format",
    `Event ${header?.seq} has format version ${header?.v}; this program reads ${FORMAT_VERSION}.`,
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

function* linesOf(chunks: Iterable<string>): Generator<{ text: string; finished: boolean }> {
  let rest = "";
  for (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield { text, finished: true };
    // A line without an end must not fill the memory; the reader stops at this one.
    if (rest.length > LINE_MAX) break;
  }
  if (rest !== "") yield { text: rest, finished: false };
}

function damaged(line: number, lastSound: number, why: string): HoldfastError {
  return new HoldfastError(
    "journal/import-damaged",
    `Line ${line} of the export is damaged: ${why.replace(/\.$/, "")}. The last intact event is ${lastSound}; what follows can't be joined to the chain.`,
    "Make the export again from its journal; nothing was imported.",
  );
}
