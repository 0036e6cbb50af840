import type {
  CriteriaProposed,
  InstructionGiven,
  PlanRecorded,
  PlanStepMoved,
  TaskAbandoned,
  TaskConcluded,
  TaskContinued,
  TaskPaused,
  TaskStarted,
  TaskTakenOver,
} from "../contract/index.ts";
import type { CriteriaAmended, CriteriaPinned, ScopeNarrowed } from "../criteria/index.ts";
import type { ErrorCode, Refusal } from "../errors.ts";
import type {
  CallSettled,
  CommandObserved,
  CriterionJudged,
  EvidenceBound,
  GateEvaluated,
  ToolRequested,
} from "../evidence/index.ts";
import type { PhaseEntered, PhaseMove, PhaseToolDiffered, Source } from "../trajectory/index.ts";

/** Everything that this version's engine records, by type. A new member must be folded. */
export interface EventBodies {
  readonly "task.started": TaskStarted;
  readonly "task.taken-over": TaskTakenOver;
  readonly "task.paused": TaskPaused;
  readonly "task.continued": TaskContinued;
  readonly "task.abandoned": TaskAbandoned;
  readonly "task.concluded": TaskConcluded;
  readonly "criteria.pinned": CriteriaPinned;
  readonly "criteria.proposed": CriteriaProposed;
  readonly "criteria.amended": CriteriaAmended;
  readonly "scope.narrowed": ScopeNarrowed;
  readonly "instruction.given": InstructionGiven;
  readonly "phase.entered": PhaseEntered;
  readonly "phase.tool-differed": PhaseToolDiffered;
  readonly "tool.requested": ToolRequested;
  readonly "command.observed": CommandObserved;
  readonly "evidence.bound": EvidenceBound;
  readonly "criterion.judged": CriterionJudged;
  readonly "plan.recorded": PlanRecorded;
  readonly "plan.step-moved": PlanStepMoved;
  readonly "call.settled": CallSettled;
  readonly "gate.evaluated": GateEvaluated;
}
export type EventType = keyof EventBodies;

interface Decided<T extends string, B> {
  /** The run it belongs to, or "-". */
  readonly run: string;
  readonly type: T;
  readonly body: B;
  /** Id of an earlier event that led to it, where it is not the command's own first event. */
  readonly cause?: string | null;
}

/** An event that a command causes. */
export type DecidedEvent =
  | { [T in EventType]: Decided<T, EventBodies[T]> }[EventType]
  | Decided<`x.${string}`, Record<string, unknown>>;

/**
 * What a command leads to. A refusal is an answer like any other; a refused conclusion still
 * records the gate that refused it.
 */
export interface Decision {
  readonly events: readonly DecidedEvent[];
  readonly refusal: Refusal | null;
}

export const accept = (...events: readonly DecidedEvent[]): Decision => ({ events, refusal: null });

export const refused = (refusal: Refusal): Decision => ({ events: [], refusal });

export const refuse = (code: ErrorCode, message: string, remedy: string): Decision =>
  refused({ code, message, remedy });

/** The events of moves that a command leads to, in their order, with what observed them. */
export function phasesEntered(
  run: string,
  moves: readonly PhaseMove[],
  source: Source,
): readonly DecidedEvent[] {
  return moves.map((move) => ({ run, type: "phase.entered", body: { ...move, source } }));
}
