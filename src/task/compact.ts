import { remembered, rememberedOf } from "../evidence/index.ts";
import { cutFor, type Head, type Span, wantedCut } from "../journal/index.ts";
import { REMOVED_TASKS_MAX } from "./limits.ts";
import type { ProjectState, RunState } from "./projection.ts";
import { runsOf, runWithId } from "./runs.ts";
import type { JournalCompacted, RemovedTask } from "./schemas.ts";

/** Where the events of each run stand: the first and the last of them. */
export type Extents = ReadonlyMap<string, { readonly first: number; readonly last: number }>;

/** A run that keeps events from being removed. */
export interface Holder {
  readonly run: string;
  readonly taskId: string;
  readonly why: string;
}

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
 * run before that has ended and nothing that stays cites what goes. Pure.
 */
export function decideCompaction(input: CompactionInput): CompactionDecision {
  const { state, start, head, ceiling, extents } = input;
  const spans = [...spansOf(state, extents), ...citations(state, extents)];
  const ends = { start: start.seq, head: head.seq };
  const cut = cutFor(ends, ceiling, spans);
  const tasks = removedTasks(state, cut ?? start.seq);
  if (tasks.length > REMOVED_TASKS_MAX) {
    return { cut: null, tasks: Object.values(state.removed), heldBy: [] };
  }
  // Where it would be cut if no run were open.
  const free = cutFor(
    ends,
    ceiling,
    spans.filter(({ last }) => last !== null),
  );
  const isHeld = free !== null && (cut ?? start.seq) < wantedCut(head.seq, ceiling);
  return { cut, tasks, heldBy: isHeld ? holders(state, free) : [] };
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

/** Folds what a compaction removed and what is remembered of it. */
export function compacted(
  state: ProjectState,
  { tasks, evidence }: JournalCompacted,
): ProjectState {
  const gone = new Set(tasks.flatMap(({ runs }) => runs));
  const runs = Object.entries(state.runs).filter(([run]) => !gone.has(run));
  return {
    ...state,
    runs: Object.fromEntries(runs),
    evidence: remembered(state.evidence, evidence),
    removed: Object.fromEntries(tasks.map((task) => [task.taskId, task])),
  };
}

/** A run goes whole; an open one stays, with all that follows its beginning. */
function spansOf(state: ProjectState, extents: Extents): readonly Span[] {
  return [...extents].map(([run, { first, last }]) => {
    const isOpen = runWithId(state, run)?.task.status === "open";
    return { first, last: isOpen ? null : last };
  });
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

function holders(state: ProjectState, cut: number): readonly Holder[] {
  return runsOf(state)
    .filter(({ task }) => task.status === "open" && task.startedSeq <= cut)
    .map(({ task: { contract, startedSeq } }) => ({
      run: contract.run,
      taskId: contract.taskId,
      why: `It is open since event ${startedSeq}; conclude it, and what is before may be removed.`,
    }));
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
  if (status === "open") throw new Error(`Run ${run} is open and can't be removed.`);
  return {
    taskId,
    run,
    outcome: before?.outcome === "completed" ? "completed" : status,
    attempts: attempt,
    maxAttempts,
    runs: [...(before?.runs ?? []), run],
  };
}
