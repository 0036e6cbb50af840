export { isCriteriaPinned } from "./checks.generated.ts";
export { compileCriteria } from "./compile.ts";
export { planningOf } from "./planning.ts";
export type { CriteriaPinned, CriterionGraph, CriterionNode } from "./schemas.ts";
export { PROOF_KINDS, type ProofKind } from "./terms.ts";
