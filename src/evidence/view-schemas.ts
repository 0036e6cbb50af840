import Type from "typebox";
import { ProofKind } from "../criteria/schemas.ts";
import { Count, CriterionId, closed, oneOf, orNull, Seq, type Static } from "../schemas.ts";
import { CriterionJudgedSchema } from "./schemas.ts";
import { CURRENCIES } from "./terms.ts";

/** What a person last said of a criterion. */
export const JudgementSchema = Type.Object(
  { ...CriterionJudgedSchema.properties, seq: Seq },
  closed,
);
export type Judgement = Static<typeof JudgementSchema>;

/** How one criterion stands. */
export const CriterionStandingSchema = Type.Object(
  {
    id: CriterionId,
    text: Type.String(),
    /**
     * `blocked`: a verify command that it needs fails on the tree as it is. `waived` and `deferred` are a
     * person's word, and neither says that it holds.
     */
    status: oneOf("satisfied", "pending", "blocked", "waived", "deferred"),
    /** Kinds of proof that are still missing. */
    missing: Type.Array(ProofKind),
    /** The events that its evidence points to. */
    evidence: Type.Array(Seq),
    /** What a person last said of it, or null. */
    judgement: orNull(JudgementSchema),
    /** The event since which it is asked for in these words. */
    since: Seq,
  },
  closed,
);
export type CriterionStanding = Static<typeof CriterionStandingSchema>;

/** Paths that changed, the first of them by name. */
export const ListedPaths = Type.Object({ paths: Type.Array(Type.String()), count: Count }, closed);

/** How one verify command stands. */
export const VerifierStandingSchema = Type.Object(
  {
    command: Type.String(),
    currency: oneOf(...CURRENCIES),
    /** The observation that decides, or null. */
    seq: orNull(Seq),
    reason: orNull(Type.String()),
    /** What changed since the observation, as far as it is known. */
    changed: ListedPaths,
    /** Where it ran, if that is another working tree of the repository. */
    elsewhere: orNull(Type.String()),
    /** How often it failed on the very tree that it then passed on. */
    failures: Count,
  },
  closed,
);
export type VerifierStanding = Static<typeof VerifierStandingSchema>;
