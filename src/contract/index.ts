export {
  isTaskConcluded,
  isTaskDraft,
  isTaskStarted,
  isTaskTakenOver,
} from "./checks.generated.ts";
export {
  contractOf,
  contractProblem,
  draftWarnings,
  exactCommand,
} from "./draft.ts";
export {
  type ContractStatus,
  contractMachine,
  type LifecycleEvent,
  nextStatus,
} from "./machine.ts";
export { currentStep, writerIsReady } from "./plan.ts";
export {
  type ContractState,
  type EventPosition,
  taskConcluded,
  taskStarted,
  taskTakenOver,
} from "./projection.ts";
export type {
  Contract,
  Criterion,
  Difference,
  PlanStep,
  Switches,
  TaskConcluded,
  TaskDraft,
  TaskStarted,
  TaskTakenOver,
} from "./schemas.ts";
export { entryCovers, isInScope } from "./scope.ts";
