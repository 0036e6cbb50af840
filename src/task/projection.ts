import { castDraft, type Draft, freeze, produce } from "immer";
import {
  concludedUnknown,
  contractAmended,
  criteriaProposed,
  instructionGiven,
  isCriteriaProposed,
  isInstructionGiven,
  isPlanRecorded,
  isPlanStepMoved,
  isTaskAbandoned,
  isTaskConcluded,
  isTaskContinued,
  isTaskPaused,
  isTaskStarted,
  isTaskTakenOver,
  planRecorded,
  planStepMoved,
  runChanged,
  scopeNarrowed,
  takenOverUnknown,
  taskAbandoned,
  taskConcluded,
  taskContinued,
  taskPaused,
  taskStarted,
  taskTakenOver,
} from "../contract/index.ts";
import { isCriteriaAmended, isCriteriaPinned, isScopeNarrowed } from "../criteria/index.ts";
import {
  callSettled,
  commandObserved,
  criteriaChanged,
  criterionJudged,
  type EvidenceState,
  evidenceBound,
  gateEvaluated,
  initialEvidence,
  isCallSettled,
  isCommandObserved,
  isCriterionJudged,
  isEvidenceBound,
  isGateEvaluated,
  isToolRequested,
  judgementsUnknown,
  toolRequested,
  treeSeen,
  treesUnknown,
  unknownRequested,
} from "../evidence/index.ts";
import {
  JOURNAL_COMPACTED,
  JOURNAL_OPENED,
  JOURNAL_SHED,
  type JsonObject,
  SHED,
  type StoredEvent,
} from "../journal/index.ts";
import {
  isPhaseEntered,
  isPhaseRecorded,
  isPhaseToolDiffered,
  phaseEntered,
  phaseToolDiffered,
  trajectoryFrom,
} from "../trajectory/index.ts";
import { isJournalCompacted } from "./checks.generated.ts";
import { compacted } from "./compact.ts";
import type { DecidedEvent, EventBodies, EventType } from "./decision.ts";
import type { RemovedTask } from "./schemas.ts";
import { upcast } from "./upcasters.ts";
import type { RunState } from "./view-schemas.ts";

export type { RunState };

/** Raised with every change of a fold: what an older one has cached is folded again. */
export const FOLD_VERSION = 7;

/** In the body of a command's first event: tells the reuse of an idempotency key from its repetition. */
export const COMMAND_DIGEST = "commandDigest";

/** A body as it was decided, without what the engine puts in for itself. */
export function decidedBody(body: JsonObject): JsonObject {
  const { [COMMAND_DIGEST]: _, ...decided } = body;
  return decided;
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
 * paths that differed at the start is the longest of them), `TRANSITIONS_KEPT` transitions, at most
 * `AMENDMENTS_MAX` amendments and `INSTRUCTION_CHARACTERS_KEPT` characters of what was said later. A run
 * begins only where someone asks for it, and every attempt at a task counts against its ceiling.
 */
export interface ProjectState {
  readonly runs: Readonly<Record<string, RunState>>;
  /** By task id, those of which runs were removed with their events: their attempts still count. */
  readonly removed: Readonly<Record<string, RemovedTask>>;
  readonly evidence: EvidenceState;
  readonly notUnderstood: NotUnderstood | null;
}

export const initialState: ProjectState = freeze(
  {
    runs: {},
    removed: {},
    evidence: initialEvidence,
    notUnderstood: null,
  },
  true,
);

/**
 * Folds one event. Copies outcomes and never judges, so a journal of yesterday gives the same state
 * after a rule has changed.
 *
 * Of a shed event what stands for its body is folded. Without that it is unknown what it said: it is
 * proof of nothing, and nothing that it may have spoken against is proof any more.
 */
export function evolve(state: ProjectState, event: StoredEvent): ProjectState {
  const { type, seq } = event.header;
  if (type.startsWith("x.") || UNFOLDED.includes(type)) return state;
  if (type === JOURNAL_COMPACTED) {
    return isJournalCompacted(event.body)
      ? compacted(state, event.body)
      : notUnderstood(state, { seq, type, why: "unknown-shape" });
  }
  if (!Object.hasOwn(FOLDS, type)) return notUnderstood(state, { seq, type, why: "unknown-type" });
  const fold = FOLDS[type as EventType] as Fold<EventType>;
  const body = event.body === null ? null : upcast(type as EventType, decidedBody(event.body));
  const isShed = event.shed === true || body === null;
  if (body === null || !reads(fold, body)) {
    return isShed
      ? fold.unknown(state, event.header)
      : notUnderstood(state, { seq, type, why: "unknown-shape" });
  }
  const folded = fold.evolve(state, body as never, event.header);
  return isShed ? foldedShed(folded, type, body, event.header) : folded;
}

