import { expect, test } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import type { EachWriteJob } from "./each-write-worker.ts";
import { storedIn } from "./journals.ts";
import { OPERATIONS } from "./operations.ts";
import { runWorker } from "./processes.ts";
import { type Stopped, stoppedBefore, tryToAppend } from "./stopped.ts";

const OPERATION = "append three events";
const { prepare } = OPERATIONS[OPERATION];

/** In the middle of its transaction, with the write lock. */
async function stoppedWithTheLock(folder: string): Promise<Stopped> {
  await prepare(folder);
  const probe = temporaryFolder();
  await prepare(probe);
  const job: EachWriteJob = { operation: OPERATION, folder: probe, dieAt: null };
  const { said } = await runWorker("each-write-worker", job);
  const writes = said.filter((line) => line.startsWith("write "));
  const insert = writes.findLastIndex((line) => line.includes("INSERT INTO events"));
  return stoppedBefore(insert + 1, OPERATION, folder);
}

test("who waits for a stopped process is told in time, reads on, and appends once it goes on", async () => {
  const folder = temporaryFolder();
  const { child, ended } = await stoppedWithTheLock(folder);
  for (const lockWaitMs of [0, 300]) {
    const { outcome, afterMs } = await tryToAppend(folder, lockWaitMs);
    expect(outcome).toBe("busy");
    expect(afterMs).toBeGreaterThanOrEqual(lockWaitMs);
    expect(afterMs).toBeLessThan(lockWaitMs + 2_000);
  }
  expect(await storedIn(folder)).toHaveLength(4);

  const patient = tryToAppend(folder, 60_000);
  child.kill("SIGCONT");
  expect((await patient).outcome).toBe("stored");
  expect(await ended).toMatchObject({ code: 0, complaints: "" });
  expect(await storedIn(folder)).toHaveLength(8);
}, 60_000);

test("a stopped process that is killed leaves nothing of its transaction and no lock", async () => {
  const folder = temporaryFolder();
  const { child, ended } = await stoppedWithTheLock(folder);
  expect((await tryToAppend(folder, 0)).outcome).toBe("busy");
  child.kill("SIGKILL");
  expect(await ended).toMatchObject({ signal: "SIGKILL" });
  expect((await tryToAppend(folder, 0)).outcome).toBe("stored");
  expect(await storedIn(folder)).toHaveLength(5);
}, 60_000);

test("with the lock held for 2 s, who waits 5 s succeeds and who waits 300 ms is told to try again (FR-011)", async () => {
  const folder = temporaryFolder();
  const { child, ended } = await stoppedWithTheLock(folder);
  const patient = tryToAppend(folder, 5_000);
  const hasty = await tryToAppend(folder, 300);
  expect(hasty.outcome).toBe("busy");
  expect(hasty.afterMs).toBeGreaterThanOrEqual(300);
  setTimeout(() => child.kill("SIGCONT"), 2_000 - hasty.afterMs);
  const { outcome, afterMs } = await patient;
  expect(outcome).toBe("stored");
  expect(afterMs).toBeGreaterThanOrEqual(1_900);
  expect(afterMs).toBeLessThan(5_000);
  expect(await ended).toMatchObject({ code: 0, complaints: "" });
  expect(await storedIn(folder)).toHaveLength(8);
}, 60_000);
