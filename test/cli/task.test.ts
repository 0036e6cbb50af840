import { existsSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { A_TASK, aProject, eventsOf } from "./holdfast.ts";

test("a task is started, listed and shown", async () => {
  const { answer } = await aProject();
  const started = await answer(["task", "start", ...A_TASK]);
  expect(started).toMatchObject({ code: 0, json: { attempt: 1, phase: "plan", head: { seq: 4 } } });
  const { run, taskId } = started.json;
  expect(taskId).toMatch(/^make-the-check-pass-again-[0-9a-f]{8}$/);
  expect(await answer(["task", "list"])).toMatchObject({
    code: 0,
    json: [{ run, taskId, open: true, status: "open", ownedByThisSession: true }],
  });
  for (const words of [
    ["task", "show"],
    ["task", "show", run],
  ]) {
    expect(await answer(words)).toMatchObject({
      code: 0,
      json: { run, taskId, open: true, task: { contract: { verifyCommands: ["sh check.sh"] } } },
    });
  }
  const unknown = await answer(["task", "show", "01234567-89ab-7def-8123-456789abcdef"]);
  expect(unknown).toMatchObject({ code: 2, json: { error: { code: "task/unknown" } } });
});

test("criteria shows how each stands, and what to work on", async () => {
  const { holdfast, answer } = await aProject();
  expect(await answer(["criteria"])).toMatchObject({
    code: 1,
    json: { error: { code: "task/none" } },
  });
  await answer([
    ...["task", "start", "--summary", "Reject quantities below one", "--verify", "sh check.sh"],
    ...["--criterion", "[Guard] throws below one", "--criterion", "logs once, after Guard"],
  ]);
  const { json } = await answer(["criteria"]);
  expect(json.criteria).toMatchObject([
    { id: "criterion-01", status: "pending", planning: "in-focus", dependsOn: [] },
    { id: "criterion-02", status: "pending", planning: "waiting", dependsOn: ["criterion-01"] },
  ]);
  const { stdout } = await holdfast(["criteria"]);
  expect(stdout).toContain("criterion-01 pending: [Guard] throws below one");
  expect(stdout).toMatch(/Waits for +criterion-01/);
});

test("a step of the plan is moved, and the next one begins", async () => {
  const { answer } = await aProject();
  await answer([
    "task",
    "start",
    "--summary",
    "Make the check pass again",
    "--verify",
    "sh check.sh",
    "--criterion",
    "it holds",
    "--lane",
    "normal",
  ]);
  const moved = await answer(["plan", "step", "plan", "--status", "done"]);
  expect(moved).toMatchObject({
    code: 0,
    json: { current: "implement", plan: [{ status: "done" }, { status: "in-progress" }, {}] },
  });
  const refused = await answer(["plan", "step", "review", "--status", "done"]);
  expect(refused).toMatchObject({ code: 1, json: { error: { code: "contract/step-refused" } } });
  const phase = await answer(["phase"]);
  expect(phase).toMatchObject({
    code: 0,
    json: { phase: "execute", earlier: 0, entered: { plan: 1 }, transitions: [{ to: "plan" }, {}] },
  });
  const { json } = await answer(["task", "show"]);
  expect(json).toMatchObject({
    task: { plan: [{ status: "done" }, {}, {}] },
    trajectory: { phase: "execute" },
  });
});

test("every option of a draft reaches the contract", async () => {
  const { answer } = await aProject();
  await answer([
    ...["task", "start", "--summary", "Make the check pass again", "--task-id", "mend-check"],
    ...["--criterion", "one holds", "--criterion", "two holds"],
    ...["--verify", "sh check.sh", "--verify", "bash check.sh", "--verify-timeout", "1.5"],
    ...["--scope", "a/**", "--scope", "b/**", "--out-of-scope", "a/x", "--protect", ".env*"],
    ...["--shell", "bash", "--mode", "source-change", "--lane", "tiny"],
    ...["--expected", "the check exits with 0", "--max-attempts", "2"],
  ]);
  const { json } = await answer(["task", "show"]);
  expect(json.task.contract).toMatchObject({
    taskId: "mend-check",
    criteria: [{ text: "one holds" }, { text: "two holds" }],
    verifyCommands: ["sh check.sh", "bash check.sh"],
    verifyTimeoutMs: 1_500,
    verifyShell: "bash",
    scope: ["a/**", "b/**"],
    outOfScope: ["a/x"],
    protectedPaths: [".env*"],
    changeMode: "source-change",
    riskLane: "tiny",
    expectedOutput: "the check exits with 0",
    maxAttempts: 2,
    intakeMode: "model",
  });
});

test("a draft is read from a file and from stdin", async () => {
  const { answer, write } = await aProject();
  const draft = (taskId: string) =>
    JSON.stringify({
      taskId,
      summary: "Make the check pass again",
      acceptanceCriteria: [{ text: "the check passes", kind: "observed" }],
      verifyCommands: ["sh check.sh"],
    });
  await write("draft.json", draft("from-file"));
  const file = await answer(["task", "start", "--file", "draft.json", "--session", "s-1"]);
  expect(file).toMatchObject({ code: 0, json: { taskId: "from-file" } });
  expect(file.json.warnings).toEqual([expect.stringContaining("No scope is given")]);
  const words = ["task", "start", "--file", "-", "--session", "s-2"];
  const stdin = await answer(words, { stdin: draft("from-stdin") });
  expect(stdin).toMatchObject({ code: 0, json: { taskId: "from-stdin" } });
});

test("the same call with the same key starts one task", async () => {
  const project = await aProject();
  const words = ["task", "start", ...A_TASK, "--key", "start-1"];
  const first = await project.answer(words);
  expect(await project.answer(words)).toEqual(first);
  expect(await eventsOf(project)).toHaveLength(4);
  const other = await project.answer([...words, "--lane", "tiny"]);
  expect(other).toMatchObject({ code: 2, json: { error: { code: "journal/key-reused" } } });
});

test("a session owns one open run; another is refused and may take it over", async () => {
  const { answer } = await aProject();
  const { json: started } = await answer(["task", "start", ...A_TASK]);
  const second = await answer(["task", "start", ...A_TASK]);
  expect(second).toMatchObject({
    code: 1,
    json: { error: { code: "contract/session-has-open-run" } },
  });
  const conclude = ["conclude", "--outcome", "partial", "--reason", "enough", "--session", "s-2"];
  expect(await answer(conclude)).toMatchObject({
    code: 1,
    json: { error: { code: "contract/not-owner" } },
  });
  const { run } = started;
  const taken = await answer(["takeover", "--reason", "it is gone", "--session", "s-2"]);
  expect(taken).toMatchObject({ code: 0, json: { run, epoch: 2 } });
  expect(taken.json.owner).toMatch(/^[0-9a-f]{64}$/);
  expect(await answer(conclude)).toMatchObject({ code: 0, json: { run, outcome: "partial" } });
});

test.each([
  [{}, [], "cli"],
  [{ CLAUDE_CODE_SESSION_ID: "c" }, [], "claude-code:c"],
  [{ PI_SESSION_ID: "p", CLAUDE_CODE_SESSION_ID: "c", HOLDFAST_DIR: ".holdfast" }, [], "pi:p"],
  [{ HOLDFAST_SESSION: "h", CLAUDE_CODE_SESSION_ID: "c" }, [], "h"],
  [{ HOLDFAST_SESSION: "h" }, ["--session", "given"], "given"],
])("with the environment %j and the options %j the session is %s", async (env, words, session) => {
  const { answer } = await aProject();
  await answer(["task", "start", ...A_TASK, "--session", session]);
  const { json } = await answer(["status", ...words], { env });
  expect(json.task).toMatchObject({ ownedByThisSession: true });
});

test("switches are pinned at the start; unknown values are told once and count as the safe side", async () => {
  const { answer, holdfast } = await aProject();
  const env = {
    PIAGENT_AUTO_RECOVERY: "maybe",
    PIAGENT_PHASE_TOOLS: "enforce",
    PIAGENT_INTELLIGENCE_ENGINE: "off",
  };
  const { code, stderr } = await holdfast(["task", "start", ...A_TASK], { env });
  expect(code).toBe(0);
  expect(stderr.match(/has the unknown value/g)).toHaveLength(2);
  expect(stderr).toContain('PIAGENT_AUTO_RECOVERY has the unknown value "maybe" and counts as off');
  expect(stderr).toContain(
    'PIAGENT_PHASE_TOOLS has the unknown value "enforce" and counts as shadow',
  );
  const { json } = await answer(["task", "show"]);
  expect(json.task.contract.switches).toEqual({
    autoRecovery: "off",
    phaseTools: "shadow",
    intelligenceEngine: "off",
  });
});

test("a task is paused, continued, abandoned and tried again, each with the same answer", async () => {
  const { answer, holdfast } = await aProject();
  const { json: started } = await answer(["task", "start", ...A_TASK]);
  const { run } = started;
  const paused = await answer(["task", "pause", "--reason", "waiting for an answer"]);
  expect(paused).toEqual({
    code: 0,
    json: { run, status: "paused", attempt: 1, head: { seq: 5, hash: expect.any(String) } },
  });
  expect(await answer(["resume"])).toMatchObject({
    code: 1,
    json: {
      decision: "paused",
      safe: false,
      reasonCodes: ["task-paused"],
      next: { action: "wait-paused", commands: [`holdfast task continue ${run}`] },
    },
  });
  expect(await answer(["status"])).toMatchObject({
    code: 0,
    json: { state: "paused", task: { run, status: "paused", open: true } },
  });
  expect((await holdfast(["task", "show"])).stdout).toContain("waiting for an answer");
  expect((await holdfast(["task", "list"])).stdout).toContain("paused, phase plan");
  for (const words of [["gate"], ["conclude", "--outcome", "partial", "--reason", "x"]]) {
    expect(await answer(words)).toMatchObject({
      code: 1,
      json: {
        error: {
          code: "contract/paused",
          remedy: expect.stringContaining("holdfast task continue"),
        },
      },
    });
  }
  expect(await answer(["task", "continue", run])).toMatchObject({
    code: 0,
    json: { run, status: "open", attempt: 1, head: { seq: 6 } },
  });
  expect(await answer(["task", "abandon", "--reason", "the wrong way"])).toMatchObject({
    code: 0,
    json: { run, status: "abandoned", attempt: 1 },
  });
  expect(await answer(["resume"])).toMatchObject({
    code: 1,
    json: { decision: "terminal", next: { commands: [`holdfast task retry ${run}`] } },
  });
  const retried = await answer(["task", "retry", "--session", "s-2"]);
  expect(retried).toMatchObject({ code: 0, json: { status: "open", attempt: 2 } });
  expect(retried.json.run).not.toBe(run);
  const { stdout } = await holdfast(["log"]);
  expect(stdout).toMatch(/task\.paused +waiting for an answer/);
  expect(stdout).toMatch(/task\.abandoned +the wrong way/);
});

test("moving a run with the same key happens once and answers the same", async () => {
  const project = await aProject();
  await project.answer(["task", "start", ...A_TASK]);
  const words = ["task", "pause", "--key", "pause-1"];
  const first = await project.answer(words);
  await project.answer(["task", "continue"]);
  expect(await project.answer(words)).toMatchObject({ code: 0, json: { status: "paused" } });
  expect(first).toMatchObject({ code: 0, json: { status: "paused" } });
  await project.answer(["task", "abandon", "--reason", "no use"]);
  const retry = ["task", "retry", "--key", "retry-1"];
  const { json } = await project.answer(retry);
  expect((await project.answer(retry)).json).toMatchObject({ run: json.run, attempt: 2 });
});

test("a name that several files have is refused at the start with the files", async () => {
  const { answer, write, folder } = await aProject();
  const start = (scope: string) => [
    ...["task", "start", "--summary", "Make the check pass", "--criterion", "it passes"],
    ...["--verify", "sh check.sh", "--scope", scope],
  ];
  await mkdir(path.join(folder, "other"));
  await write("sub/mend.sh", "exit 0");
  await write("other/mend.sh", "exit 0");
  expect(await answer(start("mend.sh"))).toMatchObject({
    code: 2,
    json: {
      error: {
        code: "contract/scope-ambiguous",
        message: expect.stringContaining("other/mend.sh, sub/mend.sh"),
      },
    },
  });
  expect((await answer(["task", "list"])).json).toEqual([]);
  expect(await answer(start("sub/nothing.sh"))).toMatchObject({
    code: 0,
    json: { warnings: ["The scope entry sub/nothing.sh matches no file yet."] },
  });
});

test("another plan is recorded from a file, and goes on where it is ready", async () => {
  const { answer, write, holdfast } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  const plan = [
    { id: "plan", title: "Look at it", mode: "read-only" },
    { id: "mend", title: "Mend it", mode: "single-writer", dependsOn: ["plan"] },
  ];
  await write("plan.json", JSON.stringify(plan));
  expect(await answer(["plan", "record", "--file", "plan.json"])).toMatchObject({
    code: 0,
    json: { current: "plan", plan: [{ status: "in-progress" }, { id: "mend", status: "pending" }] },
  });
  const done = await holdfast(["plan", "step", "plan", "--status", "done"]);
  expect(done.stdout).toContain("Current step: mend");
  await write("plan.json", '[{ "id": "mend" }]');
  expect(await answer(["plan", "record", "--file", "plan.json"])).toMatchObject({
    code: 2,
    json: { error: { code: "input/invalid", message: expect.stringContaining("title") } },
  });
});

test("held to its phases, a task runs no command while it is planned, and says why", async () => {
  const { answer, holdfast, folder } = await aProject();
  const env = { PIAGENT_PHASE_TOOLS: "on" };
  await answer(["task", "start", ...A_TASK], { env });
  const early = await holdfast(["exec", "-c", "touch early"], { env });
  expect(early.code).toBe(1);
  expect(early.stderr).toContain("The task is in phase plan, to which");
  expect(existsSync(path.join(folder, "early"))).toBe(false);
  expect((await answer(["resume"], { env })).json).toMatchObject({ uncertain: [] });
  expect((await answer(["phase"], { env })).json.tools).toMatchObject({
    mode: "on",
    allowed: ["read", "search"],
    differences: [{ phase: "plan", refusal: "tool-not-in-phase", enforced: true }],
  });
  await answer(["plan", "step", "plan", "--status", "done"], { env });
  expect((await holdfast(["exec", "-c", "touch now"], { env })).code).toBe(0);
  // Switched off for this call only, the phase says nothing.
  const off = await holdfast(["phase"], { env: { PIAGENT_PHASE_TOOLS: "off" } });
  expect(off.stdout).toContain("read, search, edit, shell (not judged)");
});

test("what to look at first is shown as far as it fits, without secrets, links and what is no text", async () => {
  const { answer, write, holdfast, folder } = await aProject();
  await write("sub/long.txt", "long ".repeat(2_000));
  await write("sub/bytes.bin", "a\0b");
  await write("sub/secret.txt", "API_KEY=correct-horse-battery-staple-9");
  await symlink("check.sh", path.join(folder, "sub", "link.sh"));
  expect((await answer(["context", "show"])).json.error.code).toBe("task/none");
  await answer([
    ...["task", "start", "--summary", "Put all of it in order", "--criterion", "all is in order"],
    ...["--verify", "sh check.sh", "--scope", "check.sh", "--scope", "sub/**"],
  ]);
  const { json } = await answer(["context", "show", "--tokens", "200", "--files", "3"]);
  expect(json.guidance).toEqual([
    "criterion-01 (behavior): look at check.sh, sub/**; shown by behavioral-check and exact-verifier",
  ]);
  expect(json.files).toMatchObject([
    { path: "check.sh", text: "exit 1\n", whole: true },
    { path: "sub/check.sh", whole: true },
    { path: "sub/long.txt", whole: false },
  ]);
  expect((await holdfast(["context", "show"])).stdout).not.toMatch(
    /correct-horse|bytes\.bin|link\.sh/,
  );
});

test("a scope is narrowed on the command line, and not widened", async () => {
  const { answer } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  const narrow = ["task", "narrow", "--reason", "less will do"];
  expect(await answer([...narrow, "--protect", "sub/**"])).toMatchObject({
    code: 0,
    json: { scope: ["check.sh"], protectedPaths: ["sub/**"] },
  });
  expect(await answer([...narrow, "--scope", "**"])).toMatchObject({
    code: 2,
    json: { error: { code: "contract/scope-invalid" } },
  });
});

test("what the user says later is told word for word to the next session", async () => {
  const { answer, holdfast } = await aProject();
  const { json } = await answer(["task", "start", ...A_TASK, "--session", "s-1"]);
  const said = "and do not touch README.md";
  const first = await answer(["task", "instruct", said]);
  expect(first).toMatchObject({ code: 0, json: { run: json.run, by: "program" } });
  await holdfast(["task", "instruct", "-"], { stdin: "second thoughts" });
  expect((await answer(["resume", "--session", "s-2"])).json.instructions).toMatchObject({
    count: 2,
    newest: [{ text: "second thoughts" }, { seq: first.json.head.seq, text: said }],
  });
  const line = `event ${first.json.head.seq} (program): ${said}`;
  expect((await holdfast(["task", "show"])).stdout).toContain(line);
  expect((await holdfast(["resume"])).stdout).toContain(line);
});

test.each([
  [["task", "pause"], 1, "task/none"],
  [["task", "instruct", "be careful"], 1, "task/none"],
  [["task", "continue"], 1, "task/none"],
  [["task", "abandon", "--reason", "x"], 1, "task/none"],
  [["task", "retry"], 1, "task/none"],
  [["task", "abandon"], 2, "input/invalid"],
  [["task", "pause", "01234567-89ab-7def-8123-456789abcdef"], 2, "task/unknown"],
  [["task", "pause", "the-first"], 2, "input/invalid"],
])("%j in an empty project is refused: exit %i, %s", async (words, code, error) => {
  const { answer } = await aProject();
  expect(await answer(words)).toMatchObject({ code, json: { error: { code: error } } });
});
