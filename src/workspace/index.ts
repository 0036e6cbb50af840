export { changesBetween } from "./changes.ts";
export type {
  ReadOptions,
  TreeChange,
  TreeEntryDigest,
  TreeReading,
  Unavailable,
  UnavailableReason,
  UnchangedEntry,
  Workspace,
} from "./port.ts";
export { locateStateFolder, type StateFolder, type StateFolderSearch } from "./state-folder.ts";
export { openWorkspace, type WorkspaceLocation } from "./workspace.ts";
