import {
  BASELINE_PATHS_MAX,
  type Contract,
  contractOf,
  contractProblem,
  hasEnded,
  pinnedBy,
  resolved,
  type TaskDraft,
  type TaskStarted,
} from "../contract/index.ts";
import { compileCriteria, criteriaProblem } from "../criteria/index.ts";
import type { Refusal } from "../errors.ts";
import { differencesOf, pathInProject } from "../evidence/index.ts";
import { moveAtStart } from "../trajectory/index.ts";
import { accept, type DecidedEvent, type Decision, phasesEntered, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState, RunState } from "./projection.ts";
import { openRunOf, runsOf } from "./runs.ts";
import type { StartTask } from "./schemas.ts";

/** Begins a run as a draft asks for it. */
export function startTask(state: ProjectState, command: StartTask, facts: Facts): Decision {
  const { scope } = command.draft as TaskDraft;
  const agreed = contractOf(command.draft as TaskDraft, {
    ...beginningOf(facts),
    intakeMode: command.intakeMode,
    redact: (text: string) => facts.redact(text).text,
  });
  const problem = whyNotAgreed(agreed, facts) ?? criteriaProblem(agreed);
  if (problem !== null) return refused(problem);
  const resolution = resolvedOn(agreed, facts, scope !== undefined);
  if ("refused" in resolution) return refused(resolution.refused);
  return begin(state, resolution.contract, facts, resolution.warnings);
}

/** Why a contract can't be agreed on, whenever it is asked for, or null. */
export function whyNotAgreed(agreed: Omit<Contract, "attempt">, facts: Facts): Refusal | null {
  return contractProblem(agreed, (text) => facts.redact(text).redacted);
}

/** The same contract with the paths of the tree of now, where these are known. */
export function resolvedOn<C extends Omit<Contract, "attempt">>(
  agreed: C,
  { tree }: Facts,
  isScopeGiven: boolean,
) {
  const paths = tree?.paths?.flatMap((path) => pathInProject(agreed, path) ?? []) ?? null;
  return resolved(agreed, paths, isScopeGiven);
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
    ...pinnedBy(switches),
  };
}

/** Begins a run: the contract, the graph it is held to, and the phase its plan already leads to. */
export function begin(
  state: ProjectState,
  agreed: Omit<Contract, "attempt">,
  facts: Facts,
  warnings: string[] = [],
): Decision {
  const refusal = criteriaProblem(agreed) ?? whyNotNow(state, agreed, facts);
  if (refusal !== null) return refused(refusal);
  const counted = attemptOf(state, agreed);
  if ("refusal" in counted) return counted;
  const contract: Contract = { ...agreed, ...counted };
  const move = moveAtStart(contract);
  return accept(
    ...startedWith({ contract }, warnings, facts),
    ...phasesEntered(contract.run, move === null ? [] : [move], "task-state"),
  );
}

/**
 * Where changes count from: what an attempt left counts for the next one in the same place as well, else
 * giving up would make anything allowed.
 */
export function baselineOf(
  state: ProjectState,
  { taskId, place, folder, baseline }: Omit<Contract, "attempt">,
): Contract["baseline"] {
  const here = runsOf(state).findLast(
    ({ task: { contract } }) =>
      contract.taskId === taskId && contract.place === place && contract.folder === folder,
  );
  return here?.task.contract.baseline ?? baseline;
}

/** The events that each run begins with. */
export function startedWith(
  body: Omit<TaskStarted, "warnings">,
  warnings: string[],
  facts: Facts,
): readonly DecidedEvent[] {
  const { contract } = body;
  const { run } = contract;
  const graph = compileCriteria(contract, facts.sha256);
  const told = warnings.length === 0 ? body : { ...body, warnings };
  return [
    { run, type: "task.started", body: told },
    { run, type: "criteria.pinned", body: { graph } },
  ];
}

/** Why the session can't begin to work on it now, or null. */
export function whyNotNow(
  state: ProjectState,
  agreed: Pick<Contract, "changeMode">,
  { tree, session }: Facts,
): Refusal | null {
  if (tree !== null && tree.digest === null && agreed.changeMode === "source-change") {
    return {
      code: "contract/tree-unavailable",
      message: `The working tree can't be read whole, so a change could not be told from what was there: ${tree.unavailable.join("; ")}.`,
      remedy: "Make these files readable, or ignore them in git.",
    };
  }
  const open = openRunOf(state, session);
  if (open === null) return null;
  const { taskId, run } = open.task.contract;
  return {
    code: "contract/session-has-open-run",
    message: `This session already works on ${taskId} (run ${run}).`,
    remedy:
      "Conclude or abandon it first, or start the new task in a session of its own (--session).",
  };
}

/** What the journal knows of earlier attempts at a task. */
export interface Attempts {
  /** The highest number, 0 without any: one of version 1 may have been imported after a later one. */
  readonly last: number;
  /** What the first one set. */
  readonly ceiling: number | null;
  /** The runs that are not removed, in the order in which they began. */
  readonly runs: readonly RunState[];
  /** The highest number of those that were removed. */
  readonly removed: number;
}

export function attemptsAt(state: ProjectState, taskId: string): Attempts {
  const runs = runsOf(state).filter(({ task }) => task.contract.taskId === taskId);
  const before = Object.hasOwn(state.removed, taskId) ? state.removed[taskId] : undefined;
  const removed = before?.attempts ?? 0;
  return {
    last: Math.max(removed, ...runs.map(({ task }) => task.contract.attempt)),
    ceiling: before?.maxAttempts ?? runs[0]?.task.contract.maxAttempts ?? null,
    runs,
    removed,
  };
}

/** Why no further run of a task may begin, whatever its number, or null. */
export function whyNoFurther(
  state: ProjectState,
  taskId: string,
  { runs }: Attempts,
): Refusal | null {
  const open = runs.find(({ task }) => !hasEnded(task.status));
  if (open !== undefined) {
    return {
      code: "contract/session-has-open-run",
      message: `Another session already works on ${taskId} (run ${open.task.contract.run}).`,
      remedy: "Take it over: holdfast takeover --reason …",
    };
  }
  const before = Object.hasOwn(state.removed, taskId) ? state.removed[taskId] : undefined;
  const isCompleted = runs.some(({ task }) => task.status === "completed");
  if (!isCompleted && before?.outcome !== "completed") return null;
  return {
    code: "contract/task-completed",
    message: `The task ${taskId} was completed already.`,
    remedy: "Give the new task an id of its own (taskId), or leave it out.",
  };
}

/** Attempts count over all sessions; the ceiling is the first attempt's and is never raised. */
function attemptOf(
  state: ProjectState,
  { taskId, maxAttempts }: Omit<Contract, "attempt">,
): { attempt: number; maxAttempts: number } | Decision {
  const earlier = attemptsAt(state, taskId);
  const refusal = whyNoFurther(state, taskId, earlier);
  if (refusal !== null) return refused(refusal);
  const ceiling = earlier.ceiling ?? maxAttempts;
  const attempt = earlier.last + 1;
  if (attempt > ceiling) return refused(attemptsUsed(taskId, ceiling));
  return { attempt, maxAttempts: ceiling };
}

export function attemptsUsed(taskId: string, ceiling: number): Refusal {
  return {
    code: "contract/attempts-used",
    message: `All ${ceiling} attempts at ${taskId} are used.`,
    remedy: "Look at what they left (holdfast task list) and start a task with another id.",
  };
}
