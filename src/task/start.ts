import {
  BASELINE_PATHS_MAX,
  type Contract,
  contractOf,
  contractProblem,
  hasEnded,
  type TaskDraft,
} from "../contract/index.ts";
import { compileCriteria } from "../criteria/index.ts";
import { differencesOf } from "../evidence/index.ts";
import { moveAtStart } from "../trajectory/index.ts";
import { accept, type Decision, phasesEntered, refuse, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState } from "./projection.ts";
import { openRunOf, runsOf } from "./runs.ts";
import type { StartTask } from "./schemas.ts";

/** Begins a run as a draft asks for it. */
export function startTask(state: ProjectState, command: StartTask, facts: Facts): Decision {
  const agreed = contractOf(command.draft as TaskDraft, {
    ...beginningOf(facts),
    intakeMode: command.intakeMode,
    redact: (text: string) => facts.redact(text).text,
  });
  return begin(state, agreed, facts);
}

/** What a contract says of the moment at which its run begins, and not of what was asked for. */
export function beginningOf({ tree, newRun, switches }: Facts) {
  if (tree === null) throw new Error("A run begins on a working tree.");
  const dirty = differencesOf(tree.dirty);
  return {
    run: newRun,
    place: tree.place,
    folder: tree.folder,
    baseline: {
      tree: tree.digest,
      commit: tree.base,
      dirty: dirty.slice(0, BASELINE_PATHS_MAX),
      complete: !tree.dirtyTruncated && dirty.length <= BASELINE_PATHS_MAX,
    },
    switches,
  };
}

/** Begins a run: the contract, the graph it is held to, and the phase its plan already leads to. */
export function begin(
  state: ProjectState,
  agreed: Omit<Contract, "attempt">,
  facts: Facts,
): Decision {
  const { tree } = facts;
  const carriesSecret = (text: string) => facts.redact(text).redacted;
  const problem = contractProblem(agreed, carriesSecret);
  if (problem !== null) return refused(problem);
  if (tree !== null && tree.digest === null && agreed.changeMode === "source-change") {
    return refuse(
      "contract/tree-unavailable",
      `The working tree can't be read whole, so a change could not be told from what was there: ${tree.unavailable.join("; ")}.`,
      "Make these files readable, or ignore them in git.",
    );
  }
  const open = openRunOf(state, facts.session);
  if (open !== null) {
    const { taskId, run } = open.task.contract;
    return refuse(
      "contract/session-has-open-run",
      `This session already works on ${taskId} (run ${run}).`,
      "Conclude or abandon it first, or start the new task in a session of its own (--session).",
    );
  }
  const counted = attemptOf(state, agreed);
  if ("refusal" in counted) return counted;
  const contract: Contract = { ...agreed, ...counted };
  const graph = compileCriteria(contract, facts.sha256);
  const { run } = contract;
  const move = moveAtStart(contract);
  return accept(
    { run, type: "task.started", body: { contract } },
    { run, type: "criteria.pinned", body: { graph } },
    ...phasesEntered(run, move === null ? [] : [move], "task-state"),
  );
}

/** Attempts count over all sessions; the ceiling is the first attempt's and is never raised. */
function attemptOf(
  state: ProjectState,
  { taskId, maxAttempts }: Omit<Contract, "attempt">,
): { attempt: number; maxAttempts: number } | Decision {
  const earlier = runsOf(state).filter(({ task }) => task.contract.taskId === taskId);
  const removed = Object.hasOwn(state.removed, taskId) ? state.removed[taskId] : undefined;
  const last = earlier.at(-1)?.task;
  const attempts = last?.contract.attempt ?? removed?.attempts ?? 0;
  if (attempts === 0) return { attempt: 1, maxAttempts };
  if (last !== undefined && !hasEnded(last.status)) {
    return refuse(
      "contract/session-has-open-run",
      `Another session already works on ${taskId} (run ${last.contract.run}).`,
      "Take it over: holdfast takeover --reason …",
    );
  }
  const isCompleted = earlier.some(({ task }) => task.status === "completed");
  if (isCompleted || removed?.outcome === "completed") {
    return refuse(
      "contract/task-completed",
      `The task ${taskId} was completed already.`,
      "Give the new task an id of its own (taskId), or leave it out.",
    );
  }
  const first = earlier[0]?.task.contract;
  const ceiling = removed?.maxAttempts ?? first?.maxAttempts ?? maxAttempts;
  const attempt = attempts + 1;
  if (attempt > ceiling) {
    return refuse(
      "contract/attempts-used",
      `All ${ceiling} attempts at ${taskId} are used.`,
      "Look at what they left (holdfast task list) and start a task with another id.",
    );
  }
  return { attempt, maxAttempts: ceiling };
}
