import type { ImportedContract, StartedTask } from "../../engine/index.ts";
import type { TaskSummary } from "../../status/index.ts";
import type { RunState } from "../../task/index.ts";
import type { Paint } from "../output.ts";
import { oneLine } from "../text.ts";
import type { MovedRun } from "../view-schemas.ts";
import { field, marked, SCREEN_WIDTH } from "./marks.ts";

export function startedText({ taskId, run, attempt, phase, head }: StartedTask): string {
  return [
    `Started ${taskId}, attempt ${attempt}, phase ${phase} (event ${head.seq})`,
    `Run  ${run}`,
    "Next: work on it, then holdfast verify and holdfast gate",
  ].join("\n");
}

/** What became of a contract of version 1. */
export function importedText(imported: ImportedContract): string {
  const { taskId, run, attempt, status, migration, archive, head } = imported;
  const isOpen = status === "open";
  return [
    `Imported ${taskId}, attempt ${attempt}: ${isOpen ? "open, without evidence" : "over, and no proof of anything"} (event ${head.seq})`,
    field("Run", run),
    field("Version 1", `says ${migration.claimedOutcome}: ${migration.status}`),
    field("Archive", archive.path),
    `Next: ${isOpen ? "holdfast verify, and holdfast resume" : `holdfast task show ${run}`}`,
  ].join("\n");
}

/** What a command that moves a whole run did to it. */
export function movedText({ run, status, attempt, head }: MovedRun): string {
  return [
    `Run ${run} is ${status}, attempt ${attempt} (event ${head.seq})`,
    `Next: ${NEXT_AFTER[status]}`,
  ].join("\n");
}

const NEXT_AFTER = {
  open: "holdfast resume",
  paused: "holdfast task continue, when it is to go on",
  abandoned: "holdfast task retry, or another task",
} as const;

export function taskListText(tasks: readonly TaskSummary[], paint: Paint): string {
  if (tasks.length === 0) return "No task yet. Start one: holdfast task start --help";
  return tasks.map((task) => taskLines(task, paint)).join("\n");
}

function taskLines(task: TaskSummary, paint: Paint): string {
  const { taskId, run, status, attempt, maxAttempts, phase, open, ownedByThisSession } = task;
  const mark = open ? "open" : status === "completed" ? "yes" : "no";
  const owner = open && !ownedByThisSession ? ", owned by another session" : "";
  const state = open ? `${status}, phase ${phase}${owner}` : status;
  return [
    marked(mark, `${oneLine(taskId, SCREEN_WIDTH - 2)}`, paint),
    `  ${oneLine(task.summary, SCREEN_WIDTH - 2)}`,
    paint("dim", `  ${run}  attempt ${attempt} of ${maxAttempts}  ${state}`),
  ].join("\n");
}

export function taskText({ task, trajectory }: RunState, paint: Paint): string {
  const { contract, migratedFrom, status, plan, conclusion, abandonment, pause } = task;
  const list = (label: string, entries: readonly string[]) =>
    entries.map((entry, index) => field(index === 0 ? label : "", entry));
  const reason = (conclusion ?? abandonment ?? pause)?.reason ?? null;
  return [
    paint("bold", oneLine(contract.taskId, SCREEN_WIDTH)),
    field("Summary", contract.summary),
    ...(contract.expectedOutput === null ? [] : [field("Expected", contract.expectedOutput)]),
    field("Run", contract.run),
    field(
      "State",
      `${status}, phase ${trajectory.phase}, attempt ${contract.attempt} of ${contract.maxAttempts}`,
    ),
    ...(reason === null ? [] : [field("Reason", reason)]),
    ...(migratedFrom === undefined
      ? []
      : [
          field("Imported", `from version 1, which says ${migratedFrom.outcome}`),
          field("Archive", migratedFrom.archive.digest),
        ]),
    field("Kind", `${contract.changeMode}, ${contract.riskLane}`),
    ...list(
      "Criteria",
      contract.criteria.map(({ id, text }) => `${id} ${text}`),
    ),
    ...list(
      "Told",
      task.instructions.recent.map(
        ({ seq, by, text }) => `event ${seq} (${by}): ${oneLine(text, 200)}`,
      ),
    ),
    ...list("Verify", contract.verifyCommands),
    field("Scope", contract.scope.join(", ")),
    ...(contract.outOfScope.length === 0
      ? []
      : [field("Not", [...contract.outOfScope, ...contract.protectedPaths].join(", "))]),
    ...list(
      "Plan",
      plan.map(({ id, title, status: step }) => `${id} (${step}): ${title}`),
    ),
  ].join("\n");
}