/** Events of the journal's own that say nothing of tasks. */
const UNFOLDED: readonly string[] = [JOURNAL_OPENED, JOURNAL_SHED];

/** Events that say what a run is held to. */
const AGREEMENTS: readonly string[] = [
  "task.started",
  "criteria.pinned",
  "criteria.amended",
  "scope.narrowed",
];

/** What is different where some of a body was shed. */
function foldedShed(
  state: ProjectState,
  type: string,
  body: JsonObject,
  at: StoredEvent["header"],
): ProjectState {
  const { place } = (body.contract ?? body) as { readonly place?: unknown };
  const folded = place === SHED ? withTreesUnknown(state, at) : state;
  if (!AGREEMENTS.includes(type)) return folded;
  return withRun(folded, at.run, (run) => {
    run.shed = true;
  });
}

/** Whether a body can be folded: asked before it is stored, so that no event makes a journal unreadable. */
export function isFoldable(type: DecidedEvent["type"], body: unknown): boolean {
  return !Object.hasOwn(FOLDS, type) || FOLDS[type as EventType].accepts(body);
}

/** Whether something may stand for the body of an event: it can be folded, and its command still told. */
export function canStandFor(type: string, body: JsonObject): boolean {
  const { [COMMAND_DIGEST]: digest = null } = body;
  if (!Object.hasOwn(FOLDS, type)) return true;
  const isWhole = digest === null || /^[0-9a-f]{64}$/.test(String(digest));
  const readable = upcast(type as EventType, decidedBody(body));
  return isWhole && reads(FOLDS[type as EventType], readable);
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
  /** Whether a body is of today's shape: nothing else is written. */
  readonly accepts: (body: unknown) => boolean;
  /** Whether it can be folded, where that takes in more than what is written today. */
  readonly reads?: (body: unknown) => boolean;
  readonly evolve: (
    state: ProjectState,
    body: EventBodies[T],
    at: StoredEvent["header"],
  ) => ProjectState;
  /** Folds an event of which only the header is left. */
  readonly unknown: (state: ProjectState, at: StoredEvent["header"]) => ProjectState;
}

