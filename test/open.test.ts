import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type EngineOptions, MemoryStore, openEngine, type Workspace } from "../src/index.ts";
import { systemPorts } from "../src/open.ts";

/** An empty project, with nothing in the environment that says where its state is. */
function aProject(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-open-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["HOLDFAST_DIR", "PI_SESSION_ID", "PIAGENT_PHASE_TOOLS"]) {
    vi.stubEnv(name, undefined);
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return folder;
}

const DRAFT = {
  summary: "Try the switches",
  acceptanceCriteria: ["it works"],
  verifyCommands: ["npm test"],
};

test.each([
  [{}, ".holdfast"],
  [{ PI_SESSION_ID: "p-1" }, ".pi/piagent-state"],
  [{ PI_SESSION_ID: "" }, ".holdfast"],
])("with the environment %j the library makes its journal in %s", async (env, stateDir) => {
  const projectDir = aProject();
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  await (await openEngine({ projectDir })).close();
  expect(existsSync(path.join(projectDir, stateDir, "journal.sqlite"))).toBe(true);
  expect(readdirSync(projectDir)).toHaveLength(1);
});

test("HOLDFAST_DIR names the state folder, and the option comes before it", async () => {
  const projectDir = aProject();
  vi.stubEnv("HOLDFAST_DIR", path.join(projectDir, "one"));
  await (await openEngine({ projectDir })).close();
  await (await openEngine({ projectDir, stateDir: path.join(projectDir, "two") })).close();
  expect(readdirSync(projectDir)).toEqual(["one", "two"]);
});

test("the environment's switches hold where none are given", async () => {
  const projectDir = aProject();
  vi.stubEnv("PIAGENT_PHASE_TOOLS", "on");
  const engine = await openEngine({ projectDir });
  const { run } = await engine.startTask(DRAFT, { session: "one" });
  expect((await engine.task(run)).task.contract.switches.phaseTools).toBe("on");
  await engine.close();
  const other = await openEngine({ projectDir, switches: { phaseTools: "off" } });
  const second = await other.startTask(DRAFT, { session: "two" });
  expect((await other.task(second.run)).task.contract.switches.phaseTools).toBe("off");
  await other.close();
});

test("a project that can't be opened makes no journal", async () => {
  const projectDir = aProject();
  const file = path.join(projectDir, "file");
  writeFileSync(file, "");
  const missing = path.join(projectDir, "missing");
  await expect(openEngine({ projectDir: missing })).rejects.toMatchObject({
    code: "input/unreadable",
  });
  await expect(openEngine({ projectDir, stateDir: file })).rejects.toMatchObject({
    code: "journal/unsafe-path",
  });
  expect(readdirSync(projectDir)).toEqual(["file"]);
});

test.each<[string, unknown, string]>([
  ["sharing", "EXCLUSIVE", '"detect" or "exclusive"'],
  ["sharing", "wal", '"detect" or "exclusive"'],
  ["sharing", 1, '"detect" or "exclusive"'],
  ["sharing", null, '"detect" or "exclusive"'],
  ["durability", "FULL", '"full" or "process"'],
  ["durability", null, '"full" or "process"'],
  ["create", "always", '"never" or "where-none-was" or "new-after-loss"'],
  ["compactionCeiling", Number.NaN, "1 or more"],
  ["compactionCeiling", null, "1 or more"],
  ["compactionCeiling", "5", "1 or more"],
  ["compactionCeiling", -1, "1 or more"],
  ["compactionCeiling", 0, "1 or more"],
  ["compactionCeiling", 2.5, "1 or more"],
  ["lockWaitMs", Number.NaN, "0 or more"],
  ["lockWaitMs", null, "0 or more"],
  ["lockWaitMs", "5", "0 or more"],
  ["lockWaitMs", -1, "0 or more"],
])("opening with %s as %j is refused with the values that it has", async (name, value, values) => {
  const projectDir = aProject();
  const store = new MemoryStore((await systemPorts()).ids);
  const workspace: Workspace = {
    read: () => Promise.reject(new Error("not asked for")),
    fileDigest: async () => null,
    readText: async () => null,
  };
  for (const rest of [{ projectDir }, { store, workspace }]) {
    const options = { ...rest, [name]: value } as EngineOptions;
    await expect(openEngine(options)).rejects.toMatchObject({
      code: "input/invalid",
      message: expect.stringMatching(new RegExp(`\`${name}\`.*${values}`)),
    });
  }
  expect(readdirSync(projectDir)).toEqual([]);
});

test("options that are left undefined are those that are left out", async () => {
  const projectDir = aProject();
  const options = { projectDir, sharing: undefined, lockWaitMs: undefined } as object;
  await (await openEngine(options)).close();
  await expect(openEngine(null as unknown as EngineOptions)).rejects.toMatchObject({
    code: "input/invalid",
  });
});

test("with a store and a working tree of its own the engine touches no file", async () => {
  const projectDir = aProject();
  const ports = await systemPorts();
  const workspace: Workspace = {
    read: () => Promise.reject(new Error("not asked for")),
    fileDigest: async () => null,
    readText: async () => null,
  };
  const store = new MemoryStore(ports.ids);
  const engine = await openEngine({ ...ports, projectDir, store, workspace });
  expect((await engine.journal.verify()).ok).toBe(true);
  await engine.close();
  expect(readdirSync(projectDir)).toEqual([]);
});

test("a store that is given stays open when the engine can't be opened over it", async () => {
  const projectDir = aProject();
  const store = new MemoryStore((await systemPorts()).ids);
  const options = { projectDir: path.join(projectDir, "missing"), store };
  await expect(openEngine(options)).rejects.toMatchObject({ code: "input/unreadable" });
  expect((await store.extent()).head.seq).toBeGreaterThanOrEqual(0);
});
