import { HoldfastError } from "../errors.ts";
import {
  type Append,
  canonicalText,
  type EventRow,
  type Head,
  JOURNAL_SHED,
  JOURNAL_STREAM,
  mayHold,
  SHED,
  SHED_REASON_MAX,
  SHED_TEXT_MAX,
  SHED_TEXT_MIN,
  type Shedding,
  type ShedItem,
  type StoredEvent,
  shedBodies,
  shedText,
  shedWhole,
  storedEvent,
} from "../journal/index.ts";
import { canStandFor, evolve } from "../task/index.ts";
import type { Asking } from "./answer.ts";
import { assertUnderstood, keyReused } from "./group.ts";
import { askedBy, onStillPast, type Purged, purge, type Upkeep } from "./upkeep.ts";

/** What is to be shed, by exactly one of `seq` and `text`, and why. */
export interface ShedWish {
  /** Events of which all free text is shed. */
  readonly seq?: number | readonly number[];
  /** A text that is shed from every event. */
  readonly text?: string;
  /** Stands in the journal for good, so it must not hold the text. */
  readonly reason: string;
  /** Only says what would be shed. */
  readonly dryRun?: boolean;
}

export interface ShedReport extends Purged {
  /** `replaced`: something stands for the body, so that what else it said is still known. */
  readonly shed: readonly {
    readonly seq: number;
    readonly type: string;
    readonly replaced: boolean;
  }[];
  /** How many of them something stands for. */
  readonly replaced: number;
  /** Events that go on holding the text. */
  readonly remaining: readonly {
    readonly seq: number;
    readonly type: string;
    readonly why: string;
  }[];
  readonly head: Head;
}

type Target =
  | { readonly by: "seq"; readonly seqs: readonly number[] }
  | { readonly by: "text"; readonly text: string };

interface Found extends Shedding {
  readonly seq: number;
  readonly type: string;
}

/**
 * Takes a text, or all free text of some events, out of the journal for good. The chain stays whole,
 * and an event says what was taken out and why.
 */
export async function shed(over: Upkeep, wish: ShedWish, asking: Asking): Promise<ShedReport> {
  const target = targetOf(wish);
  const reason = reasonOf(wish, target, over);
  over.journal.assertSound();
  const report = await onStillPast(over, () =>
    shedOnce(over, { target, reason, dryRun: wish.dryRun === true }, asking),
  );
  if (wish.dryRun === true) return { ...report, purged: false, purgeProblem: null };
  return { ...report, ...(await purge(over.journal)) };
}

interface Plan {
  readonly target: Target;
  readonly reason: string;
  readonly dryRun: boolean;
}

type Report = Omit<ShedReport, keyof Purged>;

async function shedOnce(
  over: Upkeep,
  { target, reason, dryRun }: Plan,
  asking: Asking,
): Promise<Report> {
  const { journal } = over;
  const { session, key } = askedBy(asking, over);
  const known = journal.head;
  const before = await foundUpTo(known.seq, over, target);
  let report: Report | null = null;
  let earlier: readonly StoredEvent[] | undefined;
  await journal.append([key], (append) => {
    earlier = append.commandOf(key);
    if (earlier !== undefined) return;
    assertUnderstood(append.tail.reduce(evolve, over.state()));
    const found = [...before, ...foundIn(append.tail, target)];
    assertAllFound(found, target);
    const items = found.flatMap(({ item }) => item ?? []);
    const head = append.tail.at(-1);
    const end = head === undefined ? known : { seq: head.header.seq, hash: head.hash };
    const stored = dryRun ? [] : shedIn(append, items, reason, { session, key });
    report = reportOf(found, stored.at(-1) ?? end);
  });
  if (earlier !== undefined) return repeated(earlier, reason, asking, over);
  if (report === null) throw new Error("The append ended without a report.");
  return report;
}

