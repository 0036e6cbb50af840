export { filesInFocus } from "./focus.ts";
export { type CompletionReceipt, completionReceipt } from "./receipt.ts";
export {
  type CriterionView,
  type ProjectStatus,
  projectStatus,
  type StatusInput,
  type TaskSummary,
  taskSummary,
} from "./status.ts";
