/** Later instructions that are told where a session goes on, and characters of each from its start. */
export const INSTRUCTIONS_SHOWN = 8;
export const INSTRUCTION_SHOWN_MAX = 500;
