import type { ProjectState, RunState } from "./projection.ts";

/** The run with this id; own properties only, since the id may come from outside. */
export function runWithId(state: ProjectState, id: string): RunState | null {
  return Object.hasOwn(state.runs, id) ? (state.runs[id] ?? null) : null;
}

/** Runs in the order in which they began. */
export function runsOf(state: ProjectState): readonly RunState[] {
  return Object.values(state.runs).toSorted((a, b) => a.task.startedSeq - b.task.startedSeq);
}

/** The open run that a session owns, or null. */
export function openRunOf(state: ProjectState, session: string): RunState | null {
  return (
    runsOf(state).findLast(({ task }) => task.status === "open" && task.owner === session) ?? null
  );
}
