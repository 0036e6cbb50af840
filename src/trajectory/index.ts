export { isPhaseEntered, isPhaseRecorded, isPhaseToolDiffered } from "./checks.generated.ts";
export {
  moveAtFailure,
  moveAtMutation,
  moveAtNewWishes,
  moveAtProof,
  moveAtStart,
  moveAtVerification,
  movesAtConclusion,
  movesAtProgress,
} from "./decide.ts";
export { canEnter, type PhaseRequest, skippedPhases, trajectoryMachine } from "./machine.ts";
export {
  CAUSES,
  type Cause,
  configuredPath,
  isPhase,
  PHASE_UNKNOWN,
  PHASES,
  type Phase,
  type Source,
  type ToolRefusal,
} from "./phases.ts";
export {
  isNewDifference,
  phaseEntered,
  phaseToolDiffered,
  trajectoryFrom,
} from "./projection.ts";
export type { PhaseEntered, PhaseMove, PhaseToolDiffered } from "./schemas.ts";
export {
  PHASE_TOOLS,
  phaseToolsMode,
  type ToolUse,
  toolRefusal,
} from "./tools.ts";
export type { TrajectoryState } from "./view-schemas.ts";
