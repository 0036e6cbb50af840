export { isCriteriaPinned } from "./checks.generated.ts";
export { compileCriteria } from "./compile.ts";
export type { CriteriaPinned, CriterionGraph, CriterionNode, ProofKind } from "./schemas.ts";
