export { isCriteriaAmended, isCriteriaPinned } from "./checks.generated.ts";
export { compileCriteria } from "./compile.ts";
export type { Planning } from "./machine.ts";
export { planningOf } from "./planning.ts";
export type { CriteriaAmended, CriteriaPinned, CriterionGraph, CriterionNode } from "./schemas.ts";
export { PROOF_KINDS, type ProofKind } from "./terms.ts";
