import process from "node:process";
import type { Command } from "commander";
import { hasEnded } from "../../contract/index.ts";
import { switchesOf } from "../../switches.ts";
import { configuredPath, isPhase, PHASE_TOOLS, phaseToolsMode } from "../../trajectory/index.ts";
import { addCommand, type Call, carriedOutBy } from "../command.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import type { ShownPhase } from "../view-schemas.ts";
import { phaseText } from "../views/phase.ts";

export function registerPhase(program: Command): void {
  carriedOutBy(
    addCommand(program, {
      usage: "phase [run]",
      does: "show the phase of one run (the named one, else the open one, else the last), how it came there, and how long each phase took",
      example: "phase",
    }),
    showPhase,
  );
}

function showPhase(call: Call): Promise<Reply | null> {
  const [named] = call.args as [string | undefined];
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { task, trajectory } = await engine.task(named, call.asking);
    const { run, taskId, changeMode, riskLane, switches } = task.contract;
    const { phase, count, recent, entered, spentMs, differences } = trajectory;
    const { switches: now } = switchesOf(process.env);
    const shown: ShownPhase = {
      run,
      taskId,
      status: task.status,
      open: !hasEnded(task.status),
      phase,
      path: configuredPath(changeMode, riskLane),
      entered,
      spentMs,
      transitions: recent,
      earlier: count - recent.length,
      tools: {
        mode: phaseToolsMode(switches.phaseTools, now.phaseTools ?? switches.phaseTools),
        allowed: isPhase(phase) ? PHASE_TOOLS[phase].tools : null,
        differences,
      },
    };
    return { json: shown, text: () => phaseText(shown) };
  });
}
