import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import type { EachWriteJob } from "./each-write-worker.ts";
import { OPERATIONS, type Operation, type OperationName } from "./operations.ts";
import { runWorker } from "./processes.ts";

/** What happens instead of a system call: an error of the disk, or the end of the process. */
type Failure = "error=EIO" | "error=ENOSPC" | "signal=SIGKILL";

/** System calls by which something gets on a disk, with what may happen instead of each. */
export const FAILURES: readonly (readonly [call: string, failure: Failure])[] = [
  ["pwrite64", "error=EIO"],
  ["pwrite64", "error=ENOSPC"],
  ["pwrite64", "signal=SIGKILL"],
  ["fsync", "error=EIO"],
  ["fsync", "signal=SIGKILL"],
  ["fdatasync", "error=EIO"],
  ["ftruncate", "error=EIO"],
  ["ftruncate", "signal=SIGKILL"],
  ["unlink", "error=EIO"],
  ["unlink", "signal=SIGKILL"],
  ["link", "error=EIO"],
  ["link", "signal=SIGKILL"],
  ["rename", "error=EIO"],
  ["rename", "signal=SIGKILL"],
];

/** Null where system calls can be made to fail, else why not. */
export function whyNoFailingCalls(): string | null {
  const { status, error, stderr } = spawnSync("strace", ["-f", "--seccomp-bpf", "true"], {
    encoding: "utf8",
  });
  return status === 0 ? null : `No call can be made to fail here: ${error?.message ?? stderr}`;
}

/**
 * Carries an operation out with the first of a kind of system calls failing, again with the second,
 * and so on until none fails: it is acknowledged and done, or refused with a typed error, or killed;
 * and it can be carried out again.
 *
 * @returns how many calls failed
 */
export async function expectTypedWhenCallsFail(
  operation: OperationName,
  call: string,
  failure: Failure,
): Promise<number> {
  const prepared = temporaryFolder();
  await OPERATIONS[operation].prepare(prepared);
  for (let number = 1; ; number++) {
    if (!(await isTypedWhenFails(operation, prepared, { call, failure, number })))
      return number - 1;
  }
}

interface FailingCall {
  readonly call: string;
  readonly failure: Failure;
  readonly number: number;
}

/** @returns false where there was no call of this number */
async function isTypedWhenFails(
  operation: OperationName,
  prepared: string,
  { call, failure, number }: FailingCall,
): Promise<boolean> {
  const { check, isRepeatable = false }: Operation = OPERATIONS[operation];
  const folder = temporaryFolder();
  cpSync(prepared, folder, { recursive: true });
  const trace = path.join(temporaryFolder(), "trace");
  const inject = `inject=${call}:${failure}:when=${number}`;
  // Faster, but strace injects no signal then.
  const faster = failure === "signal=SIGKILL" ? [] : ["--seccomp-bpf"];
  const strace = ["strace", "-f", ...faster, "-qq", "-o", trace];
  const job: EachWriteJob = { operation, folder, dieAt: null };
  const through = [...strace, "-e", `trace=${call}`, "-e", inject];
  const { said, complaints, signal } = await runWorker("each-write-worker", job, () => {}, through);
  const isKilled = failure === "signal=SIGKILL" && signal === "SIGKILL";
  if (!isKilled && !readFileSync(trace, "utf8").includes("INJECTED")) return false;

  const what = `${operation}, ${inject}: ${said.filter((line) => !line.startsWith("write ")).join(", ")}`;
  expect(complaints, what).toBe("");
  const outcome = await check(folder);
  if (said.includes("acknowledged")) expect(outcome, what).toBe("done");
  else if (!isKilled)
    expect(said.at(-1), what).toMatch(
      /^refused (journal\/(not-writable|storage-full) journal|input\/not-writable input)$/,
    );
  if (outcome === "not done" || isRepeatable) {
    const again = await runWorker("each-write-worker", job);
    expect([again.said.at(-1), again.complaints], what).toEqual(["ended", ""]);
    expect(await check(folder), what).toBe("done");
  }
  return true;
}
