import { type Command, Option } from "commander";
import { currentStep, STEP_TARGETS } from "../../contract/index.ts";
import type { Answer, Engine } from "../../engine/index.ts";
import type { MoveStep, RecordPlan } from "../../task/index.ts";
import { accepted } from "../accepted.ts";
import { addCommand, addGroup, type Call, carriedOutBy, nonEmpty } from "../command.ts";
import { jsonFromFile } from "../json-file.ts";
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
  const record = addCommand(plan, {
    usage: "record",
    does: "put another work plan in the place of the one there is; what has begun stays in it",
    example: "plan record --file plan.json",
    appends: true,
  }).requiredOption("--file <file>", "the steps, as the plan of a draft; - reads them from stdin");
  carriedOutBy(record, recordPlan);
}

interface StepOptions {
  readonly status: MoveStep["status"];
  readonly note?: string;
}

function moveStep(call: Call<StepOptions>): Promise<Reply | null> {
  const [step] = call.args as [string];
  const { status, note } = call.options;
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const answer = await accepted(
      engine,
      { type: "moveStep", step, status, ...(note === undefined ? {} : { note }) },
      call.asking,
    );
    return planReply(engine, call, answer, `${step} is ${status} (event ${answer.head.seq}).`);
  });
}

function recordPlan(call: Call<{ file: string }>): Promise<Reply | null> {
  const plan = jsonFromFile(call.options.file, {
    what: "plan",
    example: '[{ "id": "implement", "title": "…", "mode": "single-writer" }]',
  }) as RecordPlan["plan"];
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const answer = await accepted(engine, { type: "recordPlan", plan }, call.asking);
    return planReply(engine, call, answer, `The plan is recorded (event ${answer.head.seq}).`);
  });
}

/** The plan as it stands after a command, and the current step. */
async function planReply(
  engine: Engine,
  call: Call,
  { events, head }: Answer,
  said: string,
): Promise<Reply> {
  const { plan } = (await engine.task(events[0]?.header.run, call.asking)).task;
  const current = currentStep(plan)?.id ?? null;
  return {
    json: { plan, current, head } satisfies MovedPlan,
    text: () => (current === null ? said : `${said}\nCurrent step: ${current}`),
  };
}
