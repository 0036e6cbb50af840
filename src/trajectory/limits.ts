/** Transitions that the projection keeps; the journal has them all. */
export const TRANSITIONS_KEPT = 64;
/**
 * Names of phases that the projection counts visits and time for, in the order in which a run came to
 * them. Today's machine has nine; a journal of another version may name others.
 */
export const PHASE_NAMES_KEPT = 64;
/** Characters of why a phase was entered. */
export const PHASE_REASON_MAX = 240;
/** Characters of a phase's name, and of what led to it. */
export const PHASE_NAME_MAX = 40;
/** Kinds of calls that are recorded as not belonging in a phase; of further ones none is. */
export const TOOL_DIFFERENCES_KEPT = 64;
/** Characters of a tool's name. */
export const TOOL_NAME_MAX = 200;
