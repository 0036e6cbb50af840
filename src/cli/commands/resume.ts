import process from "node:process";
import type { Command } from "commander";
import { EMPTY_HEAD } from "../../journal/index.ts";
import { switchesOf } from "../../switches.ts";
import { addCommand, type Call, carriedOutBy } from "../command.ts";
import { EXIT } from "../failure.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import { resumeText } from "../views/resume.ts";
import { statusText } from "../views/status.ts";

export function registerResume(program: Command): void {
  carriedOutBy(
    addCommand(program, {
      usage: "resume",
      does: "decide whether and how this session may go on with the task",
      example: "resume --session s-2",
    }),
    resume,
  );
  carriedOutBy(
    addCommand(program, {
      usage: "status",
      does: "show on one screen where the project stands",
      example: "status",
    }),
    status,
  );
}

function resume(call: Call): Promise<Reply | null> {
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const decided = await engine.resume(call.asking);
    const { decision } = decided;
    return {
      exitCode: decision === "resume" || decision === "retry" ? EXIT.yes : EXIT.no,
      json: decided,
      text: (paint) => resumeText(decided, paint),
    };
  });
}

function status(call: Call): Promise<Reply | null> {
  const { problems } = switchesOf(process.env);
  for (const problem of problems) call.output.note(problem);
  return inProject(call, { need: "there-or-empty" }, async ({ engine, existed }) => {
    const seen = await engine.status(call.asking);
    const shown = existed ? seen : { ...seen, journal: NO_JOURNAL };
    return { json: shown, text: (paint) => statusText(shown, paint) };
  });
}

const NO_JOURNAL = {
  events: 0,
  head: EMPTY_HEAD,
  verifiedFrom: 1,
  verifiedUpTo: 0,
  damage: null,
} as const;
