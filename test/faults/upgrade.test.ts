import { expect, test } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { killAtEachWrite } from "./each-write.ts";
import type { EachWriteJob } from "./each-write-worker.ts";
import { OPERATIONS } from "./operations.ts";
import { runWorker } from "./processes.ts";

test("a process that is killed at any write of an upgrade leaves 1,000 events all old or all new (FR-087)", async () => {
  const writes = await killAtEachWrite("upgrade the tables");
  for (const write of ["VACUUM INTO ?", "renameSync", "BEGIN IMMEDIATE", "COMMIT"]) {
    expect(writes).toContain(write);
  }
}, 120_000);

test("of several processes that come to an old journal at once, one upgrades it and all go on (FR-087)", async () => {
  const { prepare, check } = OPERATIONS["upgrade the tables"];
  const folder = temporaryFolder();
  await prepare(folder);
  const job: EachWriteJob = { operation: "upgrade the tables", folder, dieAt: null };
  const ended = await Promise.all([1, 2, 3, 4].map(() => runWorker("each-write-worker", job)));
  for (const { code, complaints, said } of ended) {
    expect([code, complaints, said.at(-1)]).toEqual([0, "", "ended"]);
  }
  const upgraded = ended.filter(({ said }) => said.some((line) => line.includes("ALTER TABLE")));
  expect(upgraded).toHaveLength(1);
  expect(await check(folder)).toBe("done");
}, 60_000);

test("a process that is killed at any write of a backup leaves a whole one or none (FR-015)", async () => {
  expect(await killAtEachWrite("back up to a new file")).toContain("linkSync");
}, 120_000);
