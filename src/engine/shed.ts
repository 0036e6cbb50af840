import { HoldfastError } from "../errors.ts";
import {
  type Append,
  canonicalText,
  checkRow,
  type EventRow,
  type Head,
  headOf,
  JOURNAL_SHED,
  JOURNAL_STREAM,
  type Journal,
  mayHold,
  SHED,
  type ShedItem,
  type ShedResult,
  type StoredEvent,
  shedEventBodies,
  shedText,
  shedWhole,
  storedEvent,
} from "../journal/index.ts";
import { canStandFor, evolve } from "../task/index.ts";
import type { Asking } from "./answer.ts";
import { assertUnderstood, keyReused } from "./group.ts";
import { namesTaskByWords, namesTasks } from "./shed-task-ids.ts";
import { reasonOf, type ShedWish, type Target, targetOf } from "./shed-wish.ts";
import { type AskedBy, carryOut, damagedAt, endOf, type Piece, type Upkeep } from "./upkeep.ts";
import type { Purged, ShedReport } from "./view-schemas.ts";

interface Found extends ShedResult {
  readonly seq: number;
  readonly type: string;
  /** The id of a task that it names was made from the text, and goes on saying what it said. */
  readonly namesTask: boolean;
}

interface Plan {
  readonly target: Target;
  readonly reason: string;
  readonly dryRun: boolean;
}

type Report = Omit<ShedReport, keyof Purged>;

/**
 * Takes a text, or all free text of some events, out of the journal for good. The chain stays whole,
 * and an event says what was taken out and why.
 */
export function shed(upkeep: Upkeep, wish: ShedWish, asking: Asking): Promise<ShedReport> {
  const target = targetOf(wish);
  const reason = reasonOf(wish, target, upkeep.redact);
  const dryRun = wish.dryRun === true;
  return carryOut(upkeep, { asking, dryRun }, () =>
    sheddingOf(upkeep, { target, reason, dryRun }, asking),
  );
}

async function sheddingOf(
  upkeep: Upkeep,
  { target, reason, dryRun }: Plan,
  { key }: Asking,
): Promise<Piece<Report>> {
  const { journal } = upkeep;
  const before = await foundUpTo(journal.head.seq, upkeep, target);
  return {
    plan: (append, by) => {
      assertUnderstood(append.tail.reduce(evolve, upkeep.fold.state));
      const found = [...before, ...foundIn(append.tail, target)];
      assertAllFound(found, target);
      const items = found.flatMap(({ item }) => item ?? []);
      const added = dryRun ? [] : shedIn(append, items, reason, by);
      return reportOf(found, added.at(-1) ?? endOf(append, journal));
    },
    repeated: (earlier) => repeated(earlier, { target, reason }, upkeep, key),
  };
}

/** Adds the events that account for the bodies, and has these taken out in the same commit. */
function shedIn(
  append: Append,
  items: readonly ShedItem[],
  reason: string,
  { session, key }: AskedBy,
): readonly Head[] {
  if (items.length === 0) return [];
  const added = append.add(
    shedEventBodies(items, reason).map((body, index) => ({
      run: JOURNAL_STREAM,
      type: JOURNAL_SHED,
      session,
      cause: null,
      key: index === 0 ? key : null,
      body,
    })),
  );
  append.takeOut({
    shed: items.map(({ seq, replacement }) => ({
      seq,
      text: replacement === null ? null : canonicalText(replacement),
    })),
  });
  return added.map(headOf);
}

/**
 * What is found up to an event, read before the store is locked.
 *
 * @throws HoldfastError `journal/corrupt` where it is not as it was written: what stands for it would
 * hide that
 */
async function foundUpTo(
  last: number,
  { journal, sha256 }: Upkeep,
  target: Target,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  for await (const row of rowsToSearch(journal, target)) {
    const { seq, prev } = row.header;
    if (seq > last) break;
    const problem = checkRow({ seq: seq - 1, hash: prev }, row, sha256);
    if (problem !== null) throw damagedAt(problem);
    found.push(foundAt(storedEvent(row), target));
  }
  return found;
}

/** The rows that a shedding may be about, in order. */
async function* rowsToSearch(journal: Journal, target: Target): AsyncGenerator<EventRow> {
  if (target.by === "text") {
    for await (const row of journal.rows()) {
      if (mayHold(row, target.text) || namesTasks(row.header.type)) yield row;
    }
    return;
  }
  for (const seq of target.seqs) {
    const row = await journal.rowAt(seq);
    if (row !== null) yield row;
  }
}

