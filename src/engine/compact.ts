import { HoldfastError } from "../errors.ts";
import {
  type EventRow,
  type Head,
  JOURNAL_COMPACTED,
  JOURNAL_OPENED,
  JOURNAL_STREAM,
  type JsonObject,
  OutOfDate,
  type StoredEvent,
  verifyRows,
} from "../journal/index.ts";
import {
  type CompactionDecision,
  type CompactionInput,
  compactedBody,
  decideCompaction,
  evolve,
  type Holder,
  isJournalCompacted,
  type RemovedTask,
} from "../task/index.ts";
import type { Asking } from "./answer.ts";
import { assertUnderstood, keyReused } from "./group.ts";
import { askedBy, onStillPast, type Purged, purge, type Upkeep } from "./upkeep.ts";

export interface CompactionWish {
  /** Events that may stay; more of them are removed as far as open runs allow it. */
  readonly ceiling?: number;
  /** Only says what would be removed. */
  readonly dryRun?: boolean;
}

export interface CompactionReport extends Purged {
  readonly removed: number;
  /** Events that the journal holds now, the one that tells of the compaction among them. */
  readonly kept: number;
  /** The last event that was removed; null where none was. */
  readonly through: Head | null;
  /** What the journal still knows of tasks of which runs were removed, now or earlier. */
  readonly tasks: readonly RemovedTask[];
  /** The runs that keep the journal above its ceiling. */
  readonly heldBy: readonly Holder[];
  readonly head: Head;
}

type Report = Omit<CompactionReport, keyof Purged>;

/**
 * Removes events from the journal's beginning until no more than `ceiling` are left, as far as every
 * run before has ended. Those that stay keep their numbers and hashes, and all of them are hashed
 * again before.
 */
export async function compact(
  over: Upkeep,
  { ceiling, dryRun = false }: CompactionWish & { readonly ceiling: number },
  asking: Asking,
): Promise<CompactionReport> {
  if (!Number.isSafeInteger(ceiling) || ceiling < 1) {
    throw new HoldfastError(
      "input/invalid",
      "The ceiling has to be a whole number of events, at least 1.",
      "Name how many events may stay, for instance 5000.",
    );
  }
  over.journal.assertSound();
  const report = await onStillPast(over, () => compactOnce(over, { ceiling, dryRun }, asking));
  if (dryRun) return { ...report, purged: false, purgeProblem: null };
  return { ...report, ...(await purge(over.journal)) };
}

async function compactOnce(
  over: Upkeep,
  { ceiling, dryRun }: Required<CompactionWish>,
  asking: Asking,
): Promise<Report> {
  const { journal } = over;
  const { session, key } = askedBy(asking, over);
  const { start, head } = await journal.extent();
  const isAbove = head.seq - start.seq > ceiling;
  const contents = isAbove ? await checkedContents(over) : new Contents();
  const known = journal.head;
  let report: Report | null = null;
  await journal.append([key], (append) => {
    const earlier = append.commandOf(key);
    if (earlier !== undefined) {
      report = repeated(earlier, start, asking);
      return;
    }
    const state = append.tail.reduce(evolve, over.state());
    assertUnderstood(state);
    for (const event of append.tail) contents.note(event);
    const last = append.tail.at(-1);
    const end = last === undefined ? known : { seq: last.header.seq, hash: last.hash };
    const input = { state, extents: contents.extents, start, head: end, ceiling };
    const decision = isAbove ? decideCompaction(input) : NOTHING;
    const { cut } = decision;
    report = reportOf(input, decision, contents, end);
    if (cut === null || dryRun) return;
    const [added] = append.add([
      {
        run: JOURNAL_STREAM,
        type: JOURNAL_COMPACTED,
        session,
        cause: null,
        key,
        body: bodyOf(input, decision, contents, cut),
      },
    ]);
    if (added === undefined) throw new Error("The compaction left no event.");
    append.takeOut({ removeThrough: cut });
    const { seq } = added.header;
    report = { ...report, head: { seq, hash: added.hash } };
  });
  if (report === null) throw new Error("The append ended without a report.");
  return report;
}

const NOTHING: CompactionDecision = { cut: null, tasks: [], heldBy: [] };

/** All of it was said by stored events before, so it has passed the redactor. */
function bodyOf(
  input: CompactionInput,
  decision: CompactionDecision,
  contents: Contents,
  cut: number,
): JsonObject {
  const { journal } = contents;
  const through = contents.at(cut);
  const body = compactedBody(input, decision, { journal, through });
  if (isJournalCompacted(body)) return body as unknown as JsonObject;
  throw new Error(`${JOURNAL_COMPACTED} was decided in a shape that could not be read back.`);
}

function reportOf(
  { start }: CompactionInput,
  { cut, tasks, heldBy }: CompactionDecision,
  contents: Contents,
  head: Head,
): Report {
  const removed = cut === null ? 0 : cut - start.seq;
  return {
    removed,
    kept: head.seq - start.seq - removed + (cut === null ? 0 : 1),
    through: cut === null ? null : contents.at(cut),
    tasks: cut === null ? [] : tasks,
    heldBy,
    head,
  };
}

/** The answer of the compaction that used the key before. */
function repeated([first]: readonly StoredEvent[], start: Head, { key }: Asking): Report {
  if (first === undefined) throw new Error("A key stands for no event.");
  const { header, hash, body } = first;
  if (!isJournalCompacted(body)) throw keyReused(key, header);
  const { removed, through, tasks } = body;
  const kept = header.seq - start.seq;
  return { removed, kept, through, tasks, heldBy: [], head: { seq: header.seq, hash } };
}

/** What stands where in a journal. */
class Contents {
  readonly #extents = new Map<string, { first: number; last: number }>();
  readonly #hashes = new Map<number, string>();
  /** The journal's id. */
  journal = "";

  get extents(): CompactionInput["extents"] {
    return this.#extents;
  }

  at(seq: number): Head {
    return { seq, hash: this.#hashes.get(seq) ?? "" };
  }

  note({ header, hash }: Pick<EventRow, "header" | "hash">): void {
    const { run, seq } = header;
    this.#hashes.set(seq, hash);
    if (run === JOURNAL_STREAM) return;
    const first = this.#extents.get(run)?.first ?? seq;
    this.#extents.set(run, { first, last: seq });
  }

  noteRow(row: EventRow): void {
    this.note(row);
    const isIdentity = [JOURNAL_OPENED, JOURNAL_COMPACTED].includes(row.header.type);
    if (isIdentity && row.bodyText !== null) {
      this.journal = String((JSON.parse(row.bodyText) as { journal?: unknown }).journal);
    }
  }
}

/**
 * Hashes every event again and checks the chain from its beginning: what stays is as it was written.
 *
 * @throws HoldfastError `journal/corrupt`
 */
async function checkedContents({ journal, sha256 }: Upkeep): Promise<Contents> {
  const contents = new Contents();
  const { start, rewritten } = await journal.extent();
  async function* noted() {
    for await (const row of journal.rows()) {
      contents.noteRow(row);
      yield row;
    }
  }
  const { problems } = await verifyRows(noted(), sha256, { start });
  if ((await journal.extent()).rewritten !== rewritten) throw new OutOfDate();
  const [problem] = problems;
  if (problem === undefined) return contents;
  throw new HoldfastError(
    "journal/corrupt",
    `The journal is damaged at event ${problem.seq}, so nothing of it is removed: ${problem.message}`,
    "See what is damaged with `holdfast journal verify`, and import the newest export.",
  );
}
