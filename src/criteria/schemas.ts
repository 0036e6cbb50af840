import Type from "typebox";
import { AmendmentSchema, NarrowedScopeSchema } from "../contract/schemas.ts";
import { Count, CriterionId, closed, Hash, oneOf, type Static } from "../schemas.ts";
import { TARGET_HINTS_MAX } from "./limits.ts";
import { COMPILERS, PLANNINGS, PROOF_KINDS } from "./terms.ts";

export const ProofKind = oneOf(...PROOF_KINDS);
export const Planning = oneOf(...PLANNINGS);

/** One criterion as something to plan for. Says nothing of whether it holds. */
export const CriterionNodeSchema = Type.Object(
  {
    id: CriterionId,
    criterionIndex: Count,
    obligation: Type.String(),
    kind: oneOf("behavior", "boundary", "output", "scope", "verification", "investigation"),
    proofKinds: Type.Array(ProofKind, { minItems: 1 }),
    targetHints: Type.Array(Type.String(), { maxItems: TARGET_HINTS_MAX }),
    dependsOn: Type.Array(CriterionId),
  },
  closed,
);
export type CriterionNode = Static<typeof CriterionNodeSchema>;

/** Criterion Graph v1: what "done" is made of, pinned by digest when the task starts. */
export const CriterionGraphSchema = Type.Object(
  {
    schemaVersion: Type.Literal(1),
    compiler: oneOf(...COMPILERS),
    mode: oneOf("criterion-graph", "mechanical"),
    criterionDigest: Hash,
    graphDigest: Hash,
    nodes: Type.Array(CriterionNodeSchema, { minItems: 1 }),
    /** The ids, each after all that its node depends on. */
    order: Type.Array(CriterionId, { minItems: 1 }),
  },
  closed,
);
export type CriterionGraph = Static<typeof CriterionGraphSchema>;

/** The graph that a run is held to. */
export const CriteriaPinnedSchema = Type.Object({ graph: CriterionGraphSchema }, closed);
export type CriteriaPinned = Static<typeof CriteriaPinnedSchema>;

/** A person accepted other criteria, or another scope: from here on the run is held to these. */
export const CriteriaAmendedSchema = Type.Object(
  { ...AmendmentSchema.properties, graph: CriterionGraphSchema },
  closed,
);
export type CriteriaAmended = Static<typeof CriteriaAmendedSchema>;

/** Before anything was changed or verified, the run was bound to fewer paths. */
export const ScopeNarrowedSchema = Type.Object(
  { ...NarrowedScopeSchema.properties, graph: CriterionGraphSchema },
  closed,
);
export type ScopeNarrowed = Static<typeof ScopeNarrowedSchema>;
