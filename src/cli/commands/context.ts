import type { Command } from "commander";
import { addCommand, addGroup, type Call, carriedOutBy, wholeNumber } from "../command.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import { plain } from "../text.ts";

export function registerContext(program: Command): void {
  const context = addGroup(program, "context", "what a session is best shown first for the task");
  const show = addCommand(context, {
    usage: "show",
    does: "show guidance for each criterion, and as much of the files in focus as fits",
    example: "context show --tokens 2000",
  })
    .option("--tokens <n>", "how much it may take, from 100 to 4000 (default: 900)", wholeNumber)
    .option("--files <n>", "how many files, from 1 to 12 (default: 6)", wholeNumber);
  carriedOutBy(show, showContext);
}

interface ContextOptions {
  readonly tokens?: number;
  readonly files?: number;
}

function showContext(call: Call<ContextOptions>): Promise<Reply | null> {
  const { tokens, files } = call.options;
  const limits = {
    ...(tokens === undefined ? {} : { tokens }),
    ...(files === undefined ? {} : { files }),
  };
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const pack = await engine.context(limits, call.asking);
    const texts = pack.files.map(
      ({ path, text, whole }) => `--- ${path}${whole ? "" : " (its beginning)"}\n${text.trimEnd()}`,
    );
    return { json: pack, text: () => plain([pack.guidance.join("\n"), ...texts].join("\n\n")) };
  });
}
