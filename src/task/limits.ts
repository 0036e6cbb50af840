/** Characters of a command as it is asked for; what is recorded of it is shorter. */
export const COMMAND_TEXT_MAX = 262_144;
/** Characters of the folder of a call. */
export const FOLDER_MAX = 4_096;
/** Characters of either end of an output as it is handed in; what is kept of it is shorter. */
export const OUTPUT_END_MAX = 65_536;
/** Characters of what may name a criterion, and of a reference to evidence. */
export const CRITERION_NAME_MAX = 40;
export const REFERENCE_MAX = 8_192;
/** Tasks that a journal remembers after their events were removed, and runs of one of them. */
export const REMOVED_TASKS_MAX = 5_000;
export const REMOVED_RUNS_MAX = 10;
/** Characters of an instruction as it is handed in; what is recorded of it is shorter. */
export const INSTRUCTION_MAX = 262_144;
/** Events of one extension command, and characters of a type after its `x.`. */
export const EXTENSION_EVENTS_MAX = 1_000;
export const EXTENSION_NAME_MAX = 158;
