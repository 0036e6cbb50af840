import Type from "typebox";
import { Count, closed, oneOf, orNull, Seq, type Static } from "../schemas.ts";
import {
  AmendmentSchema,
  ContractSchema,
  CriteriaProposedSchema,
  InstructionGivenSchema,
  MigrationSchema,
  PlanStepSchema,
  TaskConcludedSchema,
} from "./schemas.ts";
import { OUTCOMES } from "./terms.ts";

/**
 * Where a run stands. Two ends are told by no event of this journal, so they prove nothing. `unknown`:
 * the event that said how it ended was shed; `historical`: it had ended in version 1.
 */
export const RunStatusSchema = oneOf(
  "open",
  "paused",
  "abandoned",
  ...OUTCOMES,
  "unknown",
  "historical",
);
export type RunStatus = Static<typeof RunStatusSchema>;

/** When something was done to a run and why. */
export const RecordedActSchema = Type.Object(
  {
    /** Null where none was given, and where it was shed. */
    reason: orNull(Type.String()),
    seq: Seq,
    at: Type.String(),
  },
  closed,
);
export type RecordedAct = Static<typeof RecordedActSchema>;

const at = { seq: Seq, at: Type.String() };

const { criteria: _, ...amendment } = AmendmentSchema.properties;

/** What of an accepted amendment is told later; the criteria themselves are in the contract. */
export const AcceptedAmendmentSchema = Type.Object({ ...amendment, ...at }, closed);
export type AcceptedAmendment = Static<typeof AcceptedAmendmentSchema>;

/** What the user said after the start, with where it stands in the journal. */
export const LaterInstructionSchema = Type.Object(
  { ...InstructionGivenSchema.properties, ...at },
  closed,
);
export type LaterInstruction = Static<typeof LaterInstructionSchema>;

/** One run of a task as its events tell it. */
export const ContractStateSchema = Type.Object(
  {
    /** What the run is held to: as agreed on at the start, with what a person accepted since. */
    contract: ContractSchema,
    /** How often other criteria were proposed; the number of the last proposal. */
    proposals: Count,
    /** The last proposal; null where none is open. */
    proposal: orNull(Type.Object({ ...CriteriaProposedSchema.properties, ...at }, closed)),
    /** What a person accepted, oldest first. */
    amendments: Type.Array(AcceptedAmendmentSchema),
    /** What was said after the start. */
    instructions: Type.Object(
      {
        count: Count,
        /** Oldest first. The user's own stay longest. */
        recent: Type.Array(LaterInstructionSchema),
        /** The newest of the user's own that is not known whole any more; null where all are. */
        unknownSeq: orNull(Seq),
      },
      closed,
    ),
    /** What it was made of, where it began as a contract of version 1. */
    migratedFrom: Type.Optional(MigrationSchema),
    status: RunStatusSchema,
    /** The work plan as it stands; `contract.plan` is the one that was agreed on. */
    plan: Type.Array(PlanStepSchema),
    /** SHA-256 of the owning session's id; only the owner changes the run. */
    owner: Type.String(),
    /** Raised at each takeover, so that an owner of before is told apart. */
    epoch: Count,
    /** Position in the run of the last event that changed it; what `expectedVersion` compares. */
    version: Seq,
    /** The same event by its position in the journal. */
    changedSeq: Seq,
    startedSeq: Seq,
    startedAt: Type.String(),
    /** Null as well where it was shed. */
    conclusion: orNull(Type.Object({ ...TaskConcludedSchema.properties, ...at }, closed)),
    /** Since when it is paused; null unless it is. */
    pause: orNull(RecordedActSchema),
    abandonment: orNull(RecordedActSchema),
  },
  closed,
);
export type ContractState = Static<typeof ContractStateSchema>;
