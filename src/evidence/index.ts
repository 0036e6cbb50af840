export {
  isCallSettled,
  isCommandEnd,
  isCommandObserved,
  isCriterionJudged,
  isEvidenceBound,
  isGateEvaluated,
  isToolRequested,
} from "./checks.generated.ts";
export { clipHead, clipMiddle, clipTail } from "./clip.ts";
export { type GateInput, isSettled } from "./criteria.ts";
export {
  type CommandHashing,
  verifierStandings,
  type WhyNotCounted,
  whyNotCounted,
} from "./currency.ts";
export { type Assessment, assess, evaluateGate, gateWithoutGraph } from "./gate.ts";
export {
  COMMAND_MAX,
  CUT_EDGE,
  OUTPUT_HEAD_MAX,
  OUTPUT_TAIL_MAX,
  RECORDED_CHANGES_MAX,
} from "./limits.ts";
export { runAgainCommand, settleCommand } from "./missing.ts";
export {
  callSettled,
  commandObserved,
  criteriaChanged,
  criterionJudged,
  type EvidenceState,
  evidenceBound,
  gateEvaluated,
  initialEvidence,
  judgementsUnknown,
  type OpenCall,
  openCallOf,
  type RecordedObservation,
  toolRequested,
  treeSeen,
  treesUnknown,
  unknownRequested,
} from "./projection.ts";
export { remembered, rememberedOf } from "./remember.ts";
export type {
  CallSettled,
  CommandEnd,
  CommandObserved,
  CriterionJudged,
  EvidenceBound,
  GateDecision,
  GateEvaluated,
  GateItem,
  Observation,
  Reference,
  ToolRequested,
  Verdict,
} from "./schemas.ts";
export { type Currency, FOLDER_UNKNOWN, SETTLEMENTS } from "./terms.ts";
export {
  changedPaths,
  differencesOf,
  listed,
  type ObservedTree,
  pathInProject,
  realChanges,
} from "./tree.ts";
export { isCheck, verdictOf } from "./verdict.ts";
export type { CriterionStanding, VerifierStanding } from "./view-schemas.ts";
