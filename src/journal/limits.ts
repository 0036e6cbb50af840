/** How deep a body may nest; deeper input is hostile or a cycle. */
export const BODY_DEPTH_MAX = 64;

/** Bytes of one body's canonical text. */
export const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** Events that are read in one go. More at once are no faster and hold more memory. */
export const READ_BATCH = 250;

/** Events behind from which on a writer reads before it takes the lock, and not under it. */
export const FAR_BEHIND = 1_000;

/** Events after which a verification says how far it is. */
export const PROGRESS_EVERY = 1_000;

/** Problems, and shed bodies, that one verification lists; it counts all of them. */
export const PROBLEMS_MAX = 100;

/** Characters of a text that is to be shed: a shorter one would be found where nobody meant it. */
export const SHED_TEXT_MIN = 4;
export const SHED_TEXT_MAX = 65_536;

/** Characters of why something is shed. */
export const SHED_REASON_MAX = 2_000;

/** Strings of one body that are looked at one by one when all its free text is shed. */
export const SHED_LEAVES_MAX = 2_000;

/** Characters that the items of one `journal.shed` take; more of them go into a further one. */
export const SHED_EVENT_TEXT_MAX = 1_048_576;

/** Events that a journal keeps when it is compacted, where nothing else is said. */
export const COMPACTION_CEILING = 5_000;
