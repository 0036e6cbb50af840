import { hasEnded } from "../contract/index.ts";
import { unreachable } from "../errors.ts";
import { JOURNAL_STREAM } from "../journal/index.ts";
import { acceptCriteria, proposeCriteria } from "./amend.ts";
import { accept, type Decision, refuse, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import { importContract } from "./import.ts";
import { giveInstruction } from "./instruct.ts";
import { judgeCriterion } from "./judge.ts";
import { abandonTask, continueTask, pauseTask, retryTask } from "./lifecycle.ts";
import { narrowScope } from "./narrow.ts";
import { observeCommand, requestTool, settleCall } from "./observe.ts";
import { moveStep, recordPlan } from "./progress.ts";
import type { ProjectState } from "./projection.ts";
import { bindEvidence, concludeTask, recordGate } from "./prove.ts";
import { openRunOf } from "./runs.ts";
import type { Command, TakeOverTask } from "./schemas.ts";
import { startTask } from "./start.ts";
import { namedRun, notOpen, versionConflict } from "./which.ts";

/**
 * Decides which events a command causes.
 *
 * Pure: the same state, command and facts always give the same answer. A refusal is an ordinary
 * answer, so it is returned and never thrown.
 */
export function decide(state: ProjectState, command: Command, facts: Facts): Decision {
  const moved = movedTree(state, facts);
  if (moved !== null) return moved;
  switch (command.type) {
    case "startTask":
      return startTask(state, command, facts);
    case "importContract":
      return importContract(state, command, facts);
    case "requestTool":
      return requestTool(state, command, facts);
    case "observeCommand":
      return observeCommand(state, command, facts);
    case "bindEvidence":
      return bindEvidence(state, command, facts);
    case "judgeCriterion":
      return judgeCriterion(state, command, facts);
    case "proposeCriteria":
      return proposeCriteria(state, command, facts);
    case "acceptCriteria":
      return acceptCriteria(state, command, facts);
    case "narrowScope":
      return narrowScope(state, command, facts);
    case "giveInstruction":
      return giveInstruction(state, command, facts);
    case "recordPlan":
      return recordPlan(state, command, facts);
    case "moveStep":
      return moveStep(state, command, facts);
    case "recordGate":
      return recordGate(state, command, facts);
    case "concludeTask":
      return concludeTask(state, command, facts);
    case "takeOverTask":
      return takeOverTask(state, command, facts);
    case "pauseTask":
      return pauseTask(state, command, facts);
    case "continueTask":
      return continueTask(state, command, facts);
    case "abandonTask":
      return abandonTask(state, command, facts);
    case "retryTask":
      return retryTask(state, command, facts);
    case "settleCall":
      return settleCall(state, command, facts);
    case "appendExtension": {
      const run = openRunOf(state, facts.session)?.task.contract.run ?? JOURNAL_STREAM;
      return accept(
        ...command.events.map(({ type, body }) => ({ run, type: type as `x.${string}`, body })),
      );
    }
    default:
      return unreachable(command);
  }
}

/** A reading that another event has overtaken says nothing of the tree as it is. */
function movedTree(state: ProjectState, { tree }: Facts): Decision | null {
  if (tree === null) return null;
  const seen = Object.hasOwn(state.evidence.trees, tree.place)
    ? state.evidence.trees[tree.place]
    : undefined;
  if (seen === undefined || seen.movedSeq <= tree.sinceSeq) return null;
  return refuse(
    "tree/moved",
    `The working tree changed (event ${seen.movedSeq}) while it was being read.`,
    "Repeat the call.",
  );
}

/** Moves ownership of a run to the deciding session; a paused one stays paused. It is no approval of anything. */
function takeOverTask(state: ProjectState, command: TakeOverTask, facts: Facts): Decision {
  const run = namedRun(state, facts, command.run);
  if ("refused" in run) return refused(run.refused);
  const { task } = run;
  if (hasEnded(task.status)) return refused(notOpen(run));
  const own = openRunOf(state, facts.session);
  if (own === run) {
    return refuse(
      "contract/session-has-open-run",
      `Run ${task.contract.run} is this session's already.`,
      "Go on with it: holdfast status.",
    );
  }
  if (own !== null) {
    return refuse(
      "contract/session-has-open-run",
      `This session already works on ${own.task.contract.taskId} (run ${own.task.contract.run}).`,
      "Conclude or abandon it first, or take the other run over in a session of its own (--session).",
    );
  }
  const conflict = versionConflict(run, command.expectedVersion);
  if (conflict !== null) return refused(conflict);
  return accept({
    run: task.contract.run,
    type: "task.taken-over",
    body: { from: task.owner, to: facts.session, epoch: task.epoch + 1, reason: command.reason },
  });
}
