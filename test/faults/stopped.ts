import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { HoldfastError } from "../../src/errors.ts";
import { anEvent, appendTo } from "../journal/makers.ts";
import type { EachWriteJob } from "./each-write-worker.ts";
import { journalIn } from "./journals.ts";
import type { OperationName } from "./operations.ts";
import { type Ended, runWorker } from "./processes.ts";

/** A process that stands still, with all its locks, until it is told to go on or is killed. */
export interface Stopped {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Carries out an operation and stops its process right before the write of this number. */
export async function stoppedBefore(
  write: number,
  operation: OperationName,
  folder: string,
): Promise<Stopped> {
  const stopping = Promise.withResolvers<ChildProcess>();
  const job: EachWriteJob = { operation, folder, dieAt: null, stopAt: write };
  const ended = runWorker("each-write-worker", job, (line, child) => {
    if (line === "stopping") stopping.resolve(child);
  });
  const child = await Promise.race([
    stopping.promise,
    ended.then(({ complaints }) => Promise.reject(new Error(`It did not stop: ${complaints}`))),
  ]);
  await vi.waitUntil(() => isStopped(child), { interval: 1 });
  return { child, ended };
}

/** @see proc_pid_stat(5): the state follows the name, which stands in parentheses */
function isStopped({ pid }: ChildProcess): boolean {
  try {
    return / \(.*\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true; // Not Linux: as it said.
    throw error;
  }
}

/** How an append ended, and after how many milliseconds. */
export interface Tried {
  readonly outcome: "stored" | "busy";
  readonly afterMs: number;
}

/** Opens the journal and appends one event, waiting at most so long for each lock. */
export async function tryToAppend(folder: string, lockWaitMs: number): Promise<Tried> {
  const begin = performance.now();
  const outcome = await outcomeOfAppend(folder, lockWaitMs);
  return { outcome, afterMs: performance.now() - begin };
}

async function outcomeOfAppend(folder: string, lockWaitMs: number): Promise<Tried["outcome"]> {
  try {
    const { journal, close } = await journalIn(folder, { lockWaitMs });
    try {
      await appendTo(journal, anEvent({ by: "another process" }));
      return "stored";
    } finally {
      await close();
    }
  } catch (error) {
    expect(error).toBeInstanceOf(HoldfastError);
    expect(error).toMatchObject({ code: "journal/busy", kind: "busy" });
    return "busy";
  }
}
