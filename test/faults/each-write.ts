import { cpSync } from "node:fs";
import { availableParallelism } from "node:os";
import { expect } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import type { EachWriteJob, Moment } from "./each-write-worker.ts";
import { OPERATIONS, type Operation, type OperationName, type Outcome } from "./operations.ts";
import { type Ended, runWorker } from "./processes.ts";

const MOMENTS: readonly Moment[] = ["before", "after"];

/**
 * Carries an operation out once for each of its writes, in a process that is killed right before
 * it, and once more for right after. After each kill the operation is done or not done, it is done
 * if it was acknowledged, and it can be carried out again; over all kills, in order, it is not done
 * up to some moment and done from then on.
 *
 * @param moments leaves out one of the two, where both would take too long
 * @returns the writes, in order
 */
export async function killAtEachWrite(
  operation: OperationName,
  { moments = MOMENTS }: { readonly moments?: readonly Moment[] } = {},
): Promise<readonly string[]> {
  const prepared = temporaryFolder();
  await OPERATIONS[operation].prepare(prepared);
  const writes = await writesOf(operation, prepared);
  const kills = writes.flatMap((name, index) =>
    moments.map((moment) => ({ name, write: index + 1, moment })),
  );
  const outcomes = new Map<string, Outcome>();
  const waiting = [...kills];
  const lane = async () => {
    for (let kill = waiting.shift(); kill !== undefined; kill = waiting.shift()) {
      outcomes.set(nameOf(kill), await outcomeOf(operation, prepared, kill));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  console.info(`${operation}: ${writes.length} writes, ${kills.length} kills`);
  expectOneTurn(kills.map((kill) => `${nameOf(kill)}: ${outcomes.get(nameOf(kill))}`));
  return writes;
}

interface Kill {
  /** The write, for people. */
  readonly name: string;
  readonly write: number;
  readonly moment: Moment;
}

const nameOf = ({ name, write, moment }: Kill) => `killed ${moment} write ${write} (${name})`;

async function writesOf(operation: OperationName, prepared: string): Promise<readonly string[]> {
  const folder = copyOf(prepared);
  const ended = await run({ operation, folder, dieAt: null });
  expectWhole(ended);
  expect(await OPERATIONS[operation].check(folder)).toBe("done");
  return ended.said.flatMap((line) => (line.startsWith("write ") ? [line.slice(6)] : []));
}

async function outcomeOf(operation: OperationName, prepared: string, kill: Kill): Promise<Outcome> {
  const { check, isRepeatable = false }: Operation = OPERATIONS[operation];
  const folder = copyOf(prepared);
  const { name: _, ...dieAt } = kill;
  const { said, complaints, signal } = await run({ operation, folder, dieAt });
  expect([signal, complaints], nameOf(kill)).toEqual(["SIGKILL", ""]);
  const outcome = await checked(check, folder, nameOf(kill));
  if (said.includes("acknowledged")) expect(outcome, nameOf(kill)).toBe("done");
  if (outcome === "not done" || isRepeatable) {
    expectWhole(await run({ operation, folder, dieAt: null }));
    expect(await checked(check, folder, `${nameOf(kill)}, then again`)).toBe("done");
  }
  return outcome;
}

async function checked(
  check: (folder: string) => Promise<Outcome>,
  folder: string,
  when: string,
): Promise<Outcome> {
  try {
    return await check(folder);
  } catch (cause) {
    throw new Error(`Neither done nor not done when ${when}: ${cause}`, { cause });
  }
}

function expectWhole({ said, complaints, code }: Ended): void {
  expect([said.at(-1), complaints, code]).toEqual(["ended", "", 0]);
  expect(said).toContain("acknowledged");
}

/** Not done at first, done at last, and one turn from the one to the other. */
function expectOneTurn(inOrder: readonly string[]): void {
  const isDone = (line: string) => line.endsWith(": done");
  const turn = inOrder.findIndex(isDone);
  expect(turn, inOrder.join("\n")).toBeGreaterThan(0);
  expect(inOrder.slice(turn).filter((line) => !isDone(line))).toEqual([]);
}

function copyOf(prepared: string): string {
  const folder = temporaryFolder();
  cpSync(prepared, folder, { recursive: true });
  return folder;
}

const run = (job: EachWriteJob) => runWorker("each-write-worker", job);
