import Type from "typebox";
import { REQUIRED_ACTIONS } from "../contract/index.ts";
import { Attempt, MigrationSchema, Outcome } from "../contract/schemas.ts";
import { ERROR_KINDS, type ErrorCode } from "../errors.ts";
import { GateEvaluatedSchema } from "../evidence/schemas.ts";
import { HeadSchema } from "../journal/view-schemas.ts";
import { Count, closed, oneOf, orNull, Seq, type Static, Uuid } from "../schemas.ts";
import { CompletionReceiptSchema } from "../status/view-schemas.ts";
import { RemovedTaskSchema } from "../task/schemas.ts";
import { HolderSchema } from "../task/view-schemas.ts";

/** A run that has just begun. */
export const StartedTaskSchema = Type.Object(
  {
    taskId: Type.String(),
    run: Uuid,
    attempt: Attempt,
    phase: Type.String(),
    head: HeadSchema,
    warnings: Type.Array(Type.String()),
  },
  closed,
);
export type StartedTask = Static<typeof StartedTaskSchema>;

/** The gate's answer for the tree as it is, and where the journal stood. */
export const GateReportSchema = Type.Object(
  { ...GateEvaluatedSchema.properties, run: Type.String(), head: HeadSchema },
  closed,
);
export type GateReport = Static<typeof GateReportSchema>;

/** A run that has just been ended. */
export const ConcludedTaskSchema = Type.Object(
  { run: Type.String(), outcome: Outcome, receipt: CompletionReceiptSchema, head: HeadSchema },
  closed,
);
export type ConcludedTask = Static<typeof ConcludedTaskSchema>;

/** What was taken into an empty journal. */
export const ImportReportSchema = Type.Object(
  {
    imported: Count,
    /** True when a torn last line was left out. */
    torn: Type.Boolean(),
    head: HeadSchema,
  },
  closed,
);
export type ImportReport = Static<typeof ImportReportSchema>;

/** A failure or a refusal: what is wrong in one sentence, and what can be done about it. */
export const ToldFailureSchema = Type.Object(
  {
    code: oneOf(...(Object.keys(ERROR_KINDS) as ErrorCode[])),
    message: Type.String(),
    remedy: Type.String(),
  },
  closed,
);
export type ToldFailure = Static<typeof ToldFailureSchema>;

/** What became of the bytes that upkeep took out. */
export const PurgedSchema = Type.Object(
  {
    /** Whether they are gone from wherever the store kept them. */
    purged: Type.Boolean(),
    /** Why they are not; the next opening tries again. */
    purgeProblem: orNull(ToldFailureSchema),
  },
  closed,
);
export type Purged = Static<typeof PurgedSchema>;

/** What a shedding took out of the journal. */
export const ShedReportSchema = Type.Object(
  {
    /** `replaced`: something stands for the body, so that what else it said is still known. */
    shed: Type.Array(
      Type.Object({ seq: Seq, type: Type.String(), replaced: Type.Boolean() }, closed),
    ),
    /** How many of them something stands for. */
    replaced: Count,
    /** Events that go on holding the text. */
    remaining: Type.Array(
      Type.Object({ seq: Seq, type: Type.String(), why: Type.String() }, closed),
    ),
    head: HeadSchema,
    ...PurgedSchema.properties,
  },
  closed,
);
export type ShedReport = Static<typeof ShedReportSchema>;

/** What a compaction removed from the journal's beginning. */
export const CompactionReportSchema = Type.Object(
  {
    removed: Count,
    /** Events that the journal holds now, the one that tells of the compaction among them. */
    kept: Count,
    /** The last event that was removed; null where none was. */
    through: orNull(HeadSchema),
    /** What the journal still knows of tasks of which runs were removed, now or earlier. */
    tasks: Type.Array(RemovedTaskSchema),
    /** The runs that keep the journal above its ceiling. */
    heldBy: Type.Array(HolderSchema),
    head: HeadSchema,
    ...PurgedSchema.properties,
  },
  closed,
);
export type CompactionReport = Static<typeof CompactionReportSchema>;

const { status, outcome, archive } = MigrationSchema.properties;

/** What an import of a contract of version 1 made. The same file again gives the same, whatever became of the run since. */
export const ImportedContractSchema = Type.Object(
  {
    taskId: Type.String(),
    run: Uuid,
    attempt: Attempt,
    /** Of the run as it began: `historical` where version 1 had ended it. */
    status: oneOf("open", "historical"),
    migration: Type.Object(
      {
        status,
        requiredAction: oneOf(...Object.values(REQUIRED_ACTIONS)),
        /** What version 1 says of the attempt's end. Nobody here has seen it. */
        claimedOutcome: outcome,
      },
      closed,
    ),
    /** Where the exact bytes are kept. */
    archive: Type.Object({ path: Type.String(), ...archive.properties }, closed),
    head: HeadSchema,
    warnings: Type.Array(Type.String()),
  },
  closed,
);
export type ImportedContract = Static<typeof ImportedContractSchema>;
