import type { CommandHashing, ObservedTree } from "../evidence/index.ts";
import { runToResume } from "../handoff/index.ts";
import type { Head, Problem } from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import { type ProjectState, type RunState, runWithId } from "../task/index.ts";

/** What a view is made from: the state, the tree, and who asks. */
export interface Sight {
  readonly state: ProjectState;
  readonly tree: ObservedTree;
  readonly session: string;
  readonly hashing: CommandHashing;
  readonly sha256: Sha256;
  readonly damage: Problem | null;
  readonly head: Head;
  /** From here up to the head every event was checked, and not taken from a snapshot. */
  readonly checkedFrom: number;
  /** The last event that compaction removed, 0 without one. */
  readonly removed: number;
}

/** The named run; without one, the run that the session goes on with. */
export function runToShow(
  state: ProjectState,
  session: string,
  run: string | undefined,
): RunState | null {
  return run === undefined ? runToResume(state, session) : runWithId(state, run);
}
