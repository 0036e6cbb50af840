/** Characters of a slug that names a task. */
export const TASK_ID_MAX = 80;
/** Characters of the summary and of the expected output. */
export const SUMMARY_MIN = 10;
export const SUMMARY_MAX = 8_192;
/** Criteria of one task. */
export const CRITERIA_MAX = 12;
/** The highest number of a criterion's id; what is left out keeps its own. */
export const CRITERION_NUMBER_MAX = 99;
/** Characters of one criterion, and of the label that later ones refer to it by. */
export const CRITERION_MAX = 1_000;
export const LABEL_MAX = 21;
/** Entries of a list of paths or globs, and characters of one entry. */
export const SCOPE_ENTRIES_MAX = 200;
export const SCOPE_ENTRY_MAX = 500;
/** Files that a refusal lists of those that an entry may stand for. */
export const CANDIDATES_LISTED = 10;
/** Verify commands of one task, and characters of one. */
export const VERIFY_COMMANDS_MAX = 12;
export const VERIFY_COMMAND_MAX = 2_000;
/** Bytes of a file that holds a contract of version 1: what version 1 itself refused to read more of. */
export const CONTRACT_BYTES_MAX = 8 * 1024 * 1024;
/** Characters of the name that version 1 gave a run or a session. */
export const V1_NAME_MAX = 500;
/** Steps of a work plan, characters of a step's id and title. */
export const PLAN_STEPS_MAX = 12;
export const STEP_ID_MAX = 40;
export const STEP_TITLE_MAX = 160;
/** Characters of a note on a step's progress. */
export const STEP_NOTE_MAX = 500;
/** Characters of a later instruction that are kept; of a longer one both ends, and a mark between them. */
export const INSTRUCTION_KEPT_MAX = 8_192;
export const INSTRUCTION_MARK_MAX = 64;
/** Later instructions of one run that the state holds, and their characters in all; the journal has them all. */
export const INSTRUCTIONS_KEPT = 512;
export const INSTRUCTION_CHARACTERS_KEPT = 262_144;
/** Amendments of one run: whoever wants more begins anew. */
export const AMENDMENTS_MAX = 32;
/** Attempts at one task: the ceiling and the default. */
export const ATTEMPTS_MAX = 10;
export const ATTEMPTS_DEFAULT = 3;
/** How long a verify command may run, in milliseconds. */
export const VERIFY_TIMEOUT_DEFAULT_MS = 1_800_000;
export const VERIFY_TIMEOUT_MAX_MS = 86_400_000;
/** Characters of a person's or an agent's reason. */
export const REASON_MAX = 2_000;
/** Paths that a baseline tells apart from its commit: as many as a reading of the tree lists. */
export const BASELINE_PATHS_MAX = 5_000;
