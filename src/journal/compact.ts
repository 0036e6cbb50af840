/** Events that only go together: from the first to the last, or for ever where there is no last. */
export interface Span {
  readonly first: number;
  /** Null for what has not come to its end, and stays with everything after it. */
  readonly last: number | null;
}

/**
 * The event up to which a journal is compacted: the first one that leaves at most `ceiling` events,
 * the one that tells of the compaction among them; else the last one that may be; else null. Cuts no
 * span in two.
 *
 * @param start the event that the first stored one follows
 * @param head the last event
 */
export function cutFor(
  journal: { readonly start: number; readonly head: number },
  ceiling: number,
  spans: readonly Span[],
): number | null {
  const { start, head } = journal;
  if (head - start <= ceiling) return null;
  const wanted = wantedCut(head, ceiling);
  const cut = cutFrom(wanted, spans);
  if (cut !== null && cut <= head) return cut;
  const before = cutBefore(wanted, spans);
  // Taking out a single event would put another one in its place.
  return before - start < 2 ? null : before;
}

/** The last event that has to go, so that no more than `ceiling` are left. */
export function wantedCut(head: number, ceiling: number): number {
  return head + 1 - ceiling;
}

/** The first cut at or after an event, or null where a span never ends. */
function cutFrom(seq: number, spans: readonly Span[]): number | null {
  let cut = seq;
  for (const { first, last } of spans.toSorted((one, other) => one.first - other.first)) {
    if (first > cut) return cut;
    if (last === null) return null;
    cut = Math.max(cut, last);
  }
  return cut;
}

/** The last cut before an event. */
function cutBefore(seq: number, spans: readonly Span[]): number {
  let cut = seq - 1;
  // From the back: whoever reaches over the cut moves it before its own beginning.
  for (;;) {
    const over = spans.filter(({ first, last }) => first <= cut && (last === null || last > cut));
    if (over.length === 0) return cut;
    cut = Math.min(...over.map(({ first }) => first)) - 1;
  }
}
