import { expect, test } from "vitest";
import { killAtEachWrite } from "./each-write.ts";

/** The long run kills after each write as well. */
const BEFORE = { moments: ["before"] } as const;

test("a process that is killed at any write of a command stored all of its three events or none (FR-004)", async () => {
  const writes = await killAtEachWrite("start a task", BEFORE);
  expect(writes.filter((write) => write.startsWith("INSERT INTO events"))).toHaveLength(3);
  expect(writes).toContain("BEGIN IMMEDIATE");
  expect(writes).toContain("COMMIT");
}, 60_000);

test("a process that is killed at any write of an import archived the contract whole before its run began, or neither", async () => {
  const writes = await killAtEachWrite("import a contract", BEFORE);
  const named = writes.indexOf("linkSync");
  expect(writes.slice(0, named)).toEqual(expect.arrayContaining(["mkdirSync", "writeFileSync"]));
  expect(writes.indexOf("BEGIN IMMEDIATE")).toBeGreaterThan(named);
}, 60_000);

test("a process that is killed at any write while it makes a journal leaves a whole one or none", async () => {
  const writes = await killAtEachWrite("make a journal", BEFORE);
  for (const write of ["mkdirSync", "COMMIT", "close", "linkSync", "writeFileSync"]) {
    expect(writes).toContain(write);
  }
}, 60_000);
