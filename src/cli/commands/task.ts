import process from "node:process";
import { type Command, Option } from "commander";
import {
  CHANGE_MODES,
  hasEnded,
  RISK_LANES,
  type TaskDraft,
  VERIFY_SHELLS,
} from "../../contract/index.ts";
import { HoldfastError } from "../../errors.ts";
import { switchesOf } from "../../switches.ts";
import {
  addCommand,
  addGroup,
  type Call,
  carriedOutBy,
  nonEmpty,
  repeated,
  seconds,
  wholeNumber,
} from "../command.ts";
import { jsonFromFile } from "../json-file.ts";
import type { Reply } from "../output.ts";
import { isPersonAtTerminal } from "../person.ts";
import { inProject, type Project } from "../project.ts";
import type { ShownTask, TaskList } from "../view-schemas.ts";
import { startedText, taskListText, taskText } from "../views/task.ts";
import { registerAgreement } from "./agreement.ts";
import { registerLifecycle } from "./lifecycle.ts";

export function registerTask(program: Command): void {
  const task = addGroup(program, "task", "start, list, show, pause and retry tasks");
  registerStart(task);
  carriedOutBy(
    addCommand(task, {
      usage: "list",
      does: "list all runs, in the order in which they began",
      example: "task list --json",
    }),
    listTasks,
  );
  carriedOutBy(
    addCommand(task, {
      usage: "show [run]",
      does: "show one run: the named one, else the open one, else the last",
      example: "task show",
    }),
    showTask,
  );
  registerAgreement(task);
  registerLifecycle(task);
}

function registerStart(task: Command): void {
  const command = addCommand(task, {
    usage: "start",
    does: "start a task, from a draft file or from options",
    example:
      "task start --summary 'Reject quantities below one' \\\n      --criterion 'addItem(0) throws RangeError' --scope 'src/**' --verify 'npm test'",
    appends: true,
  })
    .option("--file <file>", "a draft as JSON; - reads it from stdin")
    .option("--summary <text>", "what is asked for, in a sentence")
    .option("--criterion <text>", "what has to hold at the end; may be repeated", repeated)
    .option("--verify <command>", "an exact command that has to pass; may be repeated", repeated)
    .option("--verify-timeout <seconds>", "how long a verify command may run", seconds)
    .addOption(new Option("--shell <shell>", "the shell of verify commands").choices(VERIFY_SHELLS))
    .option("--scope <glob>", "what may be changed; may be repeated", repeated)
    .option("--out-of-scope <glob>", "what may not; may be repeated", repeated)
    .option("--protect <glob>", "what may never; may be repeated", repeated)
    .addOption(new Option("--mode <mode>", "what the task does").choices(CHANGE_MODES))
    .addOption(new Option("--lane <lane>", "how risky it is").choices(RISK_LANES))
    .option("--expected <text>", "what the result looks like")
    .option("--max-attempts <n>", "how often the task may be attempted", wholeNumber)
    .option("--task-id <slug>", "the task's id (default: made from the summary)", nonEmpty);
  carriedOutBy(command, startTask);
}

interface StartOptions {
  readonly file?: string;
  readonly summary?: string;
  readonly criterion?: readonly string[];
  readonly verify?: readonly string[];
  readonly verifyTimeout?: number;
  readonly shell?: NonNullable<TaskDraft["shell"]>;
  readonly scope?: readonly string[];
  readonly outOfScope?: readonly string[];
  readonly protect?: readonly string[];
  readonly mode?: NonNullable<TaskDraft["changeMode"]>;
  readonly lane?: NonNullable<TaskDraft["riskLane"]>;
  readonly expected?: string;
  readonly maxAttempts?: number;
  readonly taskId?: string;
}

async function startTask(call: Call<StartOptions>): Promise<Reply | null> {
  const draft = draftOf(call.options);
  const intakeMode = isPersonAtTerminal() ? "person" : "model";
  const asking = { ...call.asking, intakeMode } as const;
  for (const problem of switchesOf(process.env).problems) call.output.note(problem);
  const begin = async ({ engine, sqlite }: Project): Promise<Reply | null> => {
    const started = await engine.startTask(draft, asking);
    if (sqlite === null) return null;
    for (const warning of started.warnings) call.output.note(warning);
    return { json: started, text: () => startedText(started) };
  };
  // A draft that is refused leaves nothing behind, so it is tried before a journal is made for it.
  const begun = await inProject(call, { need: "there-or-empty" }, begin);
  return begun ?? inProject(call, { need: "made" }, begin);
}

function draftOf(options: StartOptions): TaskDraft {
  const { file } = options;
  const given = Object.keys(DRAFT_FIELDS).filter((name) => Object.hasOwn(options, name));
  if (file === undefined) return draftFromOptions(options);
  if (given.length > 0) {
    throw new HoldfastError(
      "input/invalid",
      `The draft is given twice: as ${file}, and by ${given.map(flagOf).join(", ")}.`,
      "Leave out either --file or the options that describe the task.",
    );
  }
  return draftFromFile(file);
}

/** The field of a draft that each option gives. */
const DRAFT_FIELDS = {
  summary: "summary",
  criterion: "acceptanceCriteria",
  verify: "verifyCommands",
  verifyTimeout: "verifyTimeoutMs",
  shell: "shell",
  scope: "scope",
  outOfScope: "outOfScope",
  protect: "protectedPaths",
  mode: "changeMode",
  lane: "riskLane",
  expected: "expectedOutput",
  maxAttempts: "maxAttempts",
  taskId: "taskId",
} as const satisfies Record<Exclude<keyof StartOptions, "file">, keyof TaskDraft>;

function draftFromOptions(options: StartOptions): TaskDraft {
  const { summary, criterion } = options;
  if (summary === undefined || criterion === undefined) {
    const missing = summary === undefined ? "--summary" : "--criterion";
    throw new HoldfastError(
      "input/invalid",
      `A task needs a summary and at least one criterion, and ${missing} is not given.`,
      "Give both, or a draft with --file. See: holdfast task start --help",
    );
  }
  const fields = Object.entries(DRAFT_FIELDS).flatMap(([name, field]) => {
    const value = options[name as keyof StartOptions];
    return value === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(fields) as unknown as TaskDraft;
}

/** What it holds is checked by the engine. */
function draftFromFile(file: string): TaskDraft {
  return jsonFromFile(file, {
    what: "draft",
    example: '{ "summary": "…", "acceptanceCriteria": ["…"], "verifyCommands": ["npm test"] }',
  }) as TaskDraft;
}

const flagOf = (name: string) =>
  `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function listTasks(call: Call): Promise<Reply | null> {
  return inProject(call, { need: "there-or-empty", toldOfNewer: true }, async ({ engine }) => {
    const tasks = await engine.tasks(call.asking);
    return { json: tasks satisfies TaskList, text: (paint) => taskListText(tasks, paint) };
  });
}

function showTask(call: Call): Promise<Reply | null> {
  const [run] = call.args as [string | undefined];
  return inProject(call, { need: "there-or-empty", toldOfNewer: true }, async ({ engine }) => {
    const found = await engine.task(run, call.asking);
    const { taskId, run: id } = found.task.contract;
    const open = !hasEnded(found.task.status);
    return {
      json: { run: id, taskId, open, ...found } satisfies ShownTask,
      text: (paint) => taskText(found, paint),
    };
  });
}
