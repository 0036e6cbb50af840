import type { Command } from "commander";
import type { Command as Wish } from "../../task/index.ts";
import { accepted } from "../accepted.ts";
import { addCommand, type Call, carriedOutBy, nonEmpty } from "../command.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import type { MovedRun } from "../view-schemas.ts";
import { movedText } from "../views/task.ts";

interface MoveOptions {
  readonly reason?: string;
}

/** The acts that move a whole run. Each has the commands that fit the run's state afterwards. */
export function registerLifecycle(task: Command): void {
  const pause = addCommand(task, {
    usage: "pause [run]",
    does: "stop work on a run for a while: the named one, else the open one",
    example: "task pause --reason 'waiting for an answer'",
    appends: true,
  }).option("--reason <text>", "why", nonEmpty);
  carriedOutBy(pause, (call: Call<MoveOptions>) => move(call, "pauseTask", "paused"));

  const continued = addCommand(task, {
    usage: "continue [run]",
    does: "go on with a paused run",
    example: "task continue",
    appends: true,
  }).option("--reason <text>", "why", nonEmpty);
  carriedOutBy(continued, (call: Call<MoveOptions>) => move(call, "continueTask", "open"));

  const abandon = addCommand(task, {
    usage: "abandon [run]",
    does: "give a run up for good, whatever its gate says",
    example: "task abandon --reason 'it is not needed any more'",
    appends: true,
  }).requiredOption("--reason <text>", "why", nonEmpty);
  carriedOutBy(abandon, (call: Call<MoveOptions>) => move(call, "abandonTask", "abandoned"));

  const retry = addCommand(task, {
    usage: "retry [run]",
    does: "start the next attempt at the task of a run that ended: the named one, else the last",
    example: "task retry",
    appends: true,
  });
  carriedOutBy(retry, (call: Call<MoveOptions>) => move(call, "retryTask", "open"));
}

type Move = "pauseTask" | "continueTask" | "abandonTask" | "retryTask";

/** The answer tells what this call did, so that its repetition with the same key answers the same. */
function move(
  call: Call<MoveOptions>,
  type: Move,
  status: MovedRun["status"],
): Promise<Reply | null> {
  const [named] = call.args as [string | undefined];
  const { reason } = call.options;
  const wish: Wish = {
    type,
    ...(named === undefined ? {} : { run: named }),
    ...(reason === undefined ? {} : { reason }),
  };
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { events, head } = await accepted(engine, wish, call.asking);
    const run = events[0]?.header.run ?? "";
    const { attempt } = (await engine.task(run, call.asking)).task.contract;
    const moved: MovedRun = { run, status, attempt, head };
    return { json: moved, text: () => movedText(moved) };
  });
}
