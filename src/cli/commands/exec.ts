import { realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { Command } from "commander";
import type { Engine } from "../../engine/index.ts";
import { HoldfastError } from "../../errors.ts";
import { currentFolder } from "../../open.ts";
import { pathWithin } from "../../state-folder/index.ts";
import { addCommand, type Call, carriedOutBy, nonEmpty, seconds } from "../command.ts";
import { exactText } from "../exact-command.ts";
import { EXIT, type Failure, failureOf } from "../failure.ts";
import { assertAnswerPlace } from "../new-file.ts";
import type { ObservedRun } from "../observe/index.ts";
import type { Reply } from "../output.ts";
import { inProject, locateProject } from "../project.ts";
import { reasonOf } from "../text.ts";
import type { ExecReport } from "../view-schemas.ts";

export function registerExec(program: Command): void {
  const command = addCommand(program, {
    usage: "exec",
    does: "run a command under observation; output and exit code are passed through",
    example: "exec -- npm test",
    appends: true,
  })
    .argument("[command...]", "the command and its arguments, run without a shell")
    .option("-c <string>", "run this through the task's shell instead", nonEmpty)
    .option("--timeout <seconds>", "end it after this time (124 where it then ends well)", seconds)
    .option(
      "--report <file>",
      "write what was seen as JSON, best outside the project or where git ignores it",
    )
    .passThroughOptions();
  carriedOutBy(command, exec);
}

interface ExecOptions {
  readonly c?: string;
  readonly timeout?: number;
  readonly report?: string;
}

async function exec(call: Call<ExecOptions>): Promise<Reply | null> {
  const { report } = call.options;
  const words = call.args[0] as readonly string[];
  const text = wantedText(call.options.c, words);
  if (report !== undefined) {
    assertAnswerPlace(report, (await locateProject(call)).stateDir);
    assertWritable(report);
  }
  try {
    const run = await inProjectFolder(call, text, words);
    if (report !== undefined) writeReport(report, reportOf(run));
    return null;
  } catch (error) {
    if (report !== undefined) writeReport(report, neverRan(text, failureOf(error, "exec")));
    throw error;
  }
}

function wantedText(string: string | undefined, words: readonly string[]): string {
  if (string !== undefined && words.length > 0) {
    throw new HoldfastError(
      "input/invalid",
      "Both a string for the shell and a command of its own are given.",
      "Use either exec -c STRING or exec -- COMMAND ARGUMENT…",
    );
  }
  if (string !== undefined) return string;
  if (words.length === 0 || words[0] === "") {
    throw new HoldfastError(
      "input/invalid",
      "There is no command to run.",
      "Name it after two dashes: holdfast exec -- npm test",
    );
  }
  return exactText(words);
}

async function inProjectFolder(
  call: Call<ExecOptions>,
  text: string,
  words: readonly string[],
): Promise<ObservedRun> {
  let seen: ObservedRun | undefined;
  await inProject(call, { need: "there" }, async ({ engine, projectDir }) => {
    const folder = realpathSync(currentFolder());
    const folderInProject = folderWithin(projectDir, folder);
    const [program = "", ...rest] =
      call.options.c === undefined ? words : [await shellOf(engine, call), "-c", text];
    const { catchSignals, exitCodeOf, runObserved } = await import("../observe/index.ts");
    const signals = catchSignals();
    try {
      const run = await runObserved(
        engine,
        call.asking,
        {
          text,
          program,
          words: rest,
          folder,
          folderInProject,
          timeoutMs: call.options.timeout ?? null,
          stdout: process.stdout,
          stderr: process.stderr,
        },
        signals,
      );
      seen = run;
      tell(run, call);
      process.exitCode = exitCodeOf(run.end) || (run.recorded === null ? EXIT.journal : EXIT.yes);
    } finally {
      signals.release();
    }
    return null;
  });
  if (seen === undefined) throw new Error("The project was opened and nothing was run.");
  return seen;
}

/** What the command itself could not say. */
function tell({ startProblem, recorded, failure, replayed, command }: ObservedRun, call: Call) {
  const { output } = call;
  if (startProblem !== null) output.note(`holdfast: ${command} can't be started: ${startProblem}`);
  if (replayed) {
    output.note(`holdfast: this key's command was run before (event ${recorded?.seq}); not again`);
  }
  if (failure === null) return;
  const { code, message, remedy } = failureOf(failure, "exec");
  output.note(`holdfast: how it ended is not recorded. ${code}: ${message}\n${remedy}`);
}

/** The project-relative current folder, "" for the project folder itself. */
function folderWithin(projectDir: string, folder: string): string {
  const within = pathWithin(projectDir, folder);
  if (within !== null) return within.split(path.sep).join("/");
  throw new HoldfastError(
    "input/invalid",
    `The current folder ${folder} lies outside the project ${projectDir}.`,
    "Go to a folder of the project, or name another project with --dir.",
  );
}

/** The shell of the session's open task. */
async function shellOf(engine: Engine, { asking }: Call): Promise<string> {
  const tasks = await engine.tasks(asking);
  const own = tasks.findLast(({ open, ownedByThisSession }) => open && ownedByThisSession);
  if (own === undefined) return SHELLS.sh;
  const { task } = await engine.task(own.run, asking);
  return SHELLS[task.contract.verifyShell];
}

/** `sh` has one place on every system; bash may be anywhere on the PATH. */
export const SHELLS = { sh: "/bin/sh", bash: "bash" } as const;

function reportOf({ command, end, recorded, failure }: ObservedRun): ExecReport {
  const { exitCode, signal, timedOut } = end;
  return {
    command,
    exitCode,
    signal,
    timedOut,
    verdict: recorded?.body.verdict ?? null,
    reason: recorded?.body.reason ?? null,
    seq: recorded?.seq ?? null,
    recorded: recorded !== null,
    error: failure === null ? null : errorOf(failureOf(failure, "exec")),
  };
}

function neverRan(command: string, failure: Failure): ExecReport {
  return {
    command,
    exitCode: null,
    signal: null,
    timedOut: false,
    verdict: null,
    reason: "not-run",
    seq: null,
    recorded: false,
    error: errorOf(failure),
  };
}

const errorOf = ({ code, message, remedy }: Failure) => ({ code, message, remedy });

/** Asked before the command is run: a report that can't be written afterwards would be too late. */
function assertWritable(file: string): void {
  writeReport(file, null);
}

function writeReport(file: string, report: ExecReport | null): void {
  try {
    writeFileSync(file, report === null ? "" : `${JSON.stringify(report)}\n`);
  } catch (cause) {
    throw new HoldfastError(
      "input/not-writable",
      `The report ${file} can't be written: ${reasonOf(cause)}.`,
      "Name a file in a folder that you may write to.",
      { cause },
    );
  }
}
