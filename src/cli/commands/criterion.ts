import type { Command } from "commander";
import { HoldfastError } from "../../errors.ts";
import type { TaskSummary } from "../../status/index.ts";
import {
  amendmentUnknown,
  criterionUnknown,
  type JudgeCriterion,
  NO_OPEN_TASK,
  type ProposeCriteria,
} from "../../task/index.ts";
import { accepted } from "../accepted.ts";
import { addCommand, addGroup, type Call, carriedOutBy, nonEmpty } from "../command.ts";
import { jsonFromFile } from "../json-file.ts";
import type { Reply } from "../output.ts";
import { confirmedAtTerminal } from "../person.ts";
import { inProject } from "../project.ts";
import type {
  AcceptedAnswer,
  JudgedCriterion,
  ProposedAnswer,
  ShownCriteria,
} from "../view-schemas.ts";
import { amendmentLines, criteriaText } from "../views/criteria.ts";

type Judgement = JudgeCriterion["as"];

const JUDGEMENTS: readonly {
  readonly verb: string;
  readonly as: Judgement;
  readonly does: string;
}[] = [
  { verb: "approve", as: "approved", does: "say that a criterion holds that a person judges" },
  { verb: "waive", as: "waived", does: "ask for a criterion no more" },
  {
    verb: "defer",
    as: "deferred",
    does: "put a criterion off: it is not done, and not waited for",
  },
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
  const proposal = addCommand(group, {
    usage: "propose",
    does: "propose other criteria, or another scope; nothing changes until a person accepts it",
    example: "criterion propose --file criteria.json --reason 'names are checked elsewhere'",
    appends: true,
  })
    .requiredOption("--file <file>", "what they are to be, as JSON; - reads it from stdin")
    .requiredOption("--reason <text>", "why", nonEmpty);
  carriedOutBy(proposal, propose);
  const acceptance = addCommand(group, {
    usage: "accept",
    does: "hold the task to what was proposed; asks at the terminal",
    example: "criterion accept amendment-01 --reason 'as we said on the phone'",
    appends: true,
  })
    .argument("<id>", "the proposal, as amendment-01")
    .requiredOption("--reason <text>", "why", nonEmpty);
  carriedOutBy(acceptance, accept);
}

function showCriteria(call: Call): Promise<Reply | null> {
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { task, criteria } = await engine.status(call.asking);
    if (task === null) throw HoldfastError.of(NO_OPEN_TASK);
    const files = await engine.filesInFocus(undefined, call.asking);
    return {
      json: { run: task.run, criteria, files } satisfies ShownCriteria,
      text: (paint) => criteriaText(criteria, files, paint),
    };
  });
}

function judge(call: Call<{ reason: string }>, as: Judgement): Promise<Reply | null> {
  const [criterion] = call.args as [string];
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { criteria, task, tree } = await engine.status(call.asking);
    const shown = shownTask(task);
    const text = criteria.find(({ id }) => id === criterion)?.text;
    if (text === undefined) {
      throw HoldfastError.of(
        criterionUnknown(await engine.task(shown.run, call.asking), criterion),
      );
    }
    const what = `${criterion} (${JSON.stringify(text)})`;
    if (!(await confirmedAtTerminal(`${what} is ${as}.`))) {
      throw needsPerson(`A criterion is ${as}`);
    }
    const { head } = await accepted(
      engine,
      {
        type: "judgeCriterion",
        ...shown,
        criterion,
        as,
        reason: call.options.reason,
        by: "terminal",
        tree: tree.digest,
      },
      call.asking,
    );
    const after = await engine.status(call.asking);
    const status = after.criteria.find(({ id }) => id === criterion)?.status ?? "pending";
    return {
      json: { criterion, status, by: "terminal", head } satisfies JudgedCriterion,
      text: () => `${criterion} is ${as} (event ${head.seq}).`,
    };
  });
}

interface ProposalOptions {
  readonly file: string;
  readonly reason: string;
}

function propose(call: Call<ProposalOptions>): Promise<Reply | null> {
  const { file, reason } = call.options;
  const asked = jsonFromFile(file, {
    what: "proposal",
    example: '{ "acceptanceCriteria": [{ "id": "criterion-01" }, "a new one"] }',
  });
  // What it says is checked with the command.
  const command = { ...(asked as object), type: "proposeCriteria", reason } as ProposeCriteria;
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const { events, head } = await accepted(engine, command, call.asking);
    const { task } = await engine.task(events[0]?.header.run, call.asking);
    const { proposal } = task;
    if (proposal === null) throw new Error("What was proposed is not in the state.");
    const { amendment, added, reworded, removed, scope } = proposal;
    return {
      json: { amendment, added, reworded, removed, scope, head } satisfies ProposedAnswer,
      text: () =>
        [
          `${amendment} is proposed (event ${head.seq}); the task is held to what was agreed on until a person accepts it.`,
          ...amendmentLines(task, proposal),
          `A person does that with: holdfast criterion accept ${amendment} --reason …`,
        ].join("\n"),
    };
  });
}

function accept(call: Call<{ reason: string }>): Promise<Reply | null> {
  const [amendment] = call.args as [string];
  return inProject(call, { need: "there-or-empty" }, async ({ engine }) => {
    const status = await engine.status(call.asking);
    const shown = shownTask(status.task);
    const { task } = await engine.task(shown.run, call.asking);
    const { proposal } = task;
    if (proposal?.amendment !== amendment)
      throw HoldfastError.of(amendmentUnknown(task, amendment));
    const lines = amendmentLines(task, proposal).join("\n");
    if (!(await confirmedAtTerminal(`${lines}\nThe task is held to this.`))) {
      throw needsPerson("What was proposed is accepted");
    }
    const { reason } = call.options;
    const { events, head } = await accepted(
      engine,
      {
        type: "acceptCriteria",
        ...shown,
        amendment,
        reason,
        by: "terminal",
        proposed: proposal.seq,
      },
      call.asking,
    );
    const after = await engine.task(events[0]?.header.run, call.asking);
    const { criteria, scope } = after.task.contract;
    return {
      json: { amendment, criteria, scope, by: "terminal", head } satisfies AcceptedAnswer,
      text: () => `${amendment} is accepted (event ${head.seq}).`,
    };
  });
}

/** The run and its version as a person is shown it: their word is about these, and no others. */
function shownTask(task: TaskSummary | null): {
  readonly run: string;
  readonly expectedVersion: number;
} {
  if (task === null) throw HoldfastError.of(NO_OPEN_TASK);
  if (task.open && !task.ownedByThisSession) {
    throw new HoldfastError(
      "contract/not-owner",
      `Run ${task.run} is owned by another session (${task.owner.slice(0, 12)}…).`,
      "Say it in that session (--session), or take the run over: holdfast takeover --reason …",
    );
  }
  return { run: task.run, expectedVersion: task.version };
}

function needsPerson(what: string): HoldfastError {
  return new HoldfastError(
    "evidence/needs-person",
    `${what} only by a person at a terminal, and nobody sits at this one.`,
    "Have the person who wants it run the same command in a terminal of their own.",
  );
}
