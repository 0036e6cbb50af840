import { begun, hasEnded, isUntold, type LifecycleEvent, nextStatus } from "../contract/index.ts";
import type { Refusal } from "../errors.ts";
import { movesAtConclusion } from "../trajectory/index.ts";
import { accept, type Decision, phasesEntered, refuse, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import { instructionsAgain } from "./instruct.ts";
import type { ProjectState, RunState } from "./projection.ts";
import { runsOf } from "./runs.ts";
import type { AbandonTask, ContinueTask, PauseTask, RetryTask } from "./schemas.ts";
import { baselineOf, begin, beginningOf } from "./start.ts";
import { isPaused, ownUnendedRun, runToRetry, versionConflict } from "./which.ts";

/** Stops work on a run for a while. What is observed meanwhile goes on counting as a fact. */
export function pauseTask(state: ProjectState, command: PauseTask, facts: Facts): Decision {
  const own = runThatMoves(state, command, facts, { type: "pause" });
  if ("refused" in own) return refused(own.refused);
  const { run } = own.task.contract;
  return accept({ run, type: "task.paused", body: { reason: command.reason ?? null } });
}

/** Goes on with a paused run. */
export function continueTask(state: ProjectState, command: ContinueTask, facts: Facts): Decision {
  const own = runThatMoves(state, command, facts, { type: "continue" });
  if ("refused" in own) return refused(own.refused);
  const { run } = own.task.contract;
  return accept({ run, type: "task.continued", body: { reason: command.reason ?? null } });
}

/** Gives a run up. No gate is asked: this claims nothing, so it needs neither proof nor tree. */
export function abandonTask(state: ProjectState, command: AbandonTask, facts: Facts): Decision {
  const { reason } = command;
  const event = { type: "abandon", hasReason: reason !== undefined } as const;
  const own = runThatMoves(state, command, facts, event);
  if ("refused" in own) return refused(own.refused);
  if (reason === undefined) return refused(notMoved(own, event));
  const { contract } = own.task;
  const { run } = contract;
  return accept(
    { run, type: "task.abandoned", body: { reason } },
    ...phasesEntered(
      run,
      movesAtConclusion(own.trajectory.phase, contract, "abandoned"),
      "task-state",
    ),
  );
}

/**
 * Begins the next attempt at a task: what it is held to stays word for word, its work plan begins anew,
 * the switches are those of now. Changed is what differs from where the first attempt began. The run
 * before has ended and is nobody's any more, so any session may do it.
 */
export function retryTask(state: ProjectState, command: RetryTask, facts: Facts): Decision {
  const earlier = runToRetry(state, facts, command.run);
  if ("refused" in earlier) return refused(earlier.refused);
  const { contract, plan, status } = earlier.task;
  const { run, taskId } = contract;
  if (!hasEnded(status)) {
    return refuse(
      "contract/not-concluded",
      `Run ${run} is ${status}; the next attempt begins once it has ended.`,
      "Conclude it first (holdfast conclude), or give it up: holdfast task abandon --reason …",
    );
  }
  const conflict = versionConflict(earlier, command.expectedVersion);
  if (conflict !== null) return refused(conflict);
  if (earlier.shed === true) {
    return refuse(
      "contract/text-shed",
      `Text of what run ${run} was held to was shed, so it can't be agreed on again.`,
      `Say anew what is asked for: holdfast task start --task-id ${taskId} …`,
    );
  }
  const now = { ...contract, plan: begun(plan), ...beginningOf(facts) };
  const decision = begin(state, { ...now, baseline: baselineOf(state, now) }, facts);
  if (decision.refusal !== null) return decision;
  const last = runsOf(state).findLast(({ task }) => task.contract.taskId === taskId);
  if (last !== earlier) {
    return refuse(
      "contract/attempt-taken",
      `Run ${run} is not the last attempt at ${taskId}; what was agreed on since would be lost.`,
      `Try the last one again: holdfast task retry ${last?.task.contract.run}`,
    );
  }
  return accept(...decision.events, ...instructionsAgain(earlier.task, now.run, facts));
}

/** The session's run that a command means and that its lifecycle lets move, or the refusal. */
function runThatMoves(
  state: ProjectState,
  command: PauseTask | ContinueTask | AbandonTask,
  facts: Facts,
  event: Move,
): RunState | { readonly refused: Refusal } {
  const own = ownUnendedRun(state, facts, command);
  if ("refused" in own) return own;
  const { status } = own.task;
  const next = isUntold(status) ? null : nextStatus(status, event);
  return next === null ? { refused: notMoved(own, event) } : own;
}

type Move = Exclude<LifecycleEvent, { readonly type: "conclude" }>;

function notMoved(run: RunState, event: Move): Refusal {
  switch (event.type) {
    case "pause":
      return isPaused(run);
    case "continue":
      return {
        code: "contract/not-paused",
        message: `Run ${run.task.contract.run} is not paused.`,
        remedy: "Go on with it: holdfast resume",
      };
    case "abandon":
      return {
        code: "contract/invalid",
        message: "A run is abandoned for a reason, and none is given.",
        remedy: "Add --reason …",
      };
  }
}
