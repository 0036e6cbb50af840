/** Commands that are decided in one commit. */
export const GROUP_MAX = 64;

/** How often the working tree is read again when it moves under a decision. */
export const TREE_READINGS_MAX = 3;
