import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type CapturedOutput, OutputCapture } from "./captured-output.ts";
import { closeWriteEnds, makePipes, Passage, readerOf } from "./pipes.ts";
import { type Grouping, groupingForStdin, signalAll } from "./process-group.ts";
import type { CaughtSignals, StopSignal } from "./signals.ts";

/** How long a command that ran out of time may take to end by itself, in milliseconds. */
const KILL_GRACE_MS = 5_000;

/** What shells answer for a command that is not there, and for one that can't be run. @see POSIX.1-2024, Shell, 2.8.2 */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

export interface ChildCommand {
  readonly program: string;
  readonly words: readonly string[];
  /** An absolute path. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number | null;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
}

export interface ChildResult {
  readonly end: ChildEnd;
  readonly output: CapturedOutput;
  readonly durationMs: number;
  /** Why it could not be started, or null. */
  readonly startProblem: string | null;
}

/**
 * Runs a command with our stdin and passes its output through byte for byte as it comes.
 *
 * It is not run when a stop signal has come already; one that comes meanwhile is passed on.
 */
export async function runChild(
  command: ChildCommand,
  signals: CaughtSignals,
): Promise<ChildResult> {
  const startedMs = performance.now();
  const capture = new OutputCapture();
  const ended = (end: Omit<ChildEnd, "aborted">, startProblem: string | null): ChildResult => ({
    end: { ...end, aborted: signals.first() !== null },
    output: capture.finish(),
    durationMs: Math.round(performance.now() - startedMs),
    startProblem,
  });
  if (signals.first() !== null) return ended(NEVER_STARTED, null);
  const grouping = groupingForStdin();
  let child: StartedChild;
  try {
    child = await start(command, grouping);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT"
      ? ended({ ...NEVER_STARTED, exitCode: NOT_FOUND }, "there is no such command")
      : ended({ ...NEVER_STARTED, exitCode: NOT_EXECUTABLE }, message);
  }
  signals.passTo((signal) => {
    if (!comesFromTerminal(signal, grouping)) signalAll(child.pid, grouping, signal);
  });
  const clock = limitTime(command.timeoutMs, (signal) => signalAll(child.pid, grouping, signal));
  try {
    const passages = [
      new Passage(child.stdout, command.stdout, capture),
      new Passage(child.stderr, command.stderr, capture),
    ];
    const { exitCode, signal } = await child.exit;
    if (!clock.timedOut) clock.stop();
    await Promise.all(passages.map((passage) => passage.emptied()));
    // What it started and left behind has run out of time with it.
    if (clock.timedOut && grouping === "own") signalAll(child.pid, grouping, "SIGKILL");
    return ended({ exitCode, signal, timedOut: clock.timedOut }, null);
  } finally {
    clock.stop();
    signals.passTo(null);
  }
}

const NEVER_STARTED = { exitCode: null, signal: null, timedOut: false } as const;

interface StartedChild {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exit: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
}

async function start(command: ChildCommand, grouping: Grouping): Promise<StartedChild> {
  const pipes = makePipes(["stdout", "stderr"]);
  let child: ChildProcess;
  try {
    child = spawn(command.program, command.words, {
      cwd: command.folder,
      env: command.environment,
      stdio: ["inherit", pipes?.[0]?.writeEnd ?? "pipe", pipes?.[1]?.writeEnd ?? "pipe"],
      detached: grouping === "own",
    });
  } finally {
    closeWriteEnds(pipes);
  }
  const exit = new Promise<Awaited<StartedChild["exit"]>>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const [stdout, stderr] = pipes?.map(readerOf) ?? [child.stdout, child.stderr];
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  } catch (error) {
    for (const source of [stdout, stderr]) source?.destroy();
    throw error;
  }
  return { pid: child.pid as number, stdout: stdout as Readable, stderr: stderr as Readable, exit };
}

/** Whether the command got the signal already, as all that belong to the terminal's job. */
function comesFromTerminal(signal: StopSignal, grouping: Grouping): boolean {
  return grouping === "shared" && signal !== "SIGTERM";
}

/** Asks the command to end when its time is up, and makes it end after the grace period. */
function limitTime(
  timeoutMs: number | null,
  signal: (signal: NodeJS.Signals) => void,
): { readonly timedOut: boolean; stop(): void } {
  let timedOut = false;
  let timer: NodeJS.Timeout | null = null;
  if (timeoutMs !== null) {
    timer = setTimeout(() => {
      timedOut = true;
      signal("SIGTERM");
      timer = setTimeout(() => signal("SIGKILL"), KILL_GRACE_MS);
    }, timeoutMs);
  }
  return {
    get timedOut() {
      return timedOut;
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
