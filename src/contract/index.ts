export {
  isPlanStepMoved,
  isTaskAbandoned,
  isTaskConcluded,
  isTaskContinued,
  isTaskDraft,
  isTaskPaused,
  isTaskStarted,
  isTaskTakenOver,
} from "./checks.generated.ts";
export {
  contractOf,
  contractProblem,
  draftWarnings,
  exactCommand,
} from "./draft.ts";
export { BASELINE_PATHS_MAX, TASK_ID_MAX } from "./limits.ts";
export {
  type ContractStatus,
  contractMachine,
  type LifecycleEvent,
  nextStatus,
} from "./machine.ts";
export { currentStep, nextReadyStep, waitedFor, writerIsReady } from "./plan.ts";
export {
  concludedUnknown,
  type EventPosition,
  hasEnded,
  planStepMoved,
  runChanged,
  takenOverUnknown,
  taskAbandoned,
  taskConcluded,
  taskContinued,
  taskPaused,
  taskStarted,
  taskTakenOver,
} from "./projection.ts";
export type {
  Contract,
  Criterion,
  Difference,
  PlanStep,
  PlanStepMoved,
  Switches,
  TaskAbandoned,
  TaskConcluded,
  TaskContinued,
  TaskDraft,
  TaskPaused,
  TaskStarted,
  TaskTakenOver,
} from "./schemas.ts";
export { entryCovers, isInScope, scopeEntryProblem } from "./scope.ts";
export { slugOf } from "./slug.ts";
export { type StepEvent, stepMachine, stepMayMove } from "./step-machine.ts";
export {
  CHANGE_MODES,
  FAILED_AT,
  type IntakeMode,
  OUTCOMES,
  RISK_LANES,
  STEP_TARGETS,
  VERIFY_SHELLS,
} from "./terms.ts";
export type { ContractState } from "./view-schemas.ts";
