import type { SortedEntries } from "../entries.ts";
import type { ReadingSession, TreeRoot } from "../session.ts";
import type { RunGit } from "./command.ts";
import type { GitPlace } from "./place.ts";
import type { GitSettings } from "./settings.ts";

/** A working tree whose index and settings are read. */
export type WorkingTree = {
  readonly session: ReadingSession;
  readonly runGit: RunGit;
  readonly root: TreeRoot;
  readonly place: GitPlace;
  readonly settings: GitSettings;
  readonly index: SortedEntries;
};