/** Adds the events that account for the bodies, and has these taken out in the same commit. */
function shedIn(
  append: Append,
  items: readonly ShedItem[],
  reason: string,
  { session, key }: { readonly session: string; readonly key: string },
): readonly Head[] {
  if (items.length === 0) return [];
  const added = append.add(
    shedBodies(items, reason).map((body, index) => ({
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
  return added.map(({ header, hash }) => ({ seq: header.seq, hash }));
}

/** What is found up to an event, read before the store is locked. */
async function foundUpTo(
  last: number,
  { journal }: Upkeep,
  target: Target,
): Promise<readonly Found[]> {
  const found: Found[] = [];
  if (target.by === "seq") {
    for (const seq of target.seqs) {
      for await (const row of journal.rows(seq - 1)) {
        if (row.header.seq === seq && seq <= last) found.push(foundAt(storedEvent(row), target));
        break;
      }
    }
    return found;
  }
  for await (const row of journal.rows()) {
    if (row.header.seq > last) break;
    if (mayHold(row, target.text)) found.push(foundAt(storedEvent(row), target));
  }
  return found;
}

function foundIn(events: readonly StoredEvent[], target: Target): readonly Found[] {
  return events
    .filter(({ header }) => target.by === "text" || target.seqs.includes(header.seq))
    .map((event) => foundAt(event, target));
}

function foundAt(event: StoredEvent, target: Target): Found {
  const { seq, type } = event.header;
  const shedding =
    target.by === "text"
      ? shedText(event, target.text, canStandFor)
      : shedWhole(event, canStandFor);
  return { seq, type, ...shedding };
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
  return {
    shed,
    replaced: shed.filter(({ replaced }) => replaced).length,
    remaining: found
      .filter(({ remains }) => remains)
      .map(({ seq, type }) => ({ seq, type, why: whyItRemains(type) })),
    head,
  };
}

function whyItRemains(type: string): string {
  return type.startsWith("x.")
    ? "The type of the event holds the text, and headers are never changed."
    : "The rest of the journal rests on this event, so what it says stays.";
}

/** The answer of the command that used the key before. */
async function repeated(
  earlier: readonly StoredEvent[],
  reason: string,
  asking: Asking,
  { journal }: Upkeep,
): Promise<Report> {
  const [first] = earlier;
  const last = earlier.at(-1);
  if (first === undefined || last === undefined) throw new Error("A key stands for no event.");
  const isSame = first.header.type === JOURNAL_SHED && first.body?.reason === reason;
  if (!isSame) throw keyReused(asking.key, first.header);
  const items = earlier.flatMap(({ body }) => (body?.items ?? []) as unknown as ShedItem[]);
  const shed: Report["shed"][number][] = [];
  for (const item of items) {
    const header = await headerAt(journal.rows(item.seq - 1), item.seq);
    const itsType = header?.type ?? "";
    shed.push({ seq: item.seq, type: itsType, replaced: item.replacement !== null });
  }
  const replaced = shed.filter((it) => it.replaced).length;
  return { shed, replaced, remaining: [], head: { seq: last.header.seq, hash: last.hash } };
}

async function headerAt(rows: AsyncIterable<EventRow>, seq: number) {
  for await (const { header } of rows) return header.seq === seq ? header : null;
  return null;
}

function targetOf({ seq, text }: ShedWish): Target {
  if ((seq === undefined) === (text === undefined)) {
    throw invalid("Either events or a text are to be shed.", "Pass exactly one of seq and text.");
  }
  if (text !== undefined) return { by: "text", text: fitText(text) };
  const seqs = [...new Set([seq as number | readonly number[]].flat())].toSorted((a, b) => a - b);
  if (seqs.length > 0 && seqs.every((it) => Number.isSafeInteger(it) && it >= 1)) {
    return { by: "seq", seqs };
  }
  throw invalid("Events are named by their numbers.", "Pass seq as 12 or [12, 14].");
}

/** What is said of a text never repeats it: it may be a secret. */
function fitText(text: unknown): string {
  if (typeof text !== "string" || !text.isWellFormed() || text.length > SHED_TEXT_MAX) {
    throw unfit(`The text to shed has to be well-formed, of at most ${SHED_TEXT_MAX} characters.`);
  }
  if (text.trim().length < SHED_TEXT_MIN) {
    throw unfit(
      `The text to shed is shorter than ${SHED_TEXT_MIN} characters, so it would be found where nobody means it.`,
    );
  }
  if (SHED.includes(text))
    throw unfit(`The text to shed is part of ${SHED}, which takes its place.`);
  return text;
}

const unfit = (message: string) =>
  new HoldfastError(
    "journal/text-unfit",
    message,
    "Give more of the text, or name the events that hold it: --seq N.",
  );

function reasonOf({ reason }: ShedWish, target: Target, { redact }: Upkeep): string {
  const isText = typeof reason === "string" && reason.isWellFormed() && reason.trim() !== "";
  if (!isText || reason.length > SHED_REASON_MAX) {
    throw invalid(
      `Shedding needs a reason of 1 to ${SHED_REASON_MAX} characters.`,
      "Say why the content has to go; the reason stays in the journal.",
    );
  }
  if (target.by === "text" && reason.includes(target.text)) {
    throw new HoldfastError(
      "journal/reason-holds-text",
      "The reason holds the very text that is to be shed, and the reason stays in the journal.",
      "Say why without quoting the text.",
    );
  }
  return redact(reason);
}

const invalid = (message: string, remedy: string) =>
  new HoldfastError("input/invalid", message, remedy);
