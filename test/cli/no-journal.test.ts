import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { A_TASK, aFolder, aPlainProject, aProject, eventsOf, git, projectIn } from "./holdfast.ts";

test.each([
  [["status"], 0, { state: "idle", task: null, journal: { events: 0 } }],
  [["task", "list"], 0, []],
  [["resume"], 1, { decision: "none", safe: true, run: null }],
  [["task", "show"], 1, { error: { code: "task/none" } }],
  [["gate"], 1, { error: { code: "task/none" } }],
  [["gate", "--record"], 1, { error: { code: "task/none" } }],
  [["verify"], 1, { error: { code: "task/none" } }],
  [["conclude", "--outcome", "completed"], 1, { error: { code: "task/none" } }],
  [["takeover", "--reason", "why not"], 1, { error: { code: "task/none" } }],
  [
    ["evidence", "add", "--criterion", "criterion-01", "--kind", "read-evidence", "--ref", "a"],
    1,
    { error: { code: "task/none" } },
  ],
  [
    ["settle", "3", "--as", "happened", "--reason", "seen"],
    2,
    { error: { code: "call/not-uncertain" } },
  ],
  [["log"], 3, { error: { code: "journal/missing" } }],
  [["show", "1"], 3, { error: { code: "journal/missing" } }],
  [["journal", "verify"], 3, { error: { code: "journal/missing" } }],
  [["journal", "export"], 3, { error: { code: "journal/missing" } }],
  [["journal", "head"], 3, { error: { code: "journal/missing" } }],
  [["exec", "-c", "touch ran"], 3, { error: { code: "journal/missing" } }],
  [["doctor"], 0, { checks: expect.any(Array) }],
])("without a journal, %j makes none and runs nothing", async (words, code, json) => {
  const { folder, answer, holdfast } = await aPlainProject();
  const before = readdirSync(folder);
  const given =
    words[0] === "exec"
      ? await holdfast(["exec", "--json", ...words.slice(1)]).then((it) => ({
          code: it.code,
          json: JSON.parse(it.stdout),
        }))
      : await answer(words);
  expect(given).toMatchObject({ code, json });
  expect(readdirSync(folder)).toEqual(before);
});

test("init makes a journal that hides itself, once", async () => {
  const { folder, answer } = await aProject();
  const first = await answer(["init"]);
  const stateDir = path.join(folder, ".holdfast");
  expect(first).toMatchObject({ code: 0, json: { stateDir, created: true } });
  expect(git(folder, "status", "--porcelain", "--ignored=no")).toBe("");
  const second = await answer(["init"]);
  const { journalId } = first.json;
  expect(second).toEqual({ code: 0, json: { stateDir, journalId, created: false } });
});

test("a journal that is gone is a loss: nothing begins a new one but init --new", async () => {
  const project = await aProject();
  const { folder, answer } = project;
  const first = await answer(["init"]);
  for (const suffix of ["", "-wal", "-shm"]) {
    rmSync(path.join(folder, ".holdfast", `journal.sqlite${suffix}`), { force: true });
  }
  const missing = { code: 3, json: { error: { code: "journal/missing" } } };
  for (const words of [["init"], ["status"], ["task", "list"], ["task", "start", ...A_TASK]]) {
    expect(await answer(words)).toMatchObject(missing);
  }
  expect(await answer(["doctor"])).toMatchObject({ code: 1 });
  const second = await answer(["init", "--new"]);
  expect(second).toMatchObject({ code: 0, json: { created: true } });
  expect(second.json.journalId).not.toBe(first.json.journalId);
  expect(await eventsOf(project)).toHaveLength(1);
});

test("a command finds the journal from a folder below it", async () => {
  const { folder, answer } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  const found = await answer(["task", "list"], { folder: path.join(folder, "sub") });
  expect(found.json).toHaveLength(1);
});

test("HOLDFAST_DIR names the state folder", async () => {
  const { folder, answer } = await aProject();
  const elsewhere = path.join(await aFolder(), "state");
  const env = { HOLDFAST_DIR: elsewhere };
  const { json } = await answer(["task", "start", ...A_TASK], { env });
  expect(json.head.seq).toBe(4);
  expect(readdirSync(elsewhere)).toContain("journal.sqlite");
  expect(readdirSync(folder)).not.toContain(".holdfast");
});

test("under Pi the state folder is Pi's", async () => {
  const { folder, answer } = await aProject();
  const { json } = await answer(["init"], { env: { PI_SESSION_ID: "p-1" } });
  expect(json.stateDir).toBe(path.join(folder, ".pi", "piagent-state"));
});

test("two journals in one folder are refused", async () => {
  const project = await aProject();
  await project.answer(["init"]);
  const pi = path.join(project.folder, ".pi", "piagent-state");
  mkdirSync(pi, { recursive: true });
  await projectIn(project.folder).answer(["init"], { env: { HOLDFAST_DIR: pi } });
  expect(await project.answer(["status"])).toMatchObject({
    code: 3,
    json: { error: { code: "journal/two-journals" } },
  });
});

test.each([
  ...[["init"], ["status"], ["log"], ["resume"], ["task", "list"], ["task", "start", ...A_TASK]],
  ...[["gate"], ["verify"], ["journal", "verify"], ["journal", "head"]],
])("a state folder that is a file, or below one, is told by %s %s", async (...words) => {
  const { folder, answer, write } = await aPlainProject();
  await write("file", "");
  for (const [name, code] of [
    ["file", "journal/unsafe-path"],
    ["file/state", "journal/not-writable"],
  ] as const) {
    const env = { HOLDFAST_DIR: path.join(folder, name) };
    const ended = await answer(
      words.filter((word) => word !== undefined),
      { env },
    );
    expect(ended).toMatchObject({ code: 3, json: { error: { code } } });
  }
  expect(readdirSync(folder)).toEqual(["file"]);
});

test("the doctor names a state folder that is a file", async () => {
  const { folder, answer, write } = await aPlainProject();
  await write("file", "");
  const { code, json } = await answer(["doctor"], { env: { HOLDFAST_DIR: `${folder}/file` } });
  expect(code).toBe(1);
  expect(json.checks).toContainEqual(expect.objectContaining({ name: "state-folder", ok: false }));
});

test.runIf(existsSync("/proc/self"))(
  "a state folder where the file system makes no folders is told as such",
  async () => {
    const { answer } = await aPlainProject();
    expect(await answer(["init"], { env: { HOLDFAST_DIR: "/proc/holdfast/state" } })).toMatchObject(
      {
        code: 3,
        json: { error: { code: "journal/not-writable" } },
      },
    );
  },
);
