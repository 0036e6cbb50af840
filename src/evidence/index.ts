export {
  isCallSettled,
  isCommandEnd,
  isCommandObserved,
  isEvidenceBound,
  isGateEvaluated,
  isToolRequested,
} from "./checks.generated.ts";
export { clipHead, clipMiddle, clipTail } from "./clip.ts";
export {
  type CommandHashing,
  type Currency,
  type VerifierStanding,
  verifierStandings,
} from "./currency.ts";
export {
  type CriterionStanding,
  criterionStandings,
  evaluateGate,
  type GateInput,
} from "./gate.ts";
export { COMMAND_MAX, OUTPUT_HEAD_MAX, OUTPUT_TAIL_MAX, RECORDED_CHANGES_MAX } from "./limits.ts";
export {
  callSettled,
  commandObserved,
  type EvidenceState,
  evidenceBound,
  gateEvaluated,
  initialEvidence,
  type Observation,
  type OpenCall,
  openCallOf,
  toolRequested,
  treeSeen,
} from "./projection.ts";
export type {
  CallSettled,
  CommandEnd,
  CommandObserved,
  EvidenceBound,
  GateDecision,
  GateEvaluated,
  GateItem,
  Reference,
  ToolRequested,
  Verdict,
} from "./schemas.ts";
export {
  changedPaths,
  differencesOf,
  listed,
  type ObservedTree,
  realChanges,
} from "./tree.ts";
export { isCheck, verdictOf } from "./verdict.ts";
