import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { aProject } from "./holdfast.ts";

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy: string | null;
}

const named = (checks: readonly Check[], name: string) => checks.find((it) => it.name === name);

test("a sound project has no findings, and the doctor says what it saw", async () => {
  const { answer, holdfast } = await aProject();
  await answer(["init"]);
  const { code, json } = await answer(["doctor"]);
  expect(code).toBe(0);
  const checks: readonly Check[] = json.checks;
  expect(checks.every(({ ok, remedy }) => ok && remedy === null)).toBe(true);
  expect(named(checks, "node")?.detail).toContain(process.version);
  expect(named(checks, "sqlite")?.detail).toMatch(/^3\.\d+\.\d+/);
  expect(named(checks, "git")?.detail).toMatch(/^git version \d/);
  // FR-018: the words have to match the values in effect.
  expect(named(checks, "durability")?.detail).toContain("journal_mode wal, synchronous full");
  expect(named(checks, "journal")?.detail).toBe("1 event, all as they were written");
  expect(named(checks, "write-ahead-log")?.detail).toMatch(/^\d+ bytes$/);
  expect((await holdfast(["doctor"])).stdout).toMatch(/^✓ node /);
});

test("rights of others are found, and taken away with --fix alone", async () => {
  const { answer, folder } = await aProject();
  await answer(["init"]);
  const cache = path.join(folder, ".holdfast", "cache");
  mkdirSync(cache, { recursive: true });
  const file = path.join(cache, "more");
  writeFileSync(file, "");
  chmodSync(cache, 0o755);
  chmodSync(file, 0o644);
  const found = await answer(["doctor"]);
  expect(found.code).toBe(1);
  expect(named(found.json.checks, "rights")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("cache, cache/more"),
    remedy: "Take them away: holdfast doctor --fix",
  });
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(await answer(["doctor", "--fix"])).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(await answer(["doctor"])).toMatchObject({ code: 0 });
});

test("a machine without git, and switches that are none, are findings", async () => {
  const { answer } = await aProject();
  const env = { PATH: "/nowhere", PIAGENT_PHASE_TOOLS: "yes" };
  const { code, json } = await answer(["doctor"], { env });
  expect(code).toBe(1);
  expect(named(json.checks, "git")).toMatchObject({ ok: false });
  expect(named(json.checks, "switches")).toMatchObject({
    ok: false,
    detail: expect.stringContaining('PIAGENT_PHASE_TOOLS has the unknown value "yes"'),
  });
});

test("a file that is no journal is a finding and no crash", async () => {
  const { answer, folder } = await aProject();
  mkdirSync(path.join(folder, ".holdfast"), { mode: 0o700 });
  writeFileSync(path.join(folder, ".holdfast", "journal.sqlite"), "no database".repeat(500));
  const { code, json } = await answer(["doctor"]);
  expect(code).toBe(1);
  expect(named(json.checks, "journal")).toMatchObject({ ok: false });
  expect(await answer(["status"])).toMatchObject({
    code: 3,
    json: { error: { code: "journal/not-a-journal" } },
  });
});