const FOLDS: { readonly [T in EventType]: Fold<T> } = {
  "task.started": {
    accepts: isTaskStarted,
    evolve: (state, body, at) => {
      const { place, baseline } = body.contract;
      const run = { task: taskStarted(body, at), graph: null, trajectory: trajectoryFrom(at.at) };
      const evidence = treeSeen(state.evidence, place, baseline.tree, at.seq);
      return { ...state, evidence, runs: { ...state.runs, [at.run]: run } };
    },
    unknown: withTreesUnknown,
  },
  "task.taken-over": {
    accepts: isTaskTakenOver,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => taskTakenOver(task, body, at)),
    unknown: (state, at) => withRun(state, at.run, ({ task }) => takenOverUnknown(task, at)),
  },
  // What these three did to the run, the type alone tells: shed, they lack the reason and no more.
  "task.paused": {
    accepts: isTaskPaused,
    evolve: (state, body, at) => withRun(state, at.run, ({ task }) => taskPaused(task, body, at)),
    unknown: (state, at) => withRun(state, at.run, ({ task }) => taskPaused(task, null, at)),
  },
  "task.continued": {
    accepts: isTaskContinued,
    evolve: (state, _, at) => withRun(state, at.run, ({ task }) => taskContinued(task, at)),
    unknown: (state, at) => withRun(state, at.run, ({ task }) => taskContinued(task, at)),
  },
  "task.abandoned": {
    accepts: isTaskAbandoned,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => taskAbandoned(task, body, at)),
    unknown: (state, at) => withRun(state, at.run, ({ task }) => taskAbandoned(task, null, at)),
  },
  "task.concluded": {
    accepts: isTaskConcluded,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => taskConcluded(task, body, at)),
    unknown: (state, at) => withRun(state, at.run, ({ task }) => concludedUnknown(task, at)),
  },
  "criteria.pinned": {
    accepts: isCriteriaPinned,
    evolve: (state, body, at) =>
      withRun(state, at.run, (run) => {
        run.graph = castDraft(body.graph);
      }),
    unknown: (state) => state,
  },
  "criteria.proposed": {
    accepts: isCriteriaProposed,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => criteriaProposed(task, body, at)),
    unknown: (state, at) => withRun(state, at.run, ({ task }) => criteriaProposed(task, null, at)),
  },
  "criteria.amended": {
    accepts: isCriteriaAmended,
    evolve: (state, { graph, ...amendment }, at) => ({
      ...withRun(state, at.run, (run) => {
        contractAmended(run.task, amendment, at);
        run.graph = castDraft(graph);
      }),
      evidence: criteriaChanged(state.evidence, amendment, at.run),
    }),
    unknown: (state, at) =>
      withRun(state, at.run, (run) => {
        contractAmended(run.task, null, at);
        agreementUnknown(run);
      }),
  },
  "scope.narrowed": {
    accepts: isScopeNarrowed,
    evolve: (state, { graph, ...narrowed }, at) =>
      withRun(state, at.run, (run) => {
        scopeNarrowed(run.task, narrowed, at);
        run.graph = castDraft(graph);
      }),
    unknown: (state, at) =>
      withRun(state, at.run, (run) => {
        runChanged(run.task, at);
        agreementUnknown(run);
      }),
  },
  "instruction.given": {
    accepts: isInstructionGiven,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => instructionGiven(task, body, at)),
    unknown: (state, at) => withRun(state, at.run, ({ task }) => instructionGiven(task, null, at)),
  },
  "phase.entered": {
    accepts: isPhaseEntered,
    reads: isPhaseRecorded,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ trajectory }) => phaseEntered(trajectory, body, at)),
    unknown: (state, at) =>
      withRun(state, at.run, ({ trajectory }) => phaseEntered(trajectory, null, at)),
  },
  "phase.tool-differed": {
    accepts: isPhaseToolDiffered,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ trajectory }) => phaseToolDiffered(trajectory, body, at)),
    unknown: (state) => state,
  },
  "tool.requested": {
    accepts: isToolRequested,
    evolve: (state, body, at) => ({ ...state, evidence: toolRequested(state.evidence, body, at) }),
    unknown: (state, at) => ({ ...state, evidence: unknownRequested(state.evidence, at) }),
  },
  "command.observed": {
    accepts: isCommandObserved,
    evolve: (state, body, at) => ({
      ...state,
      evidence: commandObserved(state.evidence, body, at),
    }),
    // Its call goes on being one whose end nobody knows.
    unknown: withTreesUnknown,
  },
  "evidence.bound": {
    accepts: isEvidenceBound,
    evolve: (state, body, at) => ({
      ...changed(state, at),
      evidence: evidenceBound(state.evidence, body, at),
    }),
    unknown: changed,
  },
  "plan.recorded": {
    accepts: isPlanRecorded,
    evolve: (state, body, at) => withRun(state, at.run, ({ task }) => planRecorded(task, body, at)),
    unknown: changed,
  },
  "plan.step-moved": {
    accepts: isPlanStepMoved,
    evolve: (state, body, at) =>
      withRun(state, at.run, ({ task }) => planStepMoved(task, body, at)),
    unknown: changed,
  },
  "criterion.judged": {
    accepts: isCriterionJudged,
    evolve: (state, body, at) => ({
      ...changed(state, at),
      evidence: criterionJudged(state.evidence, body, at),
    }),
    unknown: (state, at) => ({
      ...changed(state, at),
      evidence: judgementsUnknown(state.evidence, at.run),
    }),
  },
  "call.settled": {
    accepts: isCallSettled,
    evolve: (state, body) => ({ ...state, evidence: callSettled(state.evidence, body) }),
    unknown: (state) => state,
  },
  "gate.evaluated": {
    accepts: isGateEvaluated,
    evolve: (state, body, at) => ({
      ...changed(state, at),
      evidence: gateEvaluated(state.evidence, body, at),
    }),
    unknown: (state, at) => withTreesUnknown(changed(state, at), at),
  },
};

function reads(fold: Pick<Fold<EventType>, "accepts" | "reads">, body: unknown): boolean {
  return (fold.reads ?? fold.accepts)(body);
}

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

/** The run is held to something that was shed, so nothing can show that it is done. */
function agreementUnknown(run: Draft<RunState>): void {
  run.graph = null;
  run.shed = true;
}

function withTreesUnknown(state: ProjectState, at: StoredEvent["header"]): ProjectState {
  return { ...state, evidence: treesUnknown(state.evidence, at.seq) };
}

function changed(state: ProjectState, at: StoredEvent["header"]): ProjectState {
  return withRun(state, at.run, ({ task }) => runChanged(task, at));
}

function notUnderstood(state: ProjectState, event: NotUnderstood): ProjectState {
  return state.notUnderstood === null ? { ...state, notUnderstood: event } : state;
}
