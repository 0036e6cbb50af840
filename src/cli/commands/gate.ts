import { type Command, Option } from "commander";
import { FAILED_AT, OUTCOMES } from "../../contract/index.ts";
import type { ConcludeTask } from "../../task/index.ts";
import { addCommand, type Call, carriedOutBy, nonEmpty } from "../command.ts";
import { EXIT } from "../failure.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import { gateText, receiptText } from "../views/gate.ts";

export function registerGate(program: Command): void {
  const gate = addCommand(program, {
    usage: "gate",
    does: "tell whether the task is done, and what is missing",
    example: "gate",
    appends: true,
  }).option("--record", "record the answer in the journal");
  carriedOutBy(gate, evaluate);

  const conclude = addCommand(program, {
    usage: "conclude",
    does: "end the run: as completed only through a passing gate, else with a reason",
    example: "conclude --outcome completed",
    appends: true,
  })
    .addOption(
      new Option("--outcome <outcome>", "how it ended").choices(OUTCOMES).makeOptionMandatory(),
    )
    .option("--reason <text>", "why, for every other outcome than completed", nonEmpty)
    .addOption(
      new Option("--failed-at <phase>", "where it failed, for the outcome failed").choices(
        FAILED_AT,
      ),
    );
  carriedOutBy(conclude, end);
}

function evaluate(call: Call<{ record?: boolean }>): Promise<Reply | null> {
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const report =
      call.options.record === true
        ? await engine.recordGate(undefined, call.asking)
        : await engine.gate(undefined, call.asking);
    return {
      exitCode: report.decision === "pass" ? EXIT.yes : EXIT.no,
      json: report,
      text: (paint) => gateText(report, paint),
    };
  });
}

type EndOptions = Pick<ConcludeTask, "outcome" | "reason" | "failedAt">;

function end(call: Call<EndOptions>): Promise<Reply | null> {
  const { outcome, reason, failedAt } = call.options;
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const concluded = await engine.conclude(
      {
        outcome,
        ...(reason === undefined ? {} : { reason }),
        ...(failedAt === undefined ? {} : { failedAt }),
      },
      call.asking,
    );
    return { json: concluded, text: (paint) => receiptText(concluded.receipt, paint) };
  });
}
