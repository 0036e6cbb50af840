/** Commands that are decided in one commit. */
export const GROUP_MAX = 64;

/** How often the working tree is read again when it moves under a decision. */
export const TREE_READINGS_MAX = 3;

/**
 * Events after which the folded state is cached anew. Caching costs about as much as folding 250
 * events does, and a process that has just begun folds several times slower than one at work.
 */
export const SNAPSHOT_EVERY = 500;

/** How often something is decided at most, where others change the journal meanwhile. */
export const OUT_OF_DATE_TRIES_MAX = 10;

/** Commands whose keyed hash is kept in memory. */
export const HASHED_COMMANDS_MAX = 256;
