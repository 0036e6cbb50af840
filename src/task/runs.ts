import { hasEnded } from "../contract/index.ts";
import type { ProjectState, RunState } from "./projection.ts";

/** The run with this id; own properties only, since the id may come from outside. */
export function runWithId(state: ProjectState, id: string): RunState | null {
  return Object.hasOwn(state.runs, id) ? (state.runs[id] ?? null) : null;
}

/** Runs in the order in which they began. */
export function runsOf(state: ProjectState): readonly RunState[] {
  return Object.values(state.runs).toSorted((a, b) => a.task.startedSeq - b.task.startedSeq);
}

/** The run that a session owns and that has not ended, or null. It may be paused. */
export function openRunOf(state: ProjectState, session: string): RunState | null {
  return (
    runsOf(state).findLast(({ task }) => !hasEnded(task.status) && task.owner === session) ?? null
  );
}
