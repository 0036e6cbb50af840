/** Where a process can be cut off while it makes a journal, in order. */
export const CREATION_STEPS = ["draft", "tables", "commit", "link", "linked", "hide"] as const;

export type CreationStep = (typeof CREATION_STEPS)[number];
