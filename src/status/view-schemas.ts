import Type from "typebox";
import { RunStatusSchema } from "../contract/view-schemas.ts";
import { CriterionNodeSchema, Planning } from "../criteria/schemas.ts";
import { GateEvaluatedSchema } from "../evidence/schemas.ts";
import {
  CriterionStandingSchema,
  ListedPaths,
  VerifierStandingSchema,
} from "../evidence/view-schemas.ts";
import { NextActionSchema, UncertainCall } from "../handoff/view-schemas.ts";
import { HeadSchema } from "../journal/view-schemas.ts";
import { Count, closed, oneOf, orNull, Seq, type Static } from "../schemas.ts";

/** One run in short. */
export const TaskSummarySchema = Type.Object(
  {
    run: Type.String(),
    taskId: Type.String(),
    summary: Type.String(),
    attempt: Count,
    maxAttempts: Count,
    status: RunStatusSchema,
    /** Whether it has not ended; it may be paused. */
    open: Type.Boolean(),
    phase: Type.String(),
    /** SHA-256 of the owning session's id. */
    owner: Type.String(),
    ownedByThisSession: Type.Boolean(),
    startedAt: Type.String(),
    startedSeq: Seq,
    version: Seq,
  },
  closed,
);
export type TaskSummary = Static<typeof TaskSummarySchema>;

const { kind, proofKinds, dependsOn, targetHints } = CriterionNodeSchema.properties;

/** How a criterion stands, and where planning stands at it: what to work on says nothing of what holds. */
export const CriterionViewSchema = Type.Object(
  {
    ...CriterionStandingSchema.properties,
    kind,
    proofKinds,
    dependsOn,
    targetHints,
    planning: Planning,
  },
  closed,
);
export type CriterionView = Static<typeof CriterionViewSchema>;

const { decision, missing, warnings } = GateEvaluatedSchema.properties;

/** One screen of where the project stands. Read from the journal and the tree; grants nothing. */
export const ProjectStatusSchema = Type.Object(
  {
    state: oneOf("idle", "active", "paused", "terminal", "corrupt"),
    task: orNull(TaskSummarySchema),
    criteria: Type.Array(CriterionViewSchema),
    verifiers: Type.Array(VerifierStandingSchema),
    gate: orNull(Type.Object({ decision, missing, warnings }, closed)),
    uncertain: Type.Array(UncertainCall),
    otherOpenRuns: Type.Array(TaskSummarySchema),
    journal: Type.Object(
      {
        events: Count,
        head: HeadSchema,
        /** The events that were read and checked now; what is before them stands in a checked snapshot. */
        verifiedFrom: Count,
        verifiedUpTo: Count,
        damage: orNull(Type.String()),
      },
      closed,
    ),
    tree: Type.Object(
      {
        digest: orNull(Type.String()),
        commit: orNull(Type.String()),
        place: Type.String(),
        operation: orNull(Type.String()),
        changed: Count,
      },
      closed,
    ),
    next: NextActionSchema,
  },
  closed,
);
export type ProjectStatus = Static<typeof ProjectStatusSchema>;

const { id, status, evidence } = CriterionStandingSchema.properties;

/** What was concluded, and on what proof. Ids and digests only, so it can be shown around. */
export const CompletionReceiptSchema = Type.Object(
  {
    run: Type.String(),
    taskId: Type.String(),
    attempt: Count,
    outcome: RunStatusSchema,
    reason: orNull(Type.String()),
    /** The tree it was concluded on, and the commits at the start and at the end. */
    tree: orNull(Type.String()),
    commits: Type.Object({ base: orNull(Type.String()), head: orNull(Type.String()) }, closed),
    changed: ListedPaths,
    /** Each verify command with the observation that proves it. */
    verifiers: Type.Array(Type.Object({ command: Type.String(), seq: orNull(Seq) }, closed)),
    criteria: Type.Array(Type.Object({ id, status, evidence }, closed)),
    warnings: Type.Array(Type.String()),
    head: HeadSchema,
    assurance: Type.String(),
  },
  closed,
);
export type CompletionReceipt = Static<typeof CompletionReceiptSchema>;

/** What a session is best shown first for a task: advice, which grants nothing and says nothing of what holds. */
export const ContextPackSchema = Type.Object(
  {
    /** One line for each criterion. */
    guidance: Type.Array(Type.String()),
    files: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          text: Type.String(),
          /** False where the tokens ended within it. */
          whole: Type.Boolean(),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type ContextPack = Static<typeof ContextPackSchema>;
