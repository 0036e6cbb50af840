import type { Command } from "commander";
import { accepted } from "../accepted.ts";
import { addCommand, type Call, carriedOutBy, nonEmpty, repeated } from "../command.ts";
import { textFromFile } from "../json-file.ts";
import type { Reply } from "../output.ts";
import { isPersonAtTerminal } from "../person.ts";
import { inProject } from "../project.ts";
import type { InstructedAnswer, NarrowedAnswer } from "../view-schemas.ts";

/** What binds a task further after its start. */
export function registerAgreement(task: Command): void {
  const narrowing = addCommand(task, {
    usage: "narrow",
    does: "bind the task to fewer paths, before anything is changed or verified",
    example: "task narrow --scope 'src/cart/**' --reason 'the rest is not concerned'",
    appends: true,
  })
    .option("--scope <glob>", "what may be changed, within what was agreed on", repeated)
    .option(
      "--out-of-scope <glob>",
      "what may not, beside what there is; may be repeated",
      repeated,
    )
    .option("--protect <glob>", "what may never, beside what there is; may be repeated", repeated)
    .requiredOption("--reason <text>", "why", nonEmpty);
  carriedOutBy(narrowing, narrow);
  const instruction = addCommand(task, {
    usage: "instruct",
    does: "record what the user said after the start, word for word",
    example: "task instruct 'and do not touch README.md'",
    appends: true,
  }).argument("<text>", "what was said; - reads it from stdin", nonEmpty);
  carriedOutBy(instruction, instruct);
}

interface NarrowOptions {
  readonly scope?: readonly string[];
  readonly outOfScope?: readonly string[];
  readonly protect?: readonly string[];
  readonly reason: string;
}

function narrow(call: Call<NarrowOptions>): Promise<Reply | null> {
  const { scope, outOfScope, protect, reason } = call.options;
  const lists = Object.entries({ scope, outOfScope, protectedPaths: protect });
  const given = lists.flatMap(([name, list]) => (list === undefined ? [] : [[name, [...list]]]));
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { events, head } = await accepted(
      engine,
      { type: "narrowScope", ...Object.fromEntries(given), reason },
      call.asking,
    );
    const { contract } = (await engine.task(events[0]?.header.run, call.asking)).task;
    const { outOfScope: outside, protectedPaths } = contract;
    return {
      json: {
        run: contract.run,
        scope: contract.scope,
        outOfScope: outside,
        protectedPaths,
        head,
      } satisfies NarrowedAnswer,
      text: () => `The scope is ${contract.scope.join(", ")} (event ${head.seq}).`,
    };
  });
}

function instruct(call: Call): Promise<Reply | null> {
  const [given] = call.args as [string];
  const text = given === "-" ? textFromFile("-", "instruction") : given;
  const by = isPersonAtTerminal() ? "terminal" : "program";
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { run } = (await engine.task(undefined, call.asking)).task.contract;
    const command = { type: "giveInstruction", run, text, by } as const;
    const { head } = await accepted(engine, command, call.asking);
    return {
      json: { run, by, head } satisfies InstructedAnswer,
      text: () => `Recorded as event ${head.seq}.`,
    };
  });
}
