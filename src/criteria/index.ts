export { isCriteriaAmended, isCriteriaPinned, isScopeNarrowed } from "./checks.generated.ts";
export { compileCriteria, criteriaProblem, isCompiledFrom } from "./compile.ts";
export { focusedFiles } from "./focus.ts";
export { FOCUSED_FILES_DEFAULT } from "./limits.ts";
export { planningOf } from "./planning.ts";
export type {
  CriteriaAmended,
  CriteriaPinned,
  CriterionGraph,
  CriterionNode,
  ScopeNarrowed,
} from "./schemas.ts";
export { PROOF_KINDS, type ProofKind } from "./terms.ts";
