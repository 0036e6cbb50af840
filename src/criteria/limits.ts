/** Scope entries that one node points to. */
export const TARGET_HINTS_MAX = 4;
/** Shorter file names and stems occur in prose by chance. */
export const BASENAME_MIN = 3;
export const STEM_MIN = 4;
/** Files that are named as those to look at first: the default, and the most of one call. */
export const FOCUSED_FILES_DEFAULT = 8;
export const FOCUSED_FILES_MAX = 50;
