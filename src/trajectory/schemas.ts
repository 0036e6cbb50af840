import Type, { type Static } from "typebox";
import { closed, oneOf, orNull, Text } from "../schemas.ts";
import { PHASE_REASON_MAX } from "./limits.ts";
import { CAUSES, PHASES } from "./phases.ts";

const Phase = oneOf(...PHASES);

/** The run moved on. Written by the command that caused it, in the same append. */
export const PhaseEnteredSchema = Type.Object(
  {
    from: Phase,
    to: Phase,
    cause: oneOf(...CAUSES),
    /** The phases of the configured path that were left out. */
    skipped: Type.Array(Phase),
    reason: orNull(Text(PHASE_REASON_MAX)),
  },
  closed,
);
export type PhaseEntered = Static<typeof PhaseEnteredSchema>;
