export { workingTreesOf } from "./git/main-tree.ts";
export type { ReadOptions, TreeReading } from "./port.ts";
export { openWorkspace } from "./workspace.ts";
