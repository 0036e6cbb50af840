/** Transitions that the projection keeps; the journal has them all. */
export const TRANSITIONS_KEPT = 64;
/** Characters of why a phase was entered. */
export const PHASE_REASON_MAX = 240;
/** Characters of a phase's name, and of what led to it. */
export const PHASE_NAME_MAX = 40;
