export { filesInFocus } from "./focus.ts";
export { completionReceipt } from "./receipt.ts";
export { projectStatus, type StatusInput, taskSummary } from "./status.ts";
export type {
  CompletionReceipt,
  CriterionView,
  ProjectStatus,
  TaskSummary,
} from "./view-schemas.ts";
