import { hasEnded } from "../contract/index.ts";
import type { ErrorCode, Refusal } from "../errors.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState, RunState } from "./projection.ts";
import { openRunOf, runsOf, runWithId } from "./runs.ts";

interface NamesRun {
  readonly run?: string;
  readonly expectedVersion?: number;
}

/** The run that a command means and its session may work on, or the refusal: it is not paused. */
export function ownRun(
  state: ProjectState,
  facts: Facts,
  command: NamesRun,
): RunState | { readonly refused: Refusal } {
  const run = ownUnendedRun(state, facts, command);
  if ("refused" in run) return run;
  return run.task.status === "paused" ? { refused: isPaused(run) } : run;
}

/**
 * The run that a command means, its session may change, and that has not ended, or the refusal.
 * A run is owned by a session: another one takes it over by an explicit act first.
 */
export function ownUnendedRun(
  state: ProjectState,
  facts: Facts,
  command: NamesRun,
): RunState | { readonly refused: Refusal } {
  const run = namedRun(state, facts, command.run);
  if ("refused" in run) return run;
  const { task } = run;
  if (hasEnded(task.status)) return { refused: notOpen(run) };
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

/** Why a run can't be worked on now, or null: it has ended, or is paused. */
export function notAtWork(run: RunState): Refusal | null {
  if (hasEnded(run.task.status)) return notOpen(run);
  return run.task.status === "paused" ? isPaused(run) : null;
}

/** The refusal of what can't be asked of a run that has ended. */
export function notOpen({ task }: RunState): Refusal {
  return {
    code: "contract/not-open",
    message: `Run ${task.contract.run} ${endOf(task)}; nothing changes it any more.`,
    remedy: "Start a new task: holdfast task start.",
  };
}

function endOf({ status, startedSeq, conclusion, abandonment }: RunState["task"]): string {
  if (status === "historical") return `had ended before it was imported at event ${startedSeq}`;
  if (abandonment !== null) return `was abandoned at event ${abandonment.seq}`;
  if (conclusion === null) return "was concluded, and how it ended was shed";
  return `was concluded as ${status} at event ${conclusion.seq}`;
}

/** The refusal of what can't be asked of a run while it is paused. */
export function isPaused({ task: { contract, pause, changedSeq } }: RunState): Refusal {
  return {
    code: "contract/paused",
    message: `Run ${contract.run} is paused since event ${pause?.seq ?? changedSeq}.`,
    remedy: "Continue it first: holdfast task continue",
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

/** The refusal of an amendment that is not the one which is proposed. */
export function amendmentUnknown(
  { proposal }: Pick<RunState["task"], "proposal">,
  amendment: string,
): Refusal {
  const other = proposal === null ? "" : `, but ${proposal.amendment} at event ${proposal.seq}`;
  return {
    code: "contract/amendment-unknown",
    message: `${amendment} is not proposed as it was shown${other}.`,
    remedy:
      proposal === null
        ? "Propose it first: holdfast criterion propose --file F --reason …"
        : `Look at it, and then: holdfast criterion accept ${proposal.amendment} --reason …`,
  };
}

/** Why what a run is held to can't be changed, or null: nobody knows any more what it is. */
export function agreementUnknown({ task, graph }: RunState): Refusal | null {
  if (graph !== null) return null;
  const { run, taskId } = task.contract;
  return {
    code: "contract/text-shed",
    message: `What run ${run} is held to was shed, so it can't be changed.`,
    remedy: `Say anew what is asked for: holdfast task start --task-id ${taskId} …`,
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

/** The refusal of what needs an open task, where a project has none. */
export const NO_OPEN_TASK: Refusal = {
  code: "task/none",
  message: "No task is open in this project.",
  remedy: "Start one: holdfast task start.",
};

/** The run with this id; without one, that of the session which has not ended, else the newest such. */
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
    openRunOf(state, session) ?? runsOf(state).findLast(({ task }) => !hasEnded(task.status));
  return run ?? { refused: NO_OPEN_TASK };
}

/** The run with this id; without one, the session's own one, be it over or not, else the last of all. */
export function runToRetry(
  state: ProjectState,
  facts: Pick<Facts, "session">,
  id: string | undefined,
): RunState | { readonly refused: Refusal } {
  if (id !== undefined) return namedRun(state, facts, id);
  const runs = runsOf(state);
  return (
    openRunOf(state, facts.session) ??
    runs.findLast(({ task }) => task.owner === facts.session) ??
    runs.at(-1) ??
    refused(
      "task/none",
      "This project has no run that could be tried again.",
      "Start a task: holdfast task start.",
    )
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
