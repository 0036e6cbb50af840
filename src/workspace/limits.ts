/** Paths that a reading lists as differing from its base; more are counted as truncated. */
export const DIRTY_PATHS_MAX = 5_000;

/** Paths that a reading lists where all are asked for; of more none are. */
export const PATHS_MAX = 100_000;

/** Reasons that a reading without a digest lists. */
export const UNAVAILABLE_MAX = 20;

/** How often a reading begins again when the tree moves under it. */
export const READ_ATTEMPTS_MAX = 3;

/** One git process; it is killed afterwards. */
export const GIT_TIMEOUT_MS = 60_000;

/** Standard output of one git process: the index of some two million files. */
export const GIT_OUTPUT_BYTES_MAX = 256 * 1024 * 1024;

/** Standard error of one git process; what comes after is dropped. */
export const GIT_ERROR_BYTES_MAX = 64 * 1024;

/** Paths given to one git process as arguments, well below what a system allows. */
export const GIT_PATH_ARGUMENTS_MAX = 200;

/** Changed and untracked files of one reading whose content is read. */
export const HASHED_FILES_MAX = 100_000;

/** Entries of a folder without git, child repositories left aside. */
export const FOLDER_ENTRIES_MAX = 50_000;

/** Folders within folders of a folder without git. */
export const FOLDER_DEPTH_MAX = 100;

/** Content of one reading that is hashed as it is: files under a content filter, folders without git. */
export const RAW_BYTES_MAX = 4 * 1024 * 1024 * 1024;

/** Submodules and nested repositories of one reading, at any depth. */
export const REPOSITORIES_MAX = 64;

/** Repositories within repositories. */
export const REPOSITORY_DEPTH_MAX = 8;

/** Bytes that are read before the event loop gets its turn. */
export const READ_CHUNK_BYTES = 1024 * 1024;

/** Files that are looked at before the event loop gets its turn. */
export const FILES_PER_TURN = 200;

/**
 * A file's id is remembered only when the file had been at rest for this long before it was hashed:
 * a second change within one tick of the file system's clock would keep the same times.
 */
export const STAT_SETTLE_MS = 2_000;

/** Files whose ids are remembered in the state folder. */
export const CACHE_ENTRIES_MAX = 50_000;

/** A cache file that is larger is not read. */
export const CACHE_BYTES_MAX = 64 * 1024 * 1024;
