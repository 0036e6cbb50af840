import { HoldfastError } from "../errors.ts";
import type { Sha256 } from "../ports.ts";
import { bodyText } from "./canonical.ts";
import { checkRow } from "./chain.ts";
import { isHeader } from "./checks.generated.ts";
import { EMPTY_HEAD, type EventRow, headerText, JOURNAL_OPENED } from "./event.ts";

/** One event as a line of an export, without the newline. */
export function exportLine(row: EventRow): string {
  return `{"header":${headerText(row.header)},"hash":"${row.hash}","body":${row.bodyText ?? "null"}}`;
}

export interface ParsedExport {
  /** True once the last line turned out to be torn off; it was left out. */
  torn: boolean;
  /** Checks each line while it streams. */
  readonly rows: Iterable<EventRow>;
}

/**
 * Reads an export line by line and checks the chain on the way.
 *
 * A last line without its newline that is not a whole event is what a cut-off write leaves: it is
 * left out and `torn` is set. Any finished line that does not check out is damage.
 *
 * @throws HoldfastError `journal/import-damaged`, naming the line and the last sound event, while
 * `rows` is read
 */
export function parseExport(chunks: Iterable<string>, sha256: Sha256): ParsedExport {
  const parsed: ParsedExport = { torn: false, rows: { [Symbol.iterator]: rows } };
  return parsed;

  function* rows(): Generator<EventRow> {
    let head = EMPTY_HEAD;
    let number = 0;
    for (const line of linesOf(chunks)) {
      number++;
      const row = parseLine(line.text);
      if (row === null && !line.finished) {
        parsed.torn = true;
        break;
      }
      if (row === null)
        throw damaged(number, head.seq, "it is not a whole event in canonical form");
      if (number === 1 && row.header.type !== JOURNAL_OPENED) {
        throw damaged(number, head.seq, `the first event has to be ${JOURNAL_OPENED}`);
      }
      const problem = checkRow(head, row, sha256);
      if (problem !== null) throw damaged(number, head.seq, problem.message);
      head = { seq: row.header.seq, hash: row.hash };
      yield row;
    }
    if (head.seq === 0) throw damaged(1, 0, "it holds no event");
  }
}

/** Null unless the line is, to the byte, what an export writes: so nothing is lost in a number. */
function parseLine(line: string): EventRow | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null; // Not JSON: the caller tells a torn line from a damaged one.
  }
  if (typeof value !== "object" || value === null) return null;
  const { header, hash, body } = value as Record<string, unknown>;
  if (!isHeader(header) || typeof hash !== "string") return null;
  try {
    const text = body === null ? null : bodyText(body as never);
    const row: EventRow = { header, hash, bodyText: text };
    return exportLine(row) === line ? row : null;
  } catch (error) {
    if (error instanceof HoldfastError) return null; // A body that JSON can't carry exactly.
    throw error;
  }
}

function* linesOf(chunks: Iterable<string>): Generator<{ text: string; finished: boolean }> {
  let rest = "";
  for (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield { text, finished: true };
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
