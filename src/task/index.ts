export { isCommand, isJournalCompacted } from "./checks.generated.ts";
export {
  type CompactionDecision,
  type CompactionInput,
  compactedBody,
  decideCompaction,
  decideWithoutEvents,
  type Extents,
  heldThen,
} from "./compact.ts";
export { decide } from "./decide.ts";
export type { DecidedEvent, Decision, EventBodies, EventType } from "./decision.ts";
export type { Facts } from "./facts.ts";
export {
  COMMAND_DIGEST,
  canStandFor,
  decidedBody,
  EVENT_TYPES,
  evolve,
  FOLD_VERSION,
  fold,
  frozen,
  initialState,
  isFoldable,
  type NotUnderstood,
  type ProjectState,
} from "./projection.ts";
export { openRunOf, runsOf, runWithId } from "./runs.ts";
export type {
  BindEvidence,
  Command,
  ConcludeTask,
  JudgeCriterion,
  MoveStep,
  NarrowScope,
  ObserveCommand,
  ProposeCriteria,
  RecordPlan,
  RemovedTask,
  RequestTool,
  SettleCall,
} from "./schemas.ts";
export { upcast } from "./upcasters.ts";
export type { Holder, RunState } from "./view-schemas.ts";
export {
  amendmentUnknown,
  criterionUnknown,
  NO_OPEN_TASK,
  namedRun,
  notAtWork,
  runToRetry,
} from "./which.ts";
