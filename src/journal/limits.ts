/** How deep a body may nest; deeper input is hostile or a cycle. */
export const BODY_DEPTH_MAX = 64;

/** Bytes of one body's canonical text. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Events that are read in one go while catching up. */
export const READ_BATCH = 1_000;

/** Problems that one verification lists; the count goes on. */
export const PROBLEMS_MAX = 100;
