import { type Draft, freeze, produce } from "immer";
import {
  type ContractState,
  isTaskConcluded,
  isTaskStarted,
  isTaskTakenOver,
  taskConcluded,
  taskStarted,
  taskTakenOver,
} from "../contract/index.ts";
import { type CriterionGraph, isCriteriaPinned } from "../criteria/index.ts";
import {
  callSettled,
  commandObserved,
  type EvidenceState,
  evidenceBound,
  gateEvaluated,
  initialEvidence,
  isCallSettled,
  isCommandObserved,
  isEvidenceBound,
  isGateEvaluated,
  isToolRequested,
  toolRequested,
  treeSeen,
} from "../evidence/index.ts";
import { JOURNAL_OPENED, type JsonObject, type StoredEvent } from "../journal/index.ts";
import {
  initialTrajectory,
  isPhaseEntered,
  phaseEntered,
  type TrajectoryState,
} from "../trajectory/index.ts";
import type { DecidedEvent, EventBodies, EventType } from "./decision.ts";

/** Raised with every change of a fold: what an older one has cached is folded again. */
export const FOLD_VERSION = 4;

/** In the body of a command's first event: tells the reuse of an idempotency key from its repetition. */
export const COMMAND_DIGEST = "commandDigest";

/** A body as it was decided, without what the engine puts in for itself. */
export function decidedBody(body: JsonObject): JsonObject {
  const { [COMMAND_DIGEST]: _, ...decided } = body;
  return decided;
}

/** One run of a task, from all its projections. */
export interface RunState {
  readonly task: ContractState;
  readonly graph: CriterionGraph | null;
  readonly trajectory: TrajectoryState;
}

/** An event that this version can't fold: writing on top of it would be guessing. */
export interface NotUnderstood {
  readonly seq: number;
  readonly type: string;
  readonly why: "unknown-type" | "unknown-shape";
}

/**
 * Everything that the journal tells, folded. Can be thrown away at any time.
 *
 * Grows with the number of runs: each keeps its contract, whose parts all have limits (the list of
 * paths that differed at the start is the longest of them), and `TRANSITIONS_KEPT` transitions. A run
 * begins only where someone asks for it, and every attempt at a task counts against its ceiling.
 */
export interface ProjectState {
  readonly runs: Readonly<Record<string, RunState>>;
  readonly evidence: EvidenceState;
  readonly notUnderstood: NotUnderstood | null;
}

export const initialState: ProjectState = freeze(
  {
    runs: {},
    evidence: initialEvidence,
    notUnderstood: null,
  },
  true,
);

/**
 * Folds one event. Copies outcomes and never judges, so a journal of yesterday gives the same state
 * after a rule has changed.
 */
export function evolve(state: ProjectState, event: StoredEvent): ProjectState {
  const { type, seq } = event.header;
  if (type.startsWith("x.") || type === JOURNAL_OPENED) return state;
  if (!Object.hasOwn(FOLDS, type)) return notUnderstood(state, { seq, type, why: "unknown-type" });
  // A body that was shed is unknown and never proof.
  if (event.body === null) return state;
  const fold = FOLDS[type as EventType] as Fold<EventType>;
  const body = decidedBody(event.body);
  if (!fold.accepts(body)) return notUnderstood(state, { seq, type, why: "unknown-shape" });
  return fold.evolve(state, body as never, event.header);
}

/** Whether a body can be folded: asked before it is stored, so that no event makes a journal unreadable. */
export function isFoldable(type: DecidedEvent["type"], body: unknown): boolean {
  return !Object.hasOwn(FOLDS, type) || FOLDS[type as EventType].accepts(body);
}

/** The run with this id; own properties only, since the id may come from outside. */
export function runWithId(state: ProjectState, id: string): RunState | null {
  return Object.hasOwn(state.runs, id) ? (state.runs[id] ?? null) : null;
}

