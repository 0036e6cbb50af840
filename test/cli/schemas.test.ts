import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commandNames } from "./command-names.ts";
import { ANSWERS, expectAnswer, expectDescribed } from "./described.ts";
import { A_TASK, aFolder, aProject, eventsOf, type Project } from "./holdfast.ts";

const ROOT = path.join(import.meta.dirname, "../..");

test("each command has the file that describes its answer, and no other file is left", async () => {
  const calls = await commandNames();
  expect(Object.keys(ANSWERS).toSorted()).toEqual(calls.toSorted());
  const files = globSync("views/*.json", { cwd: path.join(ROOT, "schemas") });
  const receipt = "views/completion-receipt"; // A part of a conclusion, which is handed on by itself.
  expect(files.map((file) => file.replace(/\.json$/, "")).toSorted()).toEqual(
    [...new Set([...Object.values(ANSWERS), receipt])].toSorted(),
  );
});

/** Answers are held against their files wherever they are asked for; see `projectIn`. */
test("a task from its start to its end answers as described", async () => {
  const project = await aProject();
  const { answer, write, holdfast } = project;
  const saved = path.join(await aFolder(), "saved");
  const yes = async (...words: readonly string[]) => {
    const { code, json } = await answer(words);
    expect({ words, code, json }).toMatchObject({ code: 0 });
    return json;
  };
  await yes("init");
  const draft = {
    summary: "Make the check pass again",
    acceptanceCriteria: ["the check passes", { text: "[Order] is kept", priority: "normal" }],
    verifyCommands: ["sh check.sh"],
    scope: ["*.sh"],
  };
  expectDescribed("task-draft", draft);
  await write("draft.json", JSON.stringify(draft));
  const { run } = await yes("task", "start", "--file", "draft.json");
  await yes("task", "list");
  const shown = await yes("task", "show");
  expectDescribed("contract", shown.task.contract);
  expectDescribed("criterion-graph", shown.graph);
  await yes("criteria");
  await yes("phase");
  await yes("plan", "step", "plan", "--status", "done");
  expect(await answer(["verify"])).toMatchObject({ code: 1 });
  await write("check.sh", "exit 0\n");
  await holdfast(["exec", "--report", saved, "--", "sh", "check.sh"]);
  expectDescribed("views/exec-report", JSON.parse(readFileSync(saved, "utf8")));
  await yes("verify");
  for (const criterion of ["criterion-01", "criterion-02"]) {
    const ref = ["--ref", "command:sh check.sh"];
    await answer([
      "evidence",
      "add",
      "--criterion",
      criterion,
      "--kind",
      "behavioral-check",
      ...ref,
    ]);
  }
  await yes("status");
  await yes("resume");
  await yes("task", "pause", "--reason", "lunch");
  expect((await answer(["status"])).json.state).toBe("paused");
  await yes("task", "continue");
  await answer(["gate"]);
  await answer(["gate", "--record"]);
  const partly = ["--outcome", "failed", "--failed-at", "verify", "--reason", "no more time"];
  const { receipt } = await yes("conclude", ...partly);
  expectDescribed("views/completion-receipt", receipt);
  await yes("task", "show", run);
  await yes("task", "retry");
  await yes("task", "abandon", "--reason", "nobody wants it");
  await yes("task", "show");
  await expectUpkeep(project, yes);
});

async function expectUpkeep(
  project: Project,
  yes: (...words: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const folder = await aFolder();
  await yes("journal", "shed", "--text", "no more time", "--reason", "to see");
  expect((await eventsOf(project)).filter((event) => "shed" in event)).toHaveLength(1);
  await yes("status");
  await yes("journal", "verify");
  await yes("journal", "head");
  await yes("journal", "export", "--out", path.join(folder, "all.jsonl"));
  await yes("journal", "backup", path.join(folder, "all.sqlite"));
  const other = await aProject();
  await other.answer(["journal", "import", path.join(folder, "all.jsonl")]);
  await yes("show", "2");
  await yes("journal", "compact", "--ceiling", "1");
  await yes("doctor");
  await eventsOf(project);
}

test("a call that was cut off answers as described", async () => {
  const { answer, holdfast } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  await holdfast(["exec", "-c", "kill -9 $PPID"]);
  await answer(["resume", "--session", "s-2"]);
  await answer(["takeover", "--reason", "the other is gone", "--session", "s-2"]);
  expect((await answer(["status", "--session", "s-2"])).json.uncertain).toHaveLength(1);
  const settled = ["settle", "5", "--as", "run-again", "--reason", "it was cut off"];
  expect(await answer([...settled, "--session", "s-2"])).toMatchObject({ code: 0 });
});

test("an answer with a field more, at any depth, is not as described", async () => {
  const { answer } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  for (const words of [["status"], ["gate"], ["criteria"], ["task", "list"], ["resume"]]) {
    const { json } = await answer(words);
    const longer = [...withOneFieldMore(json)];
    expect(longer.length).toBeGreaterThan(0);
    for (const value of longer) {
      expect(() => expectAnswer(words, value)).toThrow("does not describe it");
    }
  }
});

/** A value once for each object in it, which has a field more. */
function* withOneFieldMore(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield { ...value, more: 1 };
  for (const [name, inner] of Object.entries(value)) {
    for (const longer of withOneFieldMore(inner)) {
      yield Array.isArray(value) ? value.with(Number(name), longer) : { ...value, [name]: longer };
    }
  }
}
