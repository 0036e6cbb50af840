import { type Command, Option } from "commander";
import { currentStep, STEP_TARGETS } from "../../contract/index.ts";
import type { MoveStep } from "../../task/index.ts";
import { accepted } from "../accepted.ts";
import { addCommand, addGroup, type Call, carriedOutBy, nonEmpty } from "../command.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import type { MovedPlan } from "../view-schemas.ts";

export function registerPlan(program: Command): void {
  const plan = addGroup(program, "plan", "say how far the work plan is");
  const command = addCommand(plan, {
    usage: "step",
    does: "move a step of the open task's work plan; finishing one starts the next",
    example: "plan step implement --status done",
    appends: true,
  })
    .argument("<id>", "the step")
    .addOption(
      new Option("--status <status>", "where it stands now")
        .choices(STEP_TARGETS)
        .makeOptionMandatory(),
    )
    .option("--note <text>", "why; needed where a step fails or is taken up again", nonEmpty);
  carriedOutBy(command, moveStep);
}

interface StepOptions {
  readonly status: MoveStep["status"];
  readonly note?: string;
}

function moveStep(call: Call<StepOptions>): Promise<Reply | null> {
  const [step] = call.args as [string];
  const { status, note } = call.options;
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { events, head } = await accepted(
      engine,
      { type: "moveStep", step, status, ...(note === undefined ? {} : { note }) },
      call.asking,
    );
    const { plan } = (await engine.task(events[0]?.header.run, call.asking)).task;
    const current = currentStep(plan)?.id ?? null;
    return {
      json: { plan, current, head } satisfies MovedPlan,
      text: () =>
        `${step} is ${status} (event ${head.seq}).${current === null ? "" : `\nCurrent step: ${current}`}`,
    };
  });
}
