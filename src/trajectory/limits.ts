/** Transitions that the projection keeps; the journal has them all. */
export const TRANSITIONS_KEPT = 64;
/** Characters of why a phase was entered. */
export const PHASE_REASON_MAX = 240;
