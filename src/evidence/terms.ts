/** Words for what was observed. Each list is read by schema, type and command line alike. */

/** What a call can do to the project. */
export const EFFECTS = ["read", "write", "shell", "unknown"] as const;

/** Whether a command's end shows success, failure or nothing. */
export const VERDICTS = ["pass", "fail", "inconclusive"] as const;

/**
 * What a call did whose end nobody saw.
 *
 * `run-again`: whatever it did, it has to be run again. The decision is taken, so no person is
 * waited for; the call stays to be run until the end of the same command is observed.
 */
export const SETTLEMENTS = ["happened", "not-happened", "run-again"] as const;

/** How it was said: by a person who confirmed it at the terminal, or by a program. */
export const SETTLED_BY = ["terminal", "program"] as const;

/**
 * What a person says of a criterion.
 *
 * - `approved`: it holds; only of one that is a person's to judge, since the rest has to be seen
 * - `waived`: it is not asked for any more
 * - `deferred`: it is put off, and so not done
 */
export const JUDGEMENTS = ["approved", "waived", "deferred"] as const;

/** The folder of what an older version observed without saying where. No folder of a project begins so. */
export const FOLDER_UNKNOWN = "/unknown";
