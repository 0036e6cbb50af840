import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type CapturedOutput, OutputCapture } from "./captured-output.ts";
import { type Grouping, groupingForStdin, signalAll } from "./process-group.ts";
import type { CaughtSignals } from "./signals.ts";

/** How long a command that ran out of time may take to end by itself, in milliseconds. */
const KILL_GRACE_MS = 5_000;

/**
 * How long after a command's end its output is waited for, in milliseconds without a byte: what it
 * left running in the background may keep the pipes open for ever.
 */
const QUIET_MS = 500;

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
    end: { ...end, aborted: signals.first !== null },
    output: capture.finish(),
    durationMs: Math.round(performance.now() - startedMs),
    startProblem,
  });
  if (signals.first !== null) return ended(NEVER_STARTED, null);
  const grouping = groupingForStdin();
  let child: ChildProcess;
  try {
    child = started(command, grouping);
    await spawned(child);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const exitCode = code === "ENOENT" ? NOT_FOUND : NOT_EXECUTABLE;
    return ended({ ...NEVER_STARTED, exitCode }, code === "ENOENT" ? "it is not there" : message);
  }
  const pid = child.pid as number;
  signals.passTo((signal) => {
    if (grouping === "own" || signal === "SIGTERM") signalAll(pid, grouping, signal);
  });
  const clock = limitTime(command.timeoutMs, (signal) => signalAll(pid, grouping, signal));
  try {
    const pipes = [
      new Pipe(child.stdout as Readable, command.stdout, capture),
      new Pipe(child.stderr as Readable, command.stderr, capture),
    ];
    const { exitCode, signal } = await exitOf(child);
    clock.stop();
    await Promise.all(pipes.map((pipe) => pipe.emptied()));
    return ended({ exitCode, signal, timedOut: clock.timedOut }, null);
  } finally {
    clock.stop();
    signals.passTo(null);
  }
}

const NEVER_STARTED = { exitCode: null, signal: null, timedOut: false } as const;

function started(command: ChildCommand, grouping: Grouping): ChildProcess {
  return spawn(command.program, command.words, {
    cwd: command.folder,
    env: command.environment,
    stdio: ["inherit", "pipe", "pipe"],
    detached: grouping === "own",
  });
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
    child.once("error", reject);
  });
}

/** Asks the command to end when its time is up, and makes it end after the grace period. */
function limitTime(
  timeoutMs: number | null,
  signal: (signal: NodeJS.Signals) => void,
): { readonly timedOut: boolean; stop(): void } {
  let timedOut = false;
  let timer =
    timeoutMs === null
      ? null
      : setTimeout(() => {
          timedOut = true;
          signal("SIGTERM");
          timer = setTimeout(() => signal("SIGKILL"), KILL_GRACE_MS);
        }, timeoutMs);
  return {
    get timedOut() {
      return timedOut;
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Passes what comes out of one pipe on and keeps what the record needs of it. */
class Pipe {
  readonly #source: Readable;
  readonly #ended: Promise<void>;
  #isBlocked = false;
  #chunks = 0;

  constructor(source: Readable, target: NodeJS.WriteStream, capture: OutputCapture) {
    this.#source = source;
    this.#ended = new Promise((resolve) => source.once("close", resolve));
    // Nobody reads our output any more: the command gets to feel it as it would without us.
    const stop = () => source.destroy();
    target.once("error", stop);
    source.once("close", () => target.off("error", stop));
    source.on("data", (chunk: Buffer) => {
      this.#chunks++;
      capture.add(chunk);
      if (target.write(chunk)) return;
      this.#isBlocked = true;
      source.pause();
      target.once("drain", () => {
        this.#isBlocked = false;
        source.resume();
      });
    });
    source.once("error", stop);
  }

  /** Resolves at its end, or when it stays quiet although everything was taken from it. */
  async emptied(): Promise<void> {
    for (;;) {
      const before = this.#chunks;
      if (await this.#endsWithin(QUIET_MS)) return;
      if (this.#chunks === before && !this.#isBlocked) break;
    }
    this.#source.destroy();
  }

  async #endsWithin(waitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), waitMs);
    });
    try {
      return await Promise.race([this.#ended.then(() => true as const), quiet]);
    } finally {
      clearTimeout(timer);
    }
  }
}
