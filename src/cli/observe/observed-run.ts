import { createHash, randomUUID } from "node:crypto";
import process from "node:process";
import type { Answer, Asking, Engine } from "../../engine/index.ts";
import { HoldfastError } from "../../errors.ts";
import type { CommandObserved, ToolRequested } from "../../evidence/index.ts";
import { accepted } from "../accepted.ts";
import { OBSERVED_MARK } from "../environment.ts";
import { type ChildEnd, runChild } from "./child.ts";
import { type CaughtSignals, exitCodeOfSignal } from "./signals.ts";

/** The name under which calls of this command stand in the journal. */
const TOOL = "holdfast-exec";

/** What `timeout` answers for a command that ended well, but too late. @see coreutils, timeout(1) */
const TOO_LATE = 124;

export interface CommandToObserve {
  /** The exact text by which it is known. */
  readonly text: string;
  readonly program: string;
  readonly words: readonly string[];
  /** The current folder: absolute, and relative to the project. */
  readonly folder: string;
  readonly folderInProject: string;
  readonly timeoutMs: number | null;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** What became of a command under observation. */
export interface ObservedRun {
  readonly command: string;
  readonly end: ChildEnd;
  /** Why it could not be started, or null. */
  readonly startProblem: string | null;
  /** What the journal says of its end; null when that could not be recorded. */
  readonly recorded: { readonly seq: number; readonly body: CommandObserved } | null;
  /** Why its end could not be recorded, or null. */
  readonly failure: unknown;
  /** True when the key was used before: nothing was run, and this is what was seen then. */
  readonly replayed: boolean;
}

/**
 * Runs a command with its request recorded before and its end after.
 *
 * @throws HoldfastError when the request can't be recorded; then nothing was run.
 * `journal/key-reused` when the key's command was begun before and never seen to end.
 */
export async function runObserved(
  engine: Engine,
  asking: Asking,
  command: CommandToObserve,
  signals: CaughtSignals,
): Promise<ObservedRun> {
  const call = callOf(asking);
  const common = { call, tool: TOOL, command: command.text, cwd: command.folderInProject } as const;
  const request = await accepted(
    engine,
    { type: "requestTool", effect: "shell", ...common },
    asking,
  );
  if (request.replayed) return earlierRun(engine, call, request);

  const requested = request.events[0]?.body as unknown as ToolRequested;
  const environment = { ...process.env, [OBSERVED_MARK]: "1" };
  const { end, output, durationMs, startProblem } = await runChild(
    { ...command, environment },
    signals,
  );
  const run = { command: requested.command, end, startProblem, replayed: false } as const;
  try {
    const answer = await accepted(
      engine,
      { type: "observeCommand", ...common, treeBefore: requested.tree, end, output, durationMs },
      asking.key === undefined ? asking : { ...asking, key: `${asking.key}#end` },
    );
    const event = answer.events[0];
    const body = event?.body as unknown as CommandObserved;
    return { ...run, recorded: { seq: event?.header.seq ?? 0, body }, failure: null };
  } catch (failure) {
    return { ...run, recorded: null, failure };
  }
}

/** The exit code of a command's end, as a shell would give it. */
export function exitCodeOf({ exitCode, signal, timedOut, aborted }: ChildEnd): number {
  if (signal !== null) return exitCodeOfSignal(signal);
  if (exitCode === 0 && timedOut) return TOO_LATE;
  return exitCode ?? (aborted ? exitCodeOfSignal("SIGINT") : 1);
}

/** The same key names the same call, so that its repetition is known for one. */
function callOf({ key }: Asking): string {
  if (key === undefined) return randomUUID();
  return `key-${createHash("sha256").update(key).digest("hex")}`;
}

async function earlierRun(engine: Engine, call: string, request: Answer): Promise<ObservedRun> {
  const { evidence } = await engine.state();
  const seen = evidence.recent.findLast((observation) => observation.call === call);
  if (seen === undefined) {
    const seq = request.events[0]?.header.seq;
    throw new HoldfastError(
      "journal/key-reused",
      `The command of this key was begun at event ${seq}, and its end is not known; it is not run a second time.`,
      "Find out what it did (holdfast resume), and run it again with a new key.",
    );
  }
  const { seq, command, exitCode, signal, timedOut, aborted } = seen;
  const end = { exitCode, signal, timedOut, aborted };
  const body = { ...seen, output: { digest: "", bytes: 0, head: "", tail: "" } };
  return {
    command,
    end,
    startProblem: null,
    recorded: { seq, body },
    failure: null,
    replayed: true,
  };
}
