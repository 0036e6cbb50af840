export { amendedCriteria, amendmentText, heldSince } from "./amendment.ts";
export { pinnedBy } from "./authority.ts";
export {
  isContractV1,
  isCriteriaProposed,
  isInstructionGiven,
  isPlanRecorded,
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
  exactCommand,
  resolved,
} from "./draft.ts";
export {
  AMENDMENTS_MAX,
  BASELINE_PATHS_MAX,
  CONTRACT_BYTES_MAX,
  INSTRUCTION_KEPT_MAX,
  TASK_ID_MAX,
} from "./limits.ts";
export {
  type ContractStatus,
  contractMachine,
  type LifecycleEvent,
  nextStatus,
} from "./machine.ts";
export {
  begun,
  currentStep,
  discoverySteps,
  isKeptByObservation,
  planAfter,
  plannedAnew,
  waitedFor,
  writerIsReady,
} from "./plan.ts";
export {
  concludedUnknown,
  contractAmended,
  criteriaProposed,
  type EventPosition,
  hasEnded,
  instructionGiven,
  isUntold,
  isUsers,
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
} from "./projection.ts";
export type {
  Contract,
  ContractV1,
  CriteriaProposed,
  Criterion,
  Difference,
  InstructionGiven,
  PlanRecorded,
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
export {
  entryCovers,
  isBounded,
  isInScope,
  isNarrower,
  resolvedEntry,
  scopeEntryProblem,
} from "./scope.ts";
export { slugOf } from "./slug.ts";
export { type StepEvent, stepMachine, stepMayMove } from "./step-machine.ts";
export {
  CHANGE_MODES,
  FAILED_AT,
  type IntakeMode,
  OUTCOMES,
  REQUIRED_ACTIONS,
  RISK_LANES,
  STEP_TARGETS,
  VERIFY_SHELLS,
} from "./terms.ts";
export {
  attemptOfV1,
  draftOfV1,
  migrationOf,
  readFieldsOfV1,
  warningsOnV1,
} from "./version-one.ts";
export type { ContractState, LaterInstruction } from "./view-schemas.ts";
