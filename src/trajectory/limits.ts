/** Transitions that the projection keeps; the journal has them all. */
export const TRANSITIONS_KEPT = 64;
