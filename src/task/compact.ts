import { hasEnded } from "../contract/index.ts";
import { remembered, rememberedOf } from "../evidence/index.ts";
import { cutFor, type Head, type Span, wantedCut } from "../journal/index.ts";
import { REMOVED_TASKS_MAX } from "./limits.ts";
import type { ProjectState } from "./projection.ts";
import { runsOf } from "./runs.ts";
import type { JournalCompacted, RemovedTask } from "./schemas.ts";
import type { Holder, RunState } from "./view-schemas.ts";

/** Where the events of each run stand: the first and the last of them. */
export type Extents = ReadonlyMap<string, { readonly first: number; readonly last: number }>;

/** Everything that decides on a compaction. */
export interface CompactionInput {
  readonly state: ProjectState;
  readonly extents: Extents;
  /** The event that the first stored one follows, and the last one. */
  readonly start: Head;
  readonly head: Head;
  readonly ceiling: number;
}

export interface CompactionDecision {
  /** The last event that is removed; null where none is. */
  readonly cut: number | null;
  /** What is remembered of the tasks whose runs are removed, earlier ones as well. */
  readonly tasks: readonly RemovedTask[];
  /** The runs that keep the journal above its ceiling, oldest first. */
  readonly heldBy: readonly Holder[];
}

/**
 * How far a journal may be compacted: no further than its ceiling asks for, and only as far as every
 * run before that has ended, its task can be remembered, and nothing that stays cites what goes. Pure.
 */
export function decideCompaction(input: CompactionInput): CompactionDecision {
  const { state, start, head, ceiling, extents } = input;
  const holders = holdersIn(state);
  const held = new Set(holders.map(({ run }) => run));
  const ends = { start: start.seq, head: head.seq };
  // A run goes whole; one that is held stays, with all that follows its beginning.
  const runs = [...extents].map(([run, { first, last }]) => ({
    first,
    last: held.has(run) ? null : last,
  }));
  const spans: readonly Span[] = [...runs, ...citations(state, extents)];
  const cut = cutFor(ends, ceiling, spans);
  // Where it would be cut if no run were held.
  const free = cutFor(
    ends,
    ceiling,
    spans.filter(({ last }) => last !== null),
  );
  const isHeld = free !== null && (cut ?? start.seq) < wantedCut(head.seq, ceiling);
  const heldBy = isHeld ? holders.filter(({ startedSeq }) => startedSeq <= free) : [];
  return {
    cut,
    tasks: removedTasks(state, cut ?? start.seq),
    heldBy: heldBy.map(holderOf),
  };
}

/**
 * The decision that nothing can be removed, by the state alone: events of a run that it does not know
 * of could only keep more. Null where the events have to be looked at.
 */
export function decideWithoutEvents(
  input: Omit<CompactionInput, "extents">,
): CompactionDecision | null {
  const extents = new Map(
    runsOf(input.state).map(({ task: { contract, startedSeq, changedSeq } }) => [
      contract.run,
      { first: startedSeq, last: changedSeq },
    ]),
  );
  const decision = decideCompaction({ ...input, extents });
  return decision.cut === null ? decision : null;
}

/**
 * Which runs held a compaction that was carried out before, if it may have been asked for with this
 * ceiling. Null where it can't: another ceiling would have been answered otherwise.
 */
export function heldThen(
  state: ProjectState,
  { removed, through, headBefore }: JournalCompacted,
  { ceiling, start }: { readonly ceiling: number; readonly start: Head },
): readonly Holder[] | null {
  const startBefore = through.seq - removed;
  if (headBefore.seq - startBefore <= ceiling) return null; // It would have removed nothing.
  if (through.seq >= wantedCut(headBefore.seq, ceiling)) return [];
  const holders = holdersIn(state).filter(({ startedSeq }) => startedSeq <= headBefore.seq);
  const hasEnded = runsOf(state).some(
    ({ task: { startedSeq, changedSeq } }) =>
      startedSeq <= headBefore.seq && changedSeq > headBefore.seq,
  );
  // What held it then may have been removed since.
  const isTold = holders.length > 0 || hasEnded || start.seq > through.seq;
  return isTold ? holders.map(holderOf) : null;
}

/** The body of the event that tells of a compaction. */
export function compactedBody(
  { state, start, head }: CompactionInput,
  { tasks }: CompactionDecision,
  { journal, through }: { readonly journal: string; readonly through: Head },
): JournalCompacted {
  return {
    journal,
    removed: through.seq - start.seq,
    through,
    headBefore: head,
    tasks: [...tasks],
    evidence: rememberedOf(state.evidence),
  };
}

/** Folds what is remembered of what compactions removed; their runs are in no event that is left. */
export function compacted(
  state: ProjectState,
  { tasks, evidence }: JournalCompacted,
): ProjectState {
  return {
    ...state,
    evidence: remembered(state.evidence, evidence),
    removed: Object.fromEntries(tasks.map((task) => [task.taskId, task])),
  };
}

/** Evidence that stays with its run must not lose the observation that it points to. */
function citations(state: ProjectState, extents: Extents): readonly Span[] {
  return Object.entries(state.evidence.bindings).flatMap(([run, bindings]) =>
    bindings.flatMap(({ reference, seq }) =>
      reference.type === "observation"
        ? [{ first: reference.seq, last: extents.get(run)?.last ?? seq }]
        : [],
    ),
  );
}

interface HolderSince extends Holder {
  readonly startedSeq: number;
}

const holderOf = ({ run, taskId, why }: HolderSince): Holder => ({ run, taskId, why });

/**
 * Runs that stay with everything after them, in order: those that have not ended, and the first of which
 * the task can't be remembered any more.
 */
function holdersIn(state: ProjectState): readonly HolderSince[] {
  const known = new Set(Object.keys(state.removed));
  let isFull = false;
  return runsOf(state).flatMap(({ task: { status, contract, startedSeq } }) => {
    const { run, taskId } = contract;
    const held = { run, taskId, startedSeq };
    if (!hasEnded(status)) {
      const why =
        status === "paused"
          ? `It began at event ${startedSeq} and is paused; continue and conclude it, or abandon it, and what is before may be removed.`
          : `It is open since event ${startedSeq}; conclude it, and what is before may be removed.`;
      return [{ ...held, why }];
    }
    known.add(taskId);
    if (isFull || known.size <= REMOVED_TASKS_MAX) return [];
    isFull = true;
    const why = `The journal remembers ${REMOVED_TASKS_MAX} removed tasks and can remember no further one, so it stays with all that is after event ${startedSeq - 1}.`;
    return [{ ...held, why }];
  });
}

function removedTasks(state: ProjectState, cut: number): readonly RemovedTask[] {
  const tasks = new Map(Object.entries(state.removed));
  for (const run of runsOf(state)) {
    if (run.task.startedSeq > cut) continue;
    const { taskId } = run.task.contract;
    tasks.set(taskId, withRun(tasks.get(taskId), run));
  }
  return [...tasks.values()];
}

function withRun(before: RemovedTask | undefined, { task }: RunState): RemovedTask {
  const { contract, status } = task;
  const { taskId, run, attempt, maxAttempts } = contract;
  if (!hasEnded(status)) throw new Error(`Run ${run} is ${status} and can't be removed.`);
  return {
    taskId,
    run,
    outcome: before?.outcome === "completed" ? "completed" : status,
    // An attempt of version 1 may have been imported after a later one.
    attempts: Math.max(attempt, before?.attempts ?? 0),
    maxAttempts,
    runs: [...(before?.runs ?? []), run],
  };
}
