/** What would show that a criterion holds. */
export const PROOF_KINDS = [
  "behavioral-check",
  "exact-verifier",
  "read-evidence",
  "scoped-diff",
] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];
