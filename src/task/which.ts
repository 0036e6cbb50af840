import type { ErrorCode, Refusal } from "../errors.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState, RunState } from "./projection.ts";
import { openRunOf, runsOf, runWithId } from "./runs.ts";

/**
 * The open run that a command means and its session may change, or the refusal.
 * A run is owned by a session: another one takes it over by an explicit act first.
 */
export function ownRun(
  state: ProjectState,
  facts: Facts,
  command: { readonly run?: string; readonly expectedVersion?: number },
): RunState | { readonly refused: Refusal } {
  const run = namedRun(state, facts, command.run);
  if ("refused" in run) return run;
  const { task } = run;
  if (task.status !== "open") return { refused: notOpen(run) };
  if (task.owner !== facts.session) {
    return refused(
      "contract/not-owner",
      `Run ${task.contract.run} is owned by another session (${task.owner.slice(0, 12)}…).`,
      "Go on in that session (--session), or take the run over: holdfast takeover --reason …",
    );
  }
  const conflict = versionConflict(run, command.expectedVersion);
  return conflict === null ? run : { refused: conflict };
}

/** The refusal of what only an open run can be asked for. */
export function notOpen({ task: { contract, status, conclusion } }: RunState): Refusal {
  return {
    code: "contract/not-open",
    message:
      conclusion === null
        ? `Run ${contract.run} was concluded, and how it ended was shed; nothing changes it any more.`
        : `Run ${contract.run} was concluded as ${status} at event ${conclusion.seq}; nothing changes it any more.`,
    remedy: "Start a new task: holdfast task start.",
  };
}

/** The refusal of a command that was decided on another version of the run, or null. */
export function versionConflict(
  { task }: RunState,
  expectedVersion: number | undefined,
): Refusal | null {
  if (expectedVersion === undefined || expectedVersion === task.version) return null;
  return {
    code: "journal/version-conflict",
    message: `Run ${task.contract.run} is at version ${task.version} since event ${task.changedSeq}, but the command expected ${expectedVersion}.`,
    remedy: "Read the run again, decide on what it says now, and repeat with its version.",
    seq: task.changedSeq,
  };
}

/** The refusal of a criterion that a run does not have. */
export function criterionUnknown({ task }: RunState, criterion: string): Refusal {
  const known = task.contract.criteria.map(({ id }) => id).join(", ");
  return {
    code: "evidence/criterion-unknown",
    message: `The task has no criterion ${criterion}.`,
    remedy: `Name one of ${known}.`,
  };
}

/** The run with this id; without one, the open run of the session, else the newest open one. */
export function namedRun(
  state: ProjectState,
  facts: Pick<Facts, "session">,
  id: string | undefined,
): RunState | { readonly refused: Refusal } {
  const { session } = facts;
  if (id !== undefined) {
    return runWithId(state, id) ?? unknownRun(state, id);
  }
  const run =
    openRunOf(state, session) ?? runsOf(state).findLast(({ task }) => task.status === "open");
  return (
    run ??
    refused("task/none", "No task is open in this project.", "Start one: holdfast task start.")
  );
}

function unknownRun(state: ProjectState, id: string): { readonly refused: Refusal } {
  const removed = Object.values(state.removed).find(({ runs }) => runs.includes(id));
  if (removed === undefined) {
    return refused(
      "task/unknown",
      `There is no run ${id}.`,
      "List the runs with `holdfast task list`.",
    );
  }
  return refused(
    "task/removed",
    `Run ${id} of ${removed.taskId} had ended and was removed by a compaction of the journal.`,
    `Start the task anew to go on with it: holdfast task start --task-id ${removed.taskId} …`,
  );
}

function refused(code: ErrorCode, message: string, remedy: string): { readonly refused: Refusal } {
  return { refused: { code, message, remedy } };
}
