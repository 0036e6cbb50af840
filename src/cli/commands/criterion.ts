import type { Command } from "commander";
import { HoldfastError } from "../../errors.ts";
import { type JudgeCriterion, NO_OPEN_TASK } from "../../task/index.ts";
import { accepted } from "../accepted.ts";
import { addCommand, addGroup, type Call, carriedOutBy, nonEmpty } from "../command.ts";
import type { Reply } from "../output.ts";
import { confirmedAtTerminal } from "../person.ts";
import { inProject } from "../project.ts";
import { criteriaText } from "../views/criteria.ts";

type Judgement = JudgeCriterion["as"];

const JUDGEMENTS: readonly {
  readonly verb: string;
  readonly as: Judgement;
  readonly does: string;
}[] = [
  { verb: "approve", as: "approved", does: "say that a criterion holds that a person judges" },
  { verb: "waive", as: "waived", does: "ask for a criterion no more" },
  { verb: "defer", as: "deferred", does: "put a criterion off: it counts as not done" },
];

/** What the task's "done" is made of, and what a person says of it; the latter only at a terminal. */
export function registerCriterion(program: Command): void {
  carriedOutBy(
    addCommand(program, {
      usage: "criteria",
      does: "show each criterion of the open run, else of the last: how it stands, what it lacks, what it waits for",
      example: "criteria",
    }),
    showCriteria,
  );
  const group = addGroup(program, "criterion", "say what is to hold of a criterion, as a person");
  for (const { verb, as, does } of JUDGEMENTS) {
    const command = addCommand(group, {
      usage: verb,
      does: `${does}; asks at the terminal`,
      example: `criterion ${verb} criterion-01 --reason 'looked at it myself'`,
      appends: true,
    })
      .argument("<id>", "the criterion, as criterion-01")
      .requiredOption("--reason <text>", "why", nonEmpty);
    carriedOutBy(command, (call: Call<{ reason: string }>) => judge(call, as));
  }
}

function showCriteria(call: Call): Promise<Reply | null> {
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { task, criteria } = await engine.status(call.asking);
    if (task === null) throw HoldfastError.of(NO_OPEN_TASK);
    return {
      json: { run: task.run, criteria },
      text: (paint) => criteriaText(criteria, paint),
    };
  });
}

function judge(call: Call<{ reason: string }>, as: Judgement): Promise<Reply | null> {
  const [criterion] = call.args as [string];
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { criteria } = await engine.status(call.asking);
    const text = criteria.find(({ id }) => id === criterion)?.text;
    const what = text === undefined ? criterion : `${criterion} ("${text}")`;
    if (!(await confirmedAtTerminal(`${what} is ${as}.`))) throw needsPerson(as);
    const { head } = await accepted(
      engine,
      { type: "judgeCriterion", criterion, as, reason: call.options.reason, by: "terminal" },
      call.asking,
    );
    const after = await engine.status(call.asking);
    const status = after.criteria.find(({ id }) => id === criterion)?.status ?? "pending";
    return {
      json: { criterion, status, by: "terminal", head },
      text: () => `${criterion} is ${as} (event ${head.seq}).`,
    };
  });
}

function needsPerson(as: Judgement): HoldfastError {
  return new HoldfastError(
    "evidence/needs-person",
    `A criterion is ${as} only by a person at a terminal, and nobody sits at this one.`,
    "Have the person who wants it run the same command in a terminal of their own.",
  );
}
