import type { Sha256 } from "../ports.ts";
import { Accounts } from "./accounts.ts";
import { checkRow, type Problem } from "./chain.ts";
import { EMPTY_HEAD, type EventRow, type Head } from "./event.ts";
import { PROBLEMS_MAX } from "./limits.ts";

export interface Verification {
  readonly ok: boolean;
  /** Events that were read. */
  readonly events: number;
  /** The last event that was read. */
  readonly head: Head;
  /** The first `PROBLEMS_MAX` problems, in order. */
  readonly problems: readonly Problem[];
}

/**
 * Hashes every event again and checks each link, one event in memory. Goes on after a problem, so
 * that each damaged event is named; a later event is judged against the hash that its neighbour
 * states, not against the damage.
 *
 * @param start the event that the first one follows, where compaction took out those before
 * @param storedHead what the store said its end was before; a shorter chain is a missing tail
 * @param noted a head noted elsewhere, which must be part of this chain
 */
export async function verifyRows(
  rows: AsyncIterable<EventRow> | Iterable<EventRow>,
  sha256: Sha256,
  expected: { readonly start?: Head; readonly storedHead?: Head; readonly noted?: Head } = {},
): Promise<Verification> {
  const problems: Problem[] = [];
  const { start = EMPTY_HEAD, storedHead, noted } = expected;
  let head = start;
  let events = 0;
  const found = new Map<number, string>([[start.seq, start.hash]]);
  const accounts = new Accounts(start);
  for await (const row of rows) {
    const problem = checkRow(head, row, sha256);
    if (problem === null) accounts.note(row);
    else if (problems.length < PROBLEMS_MAX) problems.push(problem);
    head = { seq: row.header.seq, hash: row.hash };
    events++;
    if (head.seq === noted?.seq || head.seq === storedHead?.seq) found.set(head.seq, head.hash);
  }
  problems.push(...accounts.problems());
  const agrees = (wanted: Head) => wanted.seq === 0 || found.get(wanted.seq) === wanted.hash;
  if (storedHead !== undefined && !agrees(storedHead)) {
    problems.push(missing(head, storedHead, "its own head record"));
  }
  if (noted !== undefined && noted.seq > head.seq) {
    problems.push(missing(head, noted, "the given head"));
  } else if (noted !== undefined && !agrees(noted)) {
    const message = `Event ${noted.seq} has the hash ${found.get(noted.seq) ?? "of nothing"}, but ${noted.hash} was noted: this is another journal, or its past was rewritten.`;
    problems.push({ seq: noted.seq, code: "foreign", message });
  }
  const listed = problems.toSorted((a, b) => a.seq - b.seq).slice(0, PROBLEMS_MAX);
  return { ok: listed.length === 0, events, head, problems: listed };
}

function missing(found: Head, wanted: Head, source: string): Problem {
  const message = `By ${source} the journal goes up to event ${wanted.seq} (${wanted.hash}), but it ends at event ${found.seq} (${found.hash}).`;
  return { seq: wanted.seq, code: "missing-tail", message };
}
