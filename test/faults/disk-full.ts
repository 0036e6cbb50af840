import { expect } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import type { DiskFullJob } from "./disk-full-worker.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";
import { WITH_OWN_DISKS } from "./own-disks.ts";
import { runWorker } from "./processes.ts";

/**
 * Carries an operation out on a full disk, and again with a page more of room each time until it
 * succeeds: it is done, or fails with a typed error and is not done. With room it succeeds.
 *
 * @returns what was found and what it ended with, for each number of pages
 */
export async function expectTypedWhenFull(operation: OperationName): Promise<readonly string[]> {
  const prepared = temporaryFolder();
  await OPERATIONS[operation].prepare(prepared);
  const job: DiskFullJob = { operation, prepared, disk: temporaryFolder() };
  const { said, complaints, code } = await runWorker(
    "disk-full-worker",
    job,
    () => {},
    WITH_OWN_DISKS,
  );
  expect([said.at(-1), complaints, code]).toEqual(["ended", "", 0]);
  const lines = said.slice(0, -1).filter((line) => /^\d+ /.test(line));
  console.info(`${operation}: ${lines.length - 1} full disks`);
  expect(lines.at(-1)).toMatch(/ done acknowledged$/);
  return lines.map((line) => line.slice(line.indexOf(" ") + 1));
}
