/** What would show that a criterion holds. */
export const PROOF_KINDS = [
  "behavioral-check",
  "exact-verifier",
  "read-evidence",
  "scoped-diff",
] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/**
 * Where planning stands at one criterion. There is no state for one that holds: what holds is seen,
 * and planning neither knows nor decides it.
 */
export const PLANNINGS = ["waiting", "ready", "in-focus"] as const;
export type Planning = (typeof PLANNINGS)[number];

/**
 * The rules by which a graph was compiled. The second has references in brackets, which may lead
 * forward; what the first compiled stays as it was pinned.
 */
export const COMPILERS = ["criterion-graph-v1", "criterion-graph-v2"] as const;
export const COMPILER = "criterion-graph-v2";
