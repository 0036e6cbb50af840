import process from "node:process";
import type { Command } from "commander";
import { hasEnded } from "../../contract/index.ts";
import type { Asking, Engine } from "../../engine/index.ts";
import { HoldfastError } from "../../errors.ts";
import { NO_OPEN_TASK, type RunState } from "../../task/index.ts";
import { addCommand, type Call, carriedOutBy, seconds } from "../command.ts";
import { EXIT } from "../failure.ts";
import type { ObservedRun } from "../observe/index.ts";
import type { Reply } from "../output.ts";
import { inProject, type Project } from "../project.ts";
import type { Verified, VerifyResult } from "../view-schemas.ts";
import { verifyText } from "../views/verify.ts";
import { SHELLS } from "./exec.ts";

export function registerVerify(program: Command): void {
  const command = addCommand(program, {
    usage: "verify",
    does: "run the open task's verify commands in the project folder, each exactly as agreed",
    example: "verify --all",
    appends: true,
  })
    .option("--all", "go on after one that does not pass")
    .option("--timeout <seconds>", "the time for each (default: what the task says)", seconds);
  carriedOutBy(command, verify);
}

interface VerifyOptions {
  readonly all?: boolean;
  readonly timeout?: number;
}

function verify(call: Call<VerifyOptions>): Promise<Reply | null> {
  return inProject(call, { need: "there-or-empty" }, async (project) => {
    const { engine } = project;
    const { contract } = await openTask(engine, call.asking);
    const runs = await runAll(project, contract, call);
    const { verifiers } = await engine.status(call.asking);
    const currency = new Map(verifiers.map((it) => [it.command, it.currency]));
    const results = runs.map((run) => resultOf(run, currency.get(run.command) === "current"));
    const passed =
      results.length === contract.verifyCommands.length &&
      results.every(({ verdict, current }) => verdict === "pass" && current);
    return {
      exitCode: passed ? EXIT.yes : EXIT.no,
      json: { results } satisfies Verified,
      text: (paint) => verifyText(results, contract.verifyCommands.length, paint),
    };
  });
}

async function openTask(engine: Engine, asking: Asking): Promise<RunState["task"]> {
  const { task } = await engine.task(undefined, asking);
  // A paused run as well: what is observed of it goes on counting.
  if (!hasEnded(task.status)) return task;
  throw HoldfastError.of(NO_OPEN_TASK);
}

async function runAll(
  { engine, projectDir }: Project,
  contract: RunState["task"]["contract"],
  { options, asking, output }: Call<VerifyOptions>,
): Promise<readonly ObservedRun[]> {
  const { catchSignals, runObserved } = await import("../observe/index.ts");
  const { SHED } = await import("../../journal/index.ts");
  const signals = catchSignals();
  const runs: ObservedRun[] = [];
  try {
    for (const [index, text] of contract.verifyCommands.entries()) {
      if (text === SHED) continue; // Nobody knows what it was; the gate says so.
      const { key } = asking;
      const run = await runObserved(
        engine,
        key === undefined ? asking : { ...asking, key: `${key}#${index + 1}` },
        {
          text,
          program: SHELLS[contract.verifyShell],
          words: ["-c", text],
          folder: projectDir,
          folderInProject: "",
          timeoutMs: options.timeout ?? contract.verifyTimeoutMs,
          stdout: output.json ? process.stderr : process.stdout,
          stderr: process.stderr,
        },
        signals,
      );
      if (run.failure !== null) throw run.failure;
      runs.push(run);
      const passed = run.recorded?.body.verdict === "pass";
      if (signals.first() !== null || (!passed && options.all !== true)) break;
    }
    return runs;
  } finally {
    signals.release();
  }
}

function resultOf({ command, end, recorded }: ObservedRun, isCurrent: boolean): VerifyResult {
  const { seq, body } = recorded ?? {};
  const verdict = body?.verdict ?? "inconclusive";
  return {
    command,
    exitCode: end.exitCode,
    signal: end.signal,
    verdict,
    reason: body?.reason ?? null,
    tree: body?.treeAfter ?? null,
    current: isCurrent && verdict === "pass",
    seq: seq ?? 0,
  };
}