function foundIn(events: readonly StoredEvent[], target: Target): readonly Found[] {
  return events
    .filter(({ header }) => target.by === "text" || target.seqs.includes(header.seq))
    .map((event) => foundAt(event, target));
}

function foundAt(event: StoredEvent, target: Target): Found {
  const { seq, type } = event.header;
  if (target.by === "seq") {
    return { seq, type, ...shedWhole(event, canStandFor), namesTask: false };
  }
  const result = shedText(event, target.text, canStandFor);
  const left = result.item === null ? event.body : result.item.replacement;
  const namesTask = namesTasks(type) && namesTaskByWords(left, target.text);
  return { seq, type, ...result, namesTask };
}

function assertAllFound(found: readonly Found[], target: Target): void {
  if (target.by === "text") return;
  const missing = target.seqs.find((wanted) => !found.some(({ seq }) => seq === wanted));
  if (missing === undefined) return;
  throw new HoldfastError(
    "journal/event-unknown",
    `There is no event ${missing} in the journal.`,
    "See the events with `holdfast log`.",
  );
}

function reportOf(found: readonly Found[], head: Head): Report {
  const shed = found.flatMap(({ seq, type, item }) =>
    item === null ? [] : [{ seq, type, replaced: item.replacement !== null }],
  );
  return { shed, replaced: replacedIn(shed), remaining: remainingIn(found), head };
}

const replacedIn = (shed: Report["shed"]): number => shed.filter((it) => it.replaced).length;

function remainingIn(found: readonly Found[]): Report["remaining"] {
  return found
    .filter(({ remains, namesTask }) => remains || namesTask)
    .map((it) => ({ seq: it.seq, type: it.type, why: whyItRemains(it) }));
}

function whyItRemains({ type, namesTask }: Found): string {
  if (namesTask) {
    return "The task's id was made from it. Where that can't stay, shed the id: nothing is left of the run's beginning then.";
  }
  return type.startsWith("x.")
    ? "The type of the event holds the text, and headers are never changed."
    : "The rest of the journal rests on this event, so what it says stays.";
}

/**
 * The answer of the shedding that used the key before. What was asked for then is stored nowhere: it
 * was this if it has the same reason and nothing is left that this one would shed.
 *
 * @throws HoldfastError `journal/key-reused`
 */
async function repeated(
  earlier: readonly StoredEvent[],
  { target, reason }: Omit<Plan, "dryRun">,
  upkeep: Upkeep,
  key: string | undefined,
): Promise<Report> {
  const { journal } = upkeep;
  const [first] = earlier;
  const last = earlier.at(-1);
  if (first === undefined || last === undefined) throw new Error("A key stands for no event.");
  if (!saysReason(first, reason)) throw keyReused(key, first.header);
  const items = earlier.flatMap(({ body }) => (body?.items ?? []) as unknown as ShedItem[]);
  const found = await foundUpTo(journal.head.seq, upkeep, target);
  if (!isDone(target, items, found, journal.start)) throw keyReused(key, first.header);
  const shed: Report["shed"][number][] = [];
  for (const { seq, replacement } of items) {
    const type = (await journal.rowAt(seq))?.header.type ?? "";
    shed.push({ seq, type, replaced: replacement !== null });
  }
  return { shed, replaced: replacedIn(shed), remaining: remainingIn(found), head: headOf(last) };
}

/** Whether a stored event is a shedding for a reason, as far as its own was not shed later. */
function saysReason({ header, body, shed }: StoredEvent, reason: string): boolean {
  if (header.type !== JOURNAL_SHED) return false;
  return body?.reason === reason || (shed === true && body?.reason === SHED);
}

function isDone(
  target: Target,
  items: readonly ShedItem[],
  found: readonly Found[],
  start: Head,
): boolean {
  if (found.some(({ item }) => item !== null)) return false;
  if (target.by === "text") return true;
  const listed = new Set(items.map(({ seq }) => seq));
  const there = new Set(found.map(({ seq }) => seq));
  // An event that nothing was taken from had no free text; compaction may have removed it since.
  return (
    items.every(({ seq }) => target.seqs.includes(seq)) &&
    target.seqs.every((seq) => listed.has(seq) || there.has(seq) || seq <= start.seq)
  );
}
