import { HoldfastError } from "../errors.ts";
import {
  type EventRow,
  type Head,
  headOf,
  JOURNAL_COMPACTED,
  JOURNAL_OPENED,
  JOURNAL_STREAM,
  type JsonObject,
  OutOfDate,
  objectIn,
  type StoredEvent,
  verifyRows,
} from "../journal/index.ts";
import {
  type CompactionDecision,
  type CompactionInput,
  compactedBody,
  decideCompaction,
  decideWithoutEvents,
  evolve,
  heldThen,
  isJournalCompacted,
} from "../task/index.ts";
import type { Asking } from "./answer.ts";
import { assertUnderstood, keyReused } from "./group.ts";
import { carryOut, damagedAt, endOf, type Piece, type Upkeep } from "./upkeep.ts";
import type { CompactionReport, Purged } from "./view-schemas.ts";

export interface CompactionWish {
  /** Events that may stay; more of them are removed as far as open runs allow it. */
  readonly ceiling?: number;
  /** Only says what would be removed. */
  readonly dryRun?: boolean;
}

type Report = Omit<CompactionReport, keyof Purged>;

/**
 * Removes events from the journal's beginning until no more than `ceiling` are left, as far as every
 * run before has ended. Those that stay keep their numbers and hashes, and all of them are hashed
 * again before.
 */
export function compact(
  upkeep: Upkeep,
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
  return carryOut(upkeep, { asking, dryRun }, () =>
    compactionOf(upkeep, { ceiling, dryRun }, asking),
  );
}

async function compactionOf(
  upkeep: Upkeep,
  { ceiling, dryRun }: Required<CompactionWish>,
  { key }: Asking,
): Promise<Piece<Report>> {
  const { journal } = upkeep;
  const { start, head } = journal;
  // Where nothing can go, nothing has to be hashed either: this is asked at each beginning.
  const nothing = decideWithoutEvents({ state: upkeep.fold.state, start, head, ceiling });
  const contents = nothing === null ? await checkedContents(upkeep) : new Contents();
  return {
    plan: (append, by) => {
      const state = append.tail.reduce(evolve, upkeep.fold.state);
      assertUnderstood(state);
      for (const event of append.tail) contents.note(event);
      const end = endOf(append, journal);
      const input = { state, extents: contents.extents, start, head: end, ceiling };
      const decision = nothing ?? decideCompaction(input);
      const { cut } = decision;
      const report = reportOf(input, decision, contents);
      if (cut === null || dryRun) return report;
      const body = bodyOf(input, decision, contents, cut);
      const [added] = append.add([
        { ...by, run: JOURNAL_STREAM, type: JOURNAL_COMPACTED, cause: null, body },
      ]);
      if (added === undefined) throw new Error("The compaction left no event.");
      append.takeOut({ removeThrough: cut });
      return { ...report, head: headOf(added) };
    },
    repeated: async (earlier) => repeated(earlier, ceiling, upkeep, key),
  };
}

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
  { start, head }: CompactionInput,
  { cut, tasks, heldBy }: CompactionDecision,
  contents: Contents,
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

/**
 * The answer of the compaction that used the key before.
 *
 * @throws HoldfastError `journal/key-reused` where it was no compaction, or had another ceiling as far
 * as that can be told: the event does not say which
 */
function repeated(
  [first]: readonly StoredEvent[],
  ceiling: number,
  { journal: { start }, fold }: Upkeep,
  key: string | undefined,
): Report {
  if (first === undefined) throw new Error("A key stands for no event.");
  const { header, body } = first;
  if (!isJournalCompacted(body)) throw keyReused(key, header);
  const heldBy = heldThen(fold.state, body, { ceiling, start });
  if (heldBy === null) throw keyReused(key, header);
  const { removed, through, tasks } = body;
  const kept = header.seq - through.seq;
  return { removed, kept, through, tasks, heldBy, head: headOf(first) };
}

/** What stands where in a journal. */
class Contents {
  readonly #extents = new Map<string, { first: number; last: number }>();
  readonly #hashes = new Map<number, string>();
  /** Of the latest event that says which journal this is; not to be parsed before it was checked. */
  #identityText = "{}";

  /** The journal's id. */
  get journal(): string {
    return String(objectIn(this.#identityText)?.journal);
  }

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
    if (isIdentity && row.bodyText !== null) this.#identityText = row.bodyText;
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
  throw damagedAt(problem);
}
