/** Characters of a host's call id and of a tool's name. */
export const CALL_ID_MAX = 200;
export const TOOL_NAME_MAX = 200;
/** Characters of a recorded command; a longer one keeps head and tail, with a mark between them. */
export const COMMAND_MAX = 8_192;
export const CLIP_MARK_MAX = 64;
/** Characters of a signal's name, and of why an end says nothing. */
export const SIGNAL_MAX = 20;
export const VERDICT_REASON_MAX = 200;
/** Characters of output kept from each end; the digest and the size stand for the rest. */
export const OUTPUT_HEAD_MAX = 4_096;
export const OUTPUT_TAIL_MAX = 8_192;
/** Observed commands that can still be referred to by `seq:N`. */
export const RECENT_MAX = 256;
/** Calls without an end that are kept apart. Of more, those that only read are left out first. */
export const OPEN_CALLS_MAX = 256;
/** Places and folders for which one command's latest observation is kept. */
export const PLACES_MAX = 16;
/** Paths that one view lists; the count goes on. */
export const LISTED_PATHS_MAX = 50;
/** Changed paths that a verifier's observation records, so that what made it stale can be named. */
export const RECORDED_CHANGES_MAX = 200;
/** Items that a gate report lists. */
export const MISSING_MAX = 50;

/** Places, and failed verifiers, that are remembered of what compaction took out. */
export const REMEMBERED_PLACES_MAX = 250;
export const REMEMBERED_FAILURES_MAX = 250;

/** Characters beside a cut in an output that are left out, since half a secret may stand there. */
export const CUT_EDGE = 4_096;
/** Characters of an instruction that an item of the gate quotes. */
export const QUOTED_MAX = 500;
