export type { ReadOptions, TreeReading } from "./port.ts";
export { locateStateFolder, type StateFolder, type StateFolderSearch } from "./state-folder.ts";
export { openWorkspace } from "./workspace.ts";
