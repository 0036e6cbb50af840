import { Command } from "commander";
import { FAMILIES } from "../../src/cli/families.ts";

/** Each command by the words that call it, as `task start`. */
export async function commandNames(): Promise<readonly string[]> {
  const program = new Command().enablePositionalOptions();
  for (const { load } of FAMILIES) (await load())(program);
  return program.commands.flatMap((command) =>
    command.commands.length === 0
      ? [command.name()]
      : command.commands.map((below) => `${command.name()} ${below.name()}`),
  );
}
