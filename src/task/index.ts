export { isCommand } from "./checks.generated.ts";
export { decide } from "./decide.ts";
export type { DecidedEvent, Decision, EventBodies, EventType } from "./decision.ts";
export type { Facts } from "./facts.ts";
export {
  COMMAND_DIGEST,
  decidedBody,
  EVENT_TYPES,
  evolve,
  FOLD_VERSION,
  fold,
  frozen,
  initialState,
  isFoldable,
  type NotUnderstood,
  openRunOf,
  type ProjectState,
  type RunState,
  runsOf,
  runWithId,
} from "./projection.ts";
export type {
  BindEvidence,
  Command,
  ConcludeTask,
  ObserveCommand,
  RequestTool,
  SettleCall,
} from "./schemas.ts";
export { namedRun, notOpen } from "./which.ts";
