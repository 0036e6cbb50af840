import Type from "typebox";
import { Count, closed, oneOf, orNull, Seq, type Static } from "../schemas.ts";
import { ContractSchema, PlanStepSchema, TaskConcludedSchema } from "./schemas.ts";
import { OUTCOMES } from "./terms.ts";

/** Where a run stands; `unknown`: it has ended, and the event that said how was shed. */
export const RunStatusSchema = oneOf("open", "paused", "abandoned", ...OUTCOMES, "unknown");
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

/** One run of a task as its events tell it. */
export const ContractStateSchema = Type.Object(
  {
    contract: ContractSchema,
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
    conclusion: orNull(
      Type.Object({ ...TaskConcludedSchema.properties, seq: Seq, at: Type.String() }, closed),
    ),
    /** Since when it is paused; null unless it is. */
    pause: orNull(RecordedActSchema),
    abandonment: orNull(RecordedActSchema),
  },
  closed,
);
export type ContractState = Static<typeof ContractStateSchema>;
