import fs from "node:fs";
import { expect, test, vi } from "vitest";
import type { Durability } from "../../src/journal-sqlite/index.ts";
import { DRAFT, observed, openEngineOver } from "../engine/makers.ts";
import { openStoreIn, temporaryFolder } from "./makers.ts";

/** How often the log was synced beside what SQLite itself does, in each of three steps. */
async function syncsOf(durability: Durability) {
  const store = await openStoreIn(temporaryFolder(), { durability });
  const { engine, workspace } = await openEngineOver({ store });
  const sync = vi.spyOn(fs, "fsyncSync");
  const during = async (work: () => Promise<unknown>) => {
    sync.mockClear();
    await work();
    return sync.mock.calls.length;
  };
  try {
    return {
      start: await during(() => engine.startTask(DRAFT, { session: "ada" })),
      observation: await during(() =>
        engine.dispatch(observed(workspace.digest), { session: "ada" }),
      ),
      gate: await during(() => engine.recordGate(undefined, { session: "ada" })),
    };
  } finally {
    sync.mockRestore();
    await engine.close();
  }
}

test("FR-018: with the faster setting, decisions are synced and what was only seen is not", async () => {
  expect(await syncsOf("process")).toEqual({ start: 1, observation: 0, gate: 1 });
});

test("FR-018: by default SQLite syncs every commit, and nothing is synced twice", async () => {
  expect(await syncsOf("full")).toEqual({ start: 0, observation: 0, gate: 0 });
});

test("FR-018: a decision that the disk does not take is stored, and is not answered as if it were safe", async () => {
  const store = await openStoreIn(temporaryFolder(), { durability: "process" });
  const { engine } = await openEngineOver({ store });
  const sync = vi.spyOn(fs, "fsyncSync").mockImplementation(() => {
    throw Object.assign(new Error("EIO: i/o error, fsync"), { code: "EIO", syscall: "fsync" });
  });
  try {
    await expect(engine.startTask(DRAFT, { session: "ada" })).rejects.toMatchObject({
      code: "journal/not-writable",
      message: expect.stringContaining("may not survive a power cut"),
    });
  } finally {
    sync.mockRestore();
  }
  expect((await store.extent()).head.seq).toBeGreaterThan(1);
  await engine.close();
});
