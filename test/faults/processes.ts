import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { afterAll, onTestFinished } from "vitest";

/** Compiled workers, so that all but the first start in a third of the time. */
const compiled = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
chmodSync(compiled, 0o777); // Also for those that run as somebody else.
afterAll(() => rmSync(compiled, { recursive: true, force: true }));

export interface Ended {
  /** What the worker said, without half a line at the end. */
  readonly said: readonly string[];
  readonly complaints: string;
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Runs a worker of this folder in a process of its own.
 *
 * @param onLine gets each line as it comes, and may kill the process
 * @param through a command that becomes the process, as one that takes rights away
 */
export async function runWorker(
  name: string,
  job: unknown,
  onLine: (line: string, child: ChildProcess) => void = () => {},
  through: readonly string[] = [],
): Promise<Ended> {
  const worker = path.join(import.meta.dirname, `${name}.ts`);
  const [command, ...args] = [...through, process.execPath, worker, JSON.stringify(job)];
  const child = spawn(command ?? "", args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "", NODE_NO_WARNINGS: "1", NODE_COMPILE_CACHE: compiled },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const said: string[] = [];
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    said.push(line);
    onLine(line, child);
  });
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  child.on("error", reject);
  child.on("close", (code, signal) => resolve({ said, complaints, code, signal }));
  return promise;
}