/** A state that nobody can change any more; the same object. */
export function frozen(state: ProjectState): ProjectState {
  return freeze(state, true);
}

/** Folds a history, by default from the beginning. */
export function fold(
  events: Iterable<StoredEvent>,
  from: ProjectState = initialState,
): ProjectState {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
}

interface Fold<T extends EventType> {
  readonly accepts: (body: unknown) => boolean;
  readonly evolve: (
    state: ProjectState,
    body: EventBodies[T],
    at: StoredEvent["header"],
  ) => ProjectState;
}

const FOLDS: { readonly [T in EventType]: Fold<T> } = {
  "task.started": {
    accepts: isTaskStarted,
    evolve: (state, body, at) => {
      const { place, baseline } = body.contract;
      const run = { task: taskStarted(body, at), graph: null, trajectory: initialTrajectory };
      const evidence = treeSeen(state.evidence, place, baseline.tree, at.seq);
      return { ...state, evidence, runs: { ...state.runs, [at.run]: run } };
    },
  },
  "task.taken-over": {
    accepts: isTaskTakenOver,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => taskTakenOver(task, body, at)),
  },
  "task.concluded": {
    accepts: isTaskConcluded,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => taskConcluded(task, body, at)),
  },
  "criteria.pinned": {
    accepts: isCriteriaPinned,
    evolve: (state, body, at) =>
      withRun(state, at.run, (run) => {
        run.graph = body.graph;
      }),
  },
  "phase.entered": {
    accepts: isPhaseEntered,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ trajectory }) => phaseEntered(trajectory, body, at)),
  },
  "tool.requested": {
    accepts: isToolRequested,
    evolve: (state, body, at) => ({ ...state, evidence: toolRequested(state.evidence, body, at) }),
  },
  "command.observed": {
    accepts: isCommandObserved,
    evolve: (state, body, at) => ({
      ...state,
      evidence: commandObserved(state.evidence, body, at),
    }),
  },
  "evidence.bound": {
    accepts: isEvidenceBound,
    evolve: (state, body, at) => ({
      ...changed(state, at),
      evidence: evidenceBound(state.evidence, body, at),
    }),
  },
  "call.settled": {
    accepts: isCallSettled,
    evolve: (state, body) => ({ ...state, evidence: callSettled(state.evidence, body) }),
  },
  "gate.evaluated": {
    accepts: isGateEvaluated,
    evolve: (state, body, at) => ({
      ...changed(state, at),
      evidence: gateEvaluated(state.evidence, body, at),
    }),
  },
};

/** The event types that `evolve` folds. */
export const EVENT_TYPES = Object.keys(FOLDS) as readonly EventType[];

/** Changes one run deep within the state; everything else stays the same object. */
function withRun(
  state: ProjectState,
  run: string,
  change: (run: Draft<RunState>) => void,
): ProjectState {
  if (!Object.hasOwn(state.runs, run)) return state;
  const runs = produce(state.runs, (draft) => change(draft[run] as Draft<RunState>));
  return { ...state, runs };
}

/** The run has a new version: who decided on the one before has to look again. */
function changed(state: ProjectState, at: StoredEvent["header"]): ProjectState {
  return withRun(state, at.run, ({ task }) => {
    task.version = at.runSeq;
    task.changedSeq = at.seq;
  });
}

function notUnderstood(state: ProjectState, event: NotUnderstood): ProjectState {
  return state.notUnderstood === null ? { ...state, notUnderstood: event } : state;
}

/** Runs in the order in which they began. */
export function runsOf(state: ProjectState): readonly RunState[] {
  return Object.values(state.runs).toSorted((a, b) => a.task.startedSeq - b.task.startedSeq);
}

/** The open run that a session owns, or null. */
export function openRunOf(state: ProjectState, session: string): RunState | null {
  return (
    runsOf(state).findLast(({ task }) => task.status === "open" && task.owner === session) ?? null
  );
}
