import Type from "typebox";
import { Count, closed, orNull, Seq, type Static } from "../schemas.ts";
import { PhaseRecordedSchema, PhaseToolDifferedSchema } from "./schemas.ts";

/** A move from one phase to another, and where it stands in the journal. */
export const TransitionSchema = Type.Object(
  {
    ...PhaseRecordedSchema.properties,
    /** What observed it; null where that was not recorded. */
    source: orNull(Type.String()),
    seq: Seq,
    at: Type.String(),
  },
  closed,
);
export type Transition = Static<typeof TransitionSchema>;

/** Where a run stands among its phases, and how it came there. */
export const TrajectoryStateSchema = Type.Object(
  {
    /**
     * By the name that it was stored under, which today's machine need not have; `unknown` from where a
     * move was shed or did not begin where the run stood.
     */
    phase: Type.String(),
    /** Transitions so far. */
    count: Count,
    /** The newest `TRANSITIONS_KEPT` of them, oldest first. */
    recent: Type.Array(TransitionSchema),
    /** The kinds of calls that did not belong in their phase, at most `TOOL_DIFFERENCES_KEPT`. */
    differences: Type.Array(
      Type.Object({ ...PhaseToolDifferedSchema.properties, seq: Seq }, closed),
    ),
    /** When the phase was entered; the start of the run for the first. */
    since: Type.String(),
    /**
     * How often each phase was entered, of the first `PHASE_NAMES_KEPT` names. What has a later name is
     * counted under none, neither here nor in `spentMs`.
     */
    entered: Type.Record(Type.String(), Count),
    /**
     * Milliseconds in each phase that was left, all visits together. Null from where the clock went
     * back within a visit: how long it was nobody knows.
     */
    spentMs: Type.Record(Type.String(), orNull(Count)),
  },
  closed,
);
export type TrajectoryState = Static<typeof TrajectoryStateSchema>;
