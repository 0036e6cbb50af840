export { guidanceLines, packed } from "./context.ts";
export { filesInFocus } from "./focus.ts";
export { CONTEXT_FILE_BYTES_MAX, CONTEXT_FILES, CONTEXT_TOKENS } from "./limits.ts";
export { completionReceipt } from "./receipt.ts";
export { projectStatus, type StatusInput, taskSummary } from "./status.ts";
export type {
  CompletionReceipt,
  ContextPack,
  CriterionView,
  ProjectStatus,
  TaskSummary,
} from "./view-schemas.ts";
