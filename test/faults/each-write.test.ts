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

test("a process that is killed at any write while it makes a journal leaves a whole one or none", async () => {
  const writes = await killAtEachWrite("make a journal", BEFORE);
  for (const write of ["mkdirSync", "COMMIT", "close", "linkSync", "writeFileSync"]) {
    expect(writes).toContain(write);
  }
}, 60_000);
