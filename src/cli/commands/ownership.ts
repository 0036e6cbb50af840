import { type Command, Option } from "commander";
import { SETTLEMENTS } from "../../evidence/index.ts";
import type { SettleCall } from "../../task/index.ts";
import { accepted } from "../accepted.ts";
import { addCommand, type Call, carriedOutBy, nonEmpty, position } from "../command.ts";
import type { Reply } from "../output.ts";
import { confirmedAtTerminal } from "../person.ts";
import { inProject } from "../project.ts";
import type { Settled, TakenOver } from "../view-schemas.ts";

/** Acts by which someone answers for what another session left behind. */
export function registerOwnership(program: Command): void {
  const takeover = addCommand(program, {
    usage: "takeover",
    does: "move the ownership of a run to this session; recorded, and no approval of anything",
    example: "takeover --reason 'the first session is gone'",
    appends: true,
  })
    .option("--run <run>", "the run (default: the open one)")
    .requiredOption("--reason <text>", "why", nonEmpty);
  carriedOutBy(takeover, takeOver);

  const settleCommand = addCommand(program, {
    usage: "settle",
    does: "say what a call did whose end nobody saw",
    example: "settle 12 --as not-happened --reason 'no such tag on the server'",
    appends: true,
  })
    .argument("<seq>", "the event of the call", position)
    .addOption(new Option("--as <what>", "what it did").choices(SETTLEMENTS).makeOptionMandatory())
    .requiredOption("--reason <text>", "how you know", nonEmpty);
  carriedOutBy(settleCommand, settle);
}

function takeOver(call: Call<{ run?: string; reason: string }>): Promise<Reply | null> {
  const { run, reason } = call.options;
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { events, head } = await accepted(
      engine,
      { type: "takeOverTask", reason, ...(run === undefined ? {} : { run }) },
      call.asking,
    );
    const [taken] = events;
    const body = taken?.body as { readonly to: string; readonly epoch: number } | undefined;
    const id = taken?.header.run ?? "";
    return {
      json: { run: id, owner: body?.to ?? "", epoch: body?.epoch ?? 0, head } satisfies TakenOver,
      text: () => `This session now owns run ${id} (event ${head.seq}).\nNext: holdfast resume`,
    };
  });
}

function settle(call: Call<{ as: SettleCall["as"]; reason: string }>): Promise<Reply | null> {
  const [seq] = call.args as [number];
  const { as, reason } = call.options;
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const by = (await confirmedAtTerminal(`Event ${seq} is settled as ${as}.`))
      ? "terminal"
      : "program";
    const { head } = await accepted(
      engine,
      { type: "settleCall", seq, as, reason, by },
      call.asking,
    );
    return {
      json: { seq, as, by, head } satisfies Settled,
      text: () => `The call at event ${seq} counts as ${as} (event ${head.seq}).`,
    };
  });
}
