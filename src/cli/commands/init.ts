import type { Command } from "commander";
import { addCommand, type Call, carriedOutBy } from "../command.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import type { Initialized } from "../view-schemas.ts";

export function registerInit(program: Command): void {
  const command = addCommand(program, {
    usage: "init",
    does: "make the state folder and its journal, where none is",
    example: "init",
  }).option("--new", "begin a new journal although the file of an older one is gone");
  carriedOutBy(command, init);
}

function init(call: Call<{ new?: boolean }>): Promise<Reply | null> {
  const need = call.options.new === true ? "made-anew" : "made";
  return inProject(call, { need }, async ({ engine, stateDir, existed }) => {
    const journalId = await journalIdOf(engine.journal.rows());
    return {
      json: { stateDir, journalId, created: !existed } satisfies Initialized,
      text: () =>
        existed
          ? `There is a journal already, in ${stateDir}`
          : `Made a journal in ${stateDir}\nNext: holdfast task start --help`,
    };
  });
}

/** The random id that the first event carries. */
async function journalIdOf(
  rows: AsyncIterable<{ readonly bodyText: string | null }>,
): Promise<string | null> {
  for await (const { bodyText } of rows) {
    const body: unknown = JSON.parse(bodyText ?? "null");
    return (body as { journal?: string } | null)?.journal ?? null;
  }
  return null;
}
