/** Words that a contract is made of. Each list is read by schema, type and command line alike. */

/** Whether a task may change files. */
export const CHANGE_MODES = ["source-change", "read-only"] as const;

/** How risky a task is, and so how many phases it goes through. */
export const RISK_LANES = ["tiny", "normal", "high-risk"] as const;

/** Who worded the draft. */
export const INTAKE_MODES = ["model", "runtime", "person"] as const;
export type IntakeMode = (typeof INTAKE_MODES)[number];

/** What runs the verify commands. */
export const VERIFY_SHELLS = ["sh", "bash"] as const;

/**
 * From whom an instruction came:
 *
 * - `user`: a host saw the user say it
 * - `extension`: a host says that one of its extensions put it in
 * - `terminal`: a person typed it at a terminal of their own
 * - `program`: a program passed it on
 */
export const INSTRUCTED_BY = ["user", "extension", "terminal", "program"] as const;

/** Where a step of the work plan can be moved to, and where it can stand. */
export const STEP_TARGETS = ["in-progress", "done", "skipped", "failed"] as const;
export const STEP_STATUSES = ["pending", ...STEP_TARGETS] as const;

/** Who is meant to carry a step out: the agent itself, or a helper of it. Names a part, grants nothing. */
export const STEP_ROLES = [
  "parent",
  "piagent-scout",
  "piagent-planner",
  "piagent-worker",
  "piagent-reviewer",
  "piagent-oracle",
] as const;

/** How far a capability may go, each including what stands before it. Only the last two change anything. */
export const AUTHORITIES = ["off", "observe", "advise", "enforce", "orchestrate"] as const;

/** How a run can end. */
export const OUTCOMES = ["completed", "blocked", "partial", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The kind of work in which a failed run failed. */
export const FAILED_AT = ["research", "plan", "execute", "verify", "review"] as const;

/** How a task stood when version 1 last wrote its contract. */
export const V1_OUTCOMES = ["pending", ...OUTCOMES] as const;

/**
 * What becomes of a contract of version 1. Its digests are none of ours, so whatever it says was
 * proved is no proof here.
 *
 * - `verification-refresh-required`: the attempt goes on, and each verify command has to run anew
 * - `new-attempt-required`: what the attempt rested on can't be told, so the run that the import
 *   begins takes its place, under the same number
 * - `historical-unverifiable`: the attempt had ended; it counts as one, and as no proof of anything
 */
export const MIGRATION_STATUSES = [
  "verification-refresh-required",
  "new-attempt-required",
  "historical-unverifiable",
] as const;
export type MigrationStatus = (typeof MIGRATION_STATUSES)[number];

/** What a migration asks for, by its status. */
export const REQUIRED_ACTIONS = {
  "verification-refresh-required": "rerun-exact-verifier",
  "new-attempt-required": "start-new-attempt",
  "historical-unverifiable": "historical-only",
} as const satisfies Record<MigrationStatus, string>;
