import process from "node:process";
import type { Command } from "commander";
import { addCommand, type Call, carriedOutBy } from "../command.ts";
import type { Reply } from "../output.ts";

export function registerDemo(program: Command): void {
  carriedOutBy(
    addCommand(program, {
      usage: "demo",
      does: "play the tour: a real repository, a real crash, a real resume",
      example: "demo",
    }),
    demo,
  );
}

/** Prints by itself, chapter by chapter. */
async function demo({ options }: Call): Promise<Reply | null> {
  const { runDemo } = await import("../demo/index.ts");
  process.exitCode = await runDemo({
    json: options.json === true,
    stdout: process.stdout,
    command: [process.execPath, process.argv[1] ?? ""],
  });
  return null;
}
