import type { Sha256 } from "../ports.ts";
import { Accounts, isSoundAccount } from "./accounts.ts";
import { checkRow, type Problem } from "./chain.ts";
import { EMPTY_HEAD, type EventRow, type Head, headOf } from "./event.ts";
import { PROBLEMS_MAX, PROGRESS_EVERY } from "./limits.ts";
import { openingProblem } from "./opening.ts";
import type { Verification } from "./view-schemas.ts";

/** What is known of a journal besides its rows. */
export interface Expected {
  /**
   * The event that the first row follows: where compaction took out those before, or where a range
   * begins.
   */
  readonly start?: Head;
  /** Whether the rows are part of a journal that begins before them. */
  readonly isPart?: boolean;
  /** The last event to verify. Those after it are only looked through for what they say of these. */
  readonly to?: number;
  /** What the store said its end was before; a shorter chain is a missing tail. */
  readonly storedHead?: Head;
  /** A head noted elsewhere, which must be part of this chain. */
  readonly noted?: Head;
  /** Told now and then how many events have been verified. */
  readonly onProgress?: (events: number) => void;
}

/**
 * Hashes every event again and checks each link, one event in memory. Goes on after a problem, so
 * that each damaged event is named; a later event is judged against the hash that its neighbour
 * states, not against the damage.
 */
export async function verifyRows(
  rows: AsyncIterable<EventRow> | Iterable<EventRow>,
  sha256: Sha256,
  expected: Expected = {},
): Promise<Verification> {
  const {
    start = EMPTY_HEAD,
    isPart = false,
    to = Number.POSITIVE_INFINITY,
    onProgress,
  } = expected;
  const { storedHead, noted } = expected;
  const problems: Problem[] = [];
  let problemCount = 0;
  const note = (problem: Problem | null) => {
    if (problem === null) return;
    problemCount++;
    if (problems.length < PROBLEMS_MAX) problems.push(problem);
  };
  let head = start;
  let events = 0;
  const found = new Map<number, string>([[start.seq, start.hash]]);
  const accounts = new Accounts(isPart ? EMPTY_HEAD : start);
  for await (const row of rows) {
    if (row.header.seq > to) {
      if (isSoundAccount(row, sha256)) accounts.note(row);
      continue;
    }
    const problem = checkRow(head, row, sha256);
    note(problem ?? openingProblem(row));
    if (problem === null) accounts.note(row);
    head = headOf(row);
    if (head.seq === noted?.seq || head.seq === storedHead?.seq) found.set(head.seq, head.hash);
    if (++events % PROGRESS_EVERY === 0) onProgress?.(events);
  }
  // These are found at the end only, and may stand before those that are listed already.
  const late = accounts.problems().filter(({ seq }) => seq <= to);
  const agrees = (wanted: Head) => wanted.seq === 0 || found.get(wanted.seq) === wanted.hash;
  if (storedHead !== undefined && !agrees(storedHead)) {
    late.push(missing(head, storedHead, "its own head record"));
  }
  if (noted !== undefined && !agrees(noted)) late.push(disagreeing(noted, start, head, found));
  const listed = [...problems, ...late].toSorted((a, b) => a.seq - b.seq).slice(0, PROBLEMS_MAX);
  const shed = accounts.shed();
  return {
    ok: listed.length === 0,
    events,
    head,
    problems: listed,
    problemCount: problemCount + late.length,
    shed: shed.slice(0, PROBLEMS_MAX),
    shedCount: shed.length,
    removed: isPart ? 0 : start.seq,
  };
}

function disagreeing(
  noted: Head,
  start: Head,
  head: Head,
  found: ReadonlyMap<number, string>,
): Problem {
  const { seq, hash } = noted;
  if (seq > head.seq) return missing(head, noted, "the given head");
  if (seq < start.seq) {
    const message = `Event ${seq} was removed by compaction, so nothing is left to compare ${hash} with, which was noted; the journal begins after event ${start.seq}.`;
    return { seq, code: "removed", message };
  }
  const message = `Event ${seq} has the hash ${found.get(seq) ?? "of nothing"}, but ${hash} was noted: this is another journal, or its past was rewritten.`;
  return { seq, code: "foreign", message };
}

function missing(found: Head, wanted: Head, source: string): Problem {
  const message = `By ${source} the journal goes up to event ${wanted.seq} (${wanted.hash}), but it ends at event ${found.seq} (${found.hash}).`;
  return { seq: wanted.seq, code: "missing-tail", message };
}
