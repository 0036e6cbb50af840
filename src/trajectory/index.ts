export { isPhaseEntered, isPhaseRecorded } from "./checks.generated.ts";
export {
  moveAtFailure,
  moveAtMutation,
  moveAtProof,
  moveAtStart,
  moveAtVerification,
  movesAtConclusion,
  movesAtProgress,
} from "./decide.ts";
export { canEnter, type PhaseRequest, skippedPhases, trajectoryMachine } from "./machine.ts";
export { CAUSES, type Cause, configuredPath, PHASES, type Phase, type Source } from "./phases.ts";
export {
  phaseEntered,
  trajectoryFrom,
} from "./projection.ts";
export type { PhaseEntered, PhaseMove } from "./schemas.ts";
export type { TrajectoryState } from "./view-schemas.ts";
