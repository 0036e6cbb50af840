import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { GIT_ERROR_BYTES_MAX, GIT_OUTPUT_BYTES_MAX, GIT_TIMEOUT_MS } from "../limits.ts";
import { ReadingStopped } from "../reading-stopped.ts";

export type GitOutput = {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** In English, since it is read by this program. */
  readonly stderr: string;
};

export type GitCall = {
  readonly cwd: string;
  readonly input?: Buffer;
  /** Further `name=value` settings for this call alone. */
  readonly settings?: readonly string[];
};

/**
 * Runs git once. Any exit code is an answer.
 *
 * @throws ReadingStopped `git-failed` if it can't be started, is killed or says too much, `git-timeout`
 */
export type RunGit = (args: readonly string[], call: GitCall) => Promise<GitOutput>;

/**
 * Set for each call, over whatever the user's configuration says. The first three keep git from
 * starting other programs; the next two make it look at a file again whenever any of its times
 * changed; the last keeps a warning out of the way of an answer.
 */
const SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.safecrlf=false",
  "core.ignoreCase=false", // else of two names that differ in case only one is seen
];

/** Variables of git that say where its own parts and the user's configuration are, and no repository. */
const KEPT_VARIABLES = new Set([
  "GIT_ATTR_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_SYSTEM",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_EXEC_PATH",
]);

/**
 * The environment that git gets: nothing that points it at another repository or index, nothing
 * that makes it write, ask, translate, page or reach for a network.
 */
function gitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !name.startsWith("GIT_") || KEPT_VARIABLES.has(name),
  );
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: "none", // a partial clone would fetch what it lacks, into .git
    GIT_LITERAL_PATHSPECS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1", // a replaced commit would hide what changed since
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    LC_ALL: "C",
  };
}

/**
 * The git program on a search path, `null` if there is none. Relative folders of the path are left
 * out: from inside a project they would find a program of that project.
 */
export function findGit(searchPath: string | undefined): string | null {
  for (const folder of (searchPath ?? "").split(path.delimiter)) {
    const program = path.join(folder, "git");
    if (path.isAbsolute(folder) && isProgram(program)) return program;
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false; // not there, or not ours to run
  }
}

export function gitRunner(program: string, environment: NodeJS.ProcessEnv): RunGit {
  const env = gitEnvironment(environment);
  return (args, call) => {
    const settings = [...SETTINGS, ...(call.settings ?? [])].flatMap((setting) => ["-c", setting]);
    return run(program, ["--no-pager", ...settings, ...args], env, call);
  };
}

function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  call: GitCall,
): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: call.cwd, env, stdio: "pipe" });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let stdoutBytes = 0;
    let stderrBytes = 0;
    const stop = (reason: "git-failed" | "git-timeout") => {
      reject(new ReadingStopped(reason));
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => stop("git-timeout"), GIT_TIMEOUT_MS);
    child.stdout.on("data", (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes > GIT_OUTPUT_BYTES_MAX) stop("git-failed");
      else stdout.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderrBytes < GIT_ERROR_BYTES_MAX) stderr.push(chunk);
      stderrBytes += chunk.length;
    });
    child.on("error", () => {
      clearTimeout(timer);
      stop("git-failed");
    });
    child.on("close", (exitCode) => {
      clearTimeout(timer);
      if (exitCode === null) return stop("git-failed");
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString("utf8"),
      });
    });
    child.stdin.on("error", () => {}); // git may end before it has read everything; its code tells
    child.stdin.end(call.input);
  });
}
