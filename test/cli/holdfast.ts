/** The real command in real repositories: what every test of the command line begins with. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect, onTestFinished, vi } from "vitest";
import { bundleCommand } from "../../scripts/bundle-command.ts";
import { expectAnswer, expectEvent } from "./described.ts";

const ROOT = path.dirname(path.dirname(import.meta.dirname));

/** The bundle stands as deep below the root as the built one, and its dependencies resolve from there. */
const BUNDLE = path.join(ROOT, "dist.test", `${process.pid}-${performance.now()}`);
export const COMMAND = path.join(BUNDLE, "holdfast.js");
await mkdir(BUNDLE, { recursive: true });
for (const { name, text } of await bundleCommand(ROOT)) {
  await writeFile(path.join(BUNDLE, name), text);
}
await chmod(COMMAND, 0o755);
afterAll(() => rm(BUNDLE, { recursive: true, force: true }));

/** Every call is a process of its own, and they share the machine with other tests. */
vi.setConfig({ testTimeout: 60_000 });

/** What tells a call about the user, the host and the machine; a test sets what it is about. */
const FOREIGN =
  /^(HOLDFAST_|PIAGENT_|PI_|CLAUDE|CI$|NO_COLOR$|FORCE_COLOR$|NODE_OPTIONS$|VITEST|GIT_)/;

export type Environment = Readonly<Record<string, string>>;

export function environment(more: Environment = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  return { ...Object.fromEntries(own), ...more };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  /** The current folder; by default that of the project. */
  readonly folder?: string;
  readonly env?: Environment;
  readonly stdin?: string;
}

export interface Project {
  /** The real path of a git repository with one commit. */
  readonly folder: string;
  /** Calls the command there. */
  readonly holdfast: (words: readonly string[], options?: CallOptions) => Promise<Ended>;
  /** The same with `--json`; gives the document, whatever the exit code, if its schema describes it. */
  readonly answer: (words: readonly string[], options?: CallOptions) => Promise<Answer>;
  readonly write: (file: string, text: string) => Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a document.
export type Answer = { readonly code: number | null; readonly json: any };

/** A folder that goes when the test ends. */
export async function aFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "holdfast-cli-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder without git, in which nothing is yet. */
export async function aPlainProject(): Promise<Project> {
  return projectIn(await aFolder());
}

/** A repository whose check (`sh check.sh`) fails until `check.sh` is mended. */
export async function aProject(): Promise<Project> {
  const folder = await aFolder();
  await writeFile(path.join(folder, "check.sh"), "exit 1\n");
  await mkdir(path.join(folder, "sub"));
  await writeFile(path.join(folder, "sub", "check.sh"), "exit 0\n");
  git(folder, "init", "--quiet");
  git(folder, "add", ".");
  git(folder, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "one");
  return projectIn(folder);
}

export function projectIn(folder: string): Project {
  const holdfast: Project["holdfast"] = (words, options = {}) =>
    endOf(start(words, { folder, ...options }), options.stdin ?? "");
  return {
    folder,
    holdfast,
    answer: async (words, options) => {
      const { code, stdout } = await holdfast([...words, "--json"], options);
      const json = JSON.parse(stdout);
      expectAnswer(words, json);
      return { code, json };
    },
    write: (file, text) => writeFile(path.join(folder, file), text),
  };
}

/** Begins a call whose end the test doesn't wait for at once. */
export function start(words: readonly string[], { folder, env }: CallOptions): ChildProcess {
  return spawn(process.execPath, [COMMAND, ...words], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: environment(env),
  });
}

export async function endOf(child: ChildProcess, stdin: string | null = ""): Promise<Ended> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  if (stdin !== null) {
    child.stdin?.on("error", () => {}); // A command that reads nothing may end before this is written.
    child.stdin?.end(stdin);
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...texts }));
  });
}

export function git(folder: string, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", words, {
    cwd: folder,
    env: environment(),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
  return stdout;
}

/** The options of a task that is done when `sh check.sh` passes. */
export const A_TASK = [
  ...["--summary", "Make the check pass again"],
  ...["--criterion", "the check passes"],
  ...["--scope", "check.sh"],
  ...["--verify", "sh check.sh"],
] as const;

/** The environment of a task whose calls are not judged by its phase, so that only they are recorded. */
export const NO_PHASE_TOOLS: Environment = { PIAGENT_PHASE_TOOLS: "off" };

/** The events of a project's journal, as the lines of an export tell them. */
export async function eventsOf(project: Project): Promise<readonly StoredEvent[]> {
  const { stdout } = await project.holdfast(["log", "--json"]);
  const events = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as StoredEvent);
  for (const event of events) expectEvent(event);
  return events;
}

export interface StoredEvent {
  readonly header: { readonly seq: number; readonly type: string; readonly run: string };
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects of a body.
  readonly body: any;
}

/** Changes a journal behind its back. */
export function changeInDatabase(folder: string, sql: string): void {
  const database = new Database(path.join(folder, ".holdfast", "journal.sqlite"));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/**
 * Begins an observed command and waits until it runs; it writes its process id first.
 *
 * @returns the call, its end, and the process id of the command
 */
export async function running(
  script: string,
  options: CallOptions & { readonly folder: string },
  ...words: readonly string[]
): Promise<{
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly pid: number;
}> {
  const file = path.join(await aFolder(), "pid");
  const child = start(["exec", ...words, "-c", `echo $$ > '${file}'; ${script}`], options);
  const ended = endOf(child, null);
  await vi.waitFor(() => expect(readFileSync(file, "utf8")).toMatch(/\n/), 20_000);
  const pid = Number(readFileSync(file, "utf8"));
  onTestFinished(() => end(-pid));
  return { child, ended, pid };
}

/** Ends a process, or with a negative id a group, that a test left running. */
export function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
