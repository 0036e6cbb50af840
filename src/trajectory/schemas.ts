import Type from "typebox";
import { closed, oneOf, orNull, SLUG_PATTERN, type Static, Text } from "../schemas.ts";
import { PHASE_NAME_MAX, PHASE_REASON_MAX, TOOL_NAME_MAX } from "./limits.ts";
import { CAUSES, PHASES, SOURCES, TOOL_REFUSALS } from "./phases.ts";

export const Phase = oneOf(...PHASES);

/** The run moved on. Written by the command that caused it, in the same append. */
export const PhaseEnteredSchema = Type.Object(
  {
    from: Phase,
    to: Phase,
    cause: oneOf(...CAUSES),
    source: oneOf(...SOURCES),
    /** The phases of the configured path that were left out. */
    skipped: Type.Array(Phase),
    reason: orNull(Text(PHASE_REASON_MAX)),
  },
  closed,
);
export type PhaseEntered = Static<typeof PhaseEnteredSchema>;
/** The move alone: what observed it is known where the command is. */
export type PhaseMove = Omit<PhaseEntered, "source">;

/** A name of then: a phase or a cause that an older or newer version had need not exist today. */
const Name = Type.String({ pattern: SLUG_PATTERN, maxLength: PHASE_NAME_MAX });

/** The same as any version may have recorded it; nothing is decided on it but where a run stands. */
export const PhaseRecordedSchema = Type.Object(
  {
    from: Name,
    to: Name,
    cause: Name,
    /** Not recorded by the first versions. */
    source: Type.Optional(Name),
    skipped: Type.Array(Name),
    reason: orNull(Text(PHASE_REASON_MAX)),
  },
  closed,
);
export type PhaseRecorded = Static<typeof PhaseRecordedSchema>;

/** A call was about to be made that does not belong in the run's phase. Once for each kind of call. */
export const PhaseToolDifferedSchema = Type.Object(
  {
    phase: Name,
    tool: Text(TOOL_NAME_MAX, 1),
    effect: oneOf("read", "write", "shell", "unknown"),
    writes: Type.Boolean(),
    refusal: oneOf(...TOOL_REFUSALS),
    /** Whether the call was refused for it, or would have been. */
    enforced: Type.Boolean(),
  },
  closed,
);
export type PhaseToolDiffered = Static<typeof PhaseToolDifferedSchema>;
