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

/**
 * How one verify command stands.
 *
 * - `current`: the newest run passed on the very tree that is there now
 * - `flaky`: so it did, but it had failed on that tree before, and the task does not take that
 * - `stale`: it passed, but on another tree (or the tree was changed and put back since)
 * - `changed-tree`: it passed and changed the tree itself, so it proved another one
 * - `failed`: it failed on the tree that is there now, or left this tree behind
 * - `failed-before`: it failed, on another tree
 * - `inconclusive`: its end says nothing
 * - `folder-unknown`: it was observed by an older version, which did not say in which folder
 * - `other-journal`: it was observed under another journal's key
 * - `missing`: it was never seen to end
 * - `shed`: what the command was is not known any more, so nothing proves it
 */
export const CURRENCIES = [
  "current",
  "flaky",
  "stale",
  "changed-tree",
  "failed",
  "failed-before",
  "inconclusive",
  "folder-unknown",
  "other-journal",
  "missing",
  "shed",
] as const;
export type Currency = (typeof CURRENCIES)[number];
