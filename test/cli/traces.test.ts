import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { A_TASK, aProject, endOf, git, start } from "./holdfast.ts";

test("FR-019: recording leaves git status, the tree's digest and the user's ignore file as they were", async () => {
  const { folder, holdfast, write } = await aProject();
  await rm(path.join(folder, "sub"), { recursive: true });
  git(folder, "add", ".");
  git(folder, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "two");
  expect((await holdfast(["task", "start", ...A_TASK])).code).toBe(0);
  const observedTree = async () => {
    for (let n = 0; n < 5; n++) await holdfast(["exec", "--", "true"]);
    const { stdout } = await holdfast(["log", "--json"]);
    return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "").body.treeAfter;
  };
  const first = await observedTree();
  const second = await observedTree();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).toBe(first);
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect(() => readFileSync(path.join(folder, ".gitignore"))).toThrow("ENOENT");
  await write("new.txt", "seen");
  expect(await observedTree()).not.toBe(first);
});

test("FR-008: whoever reads a file that is being replaced finds a whole one, whenever its writer is killed", async () => {
  const { folder, holdfast } = await aProject();
  await holdfast(["init"]);
  const out = path.join(folder, "export.jsonl");
  const replace = ["journal", "export", "--out", out, "--force"];
  await holdfast(replace);
  const whole = new Set([readFileSync(out, "utf8")]);
  for (let n = 0; n < 3; n++) await holdfast(["exec", "--", "echo", "x".repeat(4_000)]);
  const { stdout } = await holdfast(["journal", "export"]);
  whole.add(stdout);
  for (let kill = 0; kill < 10; kill++) {
    const writer = start(replace, { folder });
    const ended = endOf(writer);
    await pause(30 * kill);
    writer.kill("SIGKILL");
    expect(whole).toContain(readFileSync(out, "utf8"));
    await ended;
    expect(whole).toContain(readFileSync(out, "utf8"));
  }
  expect((await holdfast(replace)).code).toBe(0);
  expect(readFileSync(out, "utf8")).toBe(stdout);
});
