/**
 * A process that carries out an operation, and is cut off right before or right after one of its
 * writes. Its argument is an `EachWriteJob` as JSON.
 *
 * It says `acknowledged` once the operation has answered. Where it comes to its end, it says
 * `write <which>` for each write, and last `ended`; or `refused <code> <kind>`.
 */
import process from "node:process";
import { HoldfastError } from "../../src/errors.ts";
import { die, say } from "./die.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";
import { watchWrites } from "./writes.ts";

/** Each write has two: what is on the disk may differ, and so may what was said. */
export type Moment = "before" | "after";

export interface EachWriteJob {
  readonly operation: OperationName;
  readonly folder: string;
  /** The first write is number 1. Null lets the operation come to its end. */
  readonly dieAt: { readonly write: number; readonly moment: Moment } | null;
  /** Where it says `stopping` and stops, until it is told to go on, before a write of this number. */
  readonly stopAt?: number;
}

const { operation, folder, dieAt, stopAt } = JSON.parse(process.argv[2] ?? "") as EachWriteJob;

const writes: string[] = [];
let isRunning = false;

await watchWrites((write) => {
  if (!isRunning) return () => {};
  const number = writes.push(write);
  const dieIf = (moment: Moment) => {
    if (dieAt?.write === number && dieAt.moment === moment) die();
  };
  dieIf("before");
  if (stopAt === number) {
    say("stopping");
    process.kill(process.pid, "SIGSTOP");
  }
  return () => dieIf("after");
});

try {
  isRunning = true;
  await OPERATIONS[operation].run(folder, () => say("acknowledged"));
  isRunning = false;
  for (const write of writes) say(`write ${write}`);
  say("ended");
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  say(`refused ${error.code} ${error.kind}`);
  process.exitCode = 1;
}
