import { expect, test } from "vitest";
import { A_TASK, aProject, end, eventsOf, running } from "./holdfast.ts";

test("a task goes from its start to its conclusion, and only through the gate", async () => {
  const { answer, holdfast, write } = await aProject();
  const { json: started } = await answer(["task", "start", ...A_TASK]);

  const early = await answer(["gate"]);
  expect(early).toMatchObject({
    code: 1,
    json: {
      decision: "pending",
      tree: expect.any(String),
      head: { seq: 4 },
      warnings: [expect.any(String)],
    },
  });
  expect(early.json.missing[0]).toEqual({
    code: "verifier-missing",
    message: expect.any(String),
    remedy: "Run it: holdfast verify",
    command: "holdfast verify",
    by: "agent",
  });
  const claimed = await answer(["conclude", "--outcome", "completed"]);
  expect(claimed).toMatchObject({ code: 1, json: { error: { code: "gate/refused" } } });

  await write("check.sh", "exit 0\n");
  const { json: verified } = await answer(["verify"]);
  const reference = `seq:${verified.results[0].seq}`;
  const evidence = ["--criterion", "criterion-01", "--kind", "behavioral-check"];
  expect(await answer(["evidence", "add", ...evidence, "--ref", reference])).toMatchObject({
    code: 0,
    json: { criterion: "criterion-01", status: "satisfied", head: { seq: expect.any(Number) } },
  });
  const passed = await answer(["gate", "--record"]);
  expect(passed).toMatchObject({ code: 0, json: { decision: "pass", missing: [] } });

  const concluded = await answer(["conclude", "--outcome", "completed"]);
  expect(concluded).toMatchObject({
    code: 0,
    json: { run: started.run, outcome: "completed", receipt: { outcome: "completed" } },
  });
  expect(concluded.json.receipt.head).toEqual(concluded.json.head);
  expect(await answer(["resume"])).toMatchObject({ code: 1, json: { decision: "terminal" } });
  expect(await answer(["status"])).toMatchObject({ code: 0, json: { state: "terminal" } });
  expect(await answer(["task", "show"])).toMatchObject({ code: 0, json: { open: false } });
  expect(await answer(["gate"])).toMatchObject({ code: 1, json: { error: { code: "task/none" } } });
  expect((await holdfast(["journal", "verify"])).code).toBe(0);
});

test("only --record appends the gate's answer", async () => {
  const project = await aProject();
  await project.answer(["task", "start", ...A_TASK]);
  await project.answer(["gate"]);
  expect(await eventsOf(project)).toHaveLength(4);
  await project.answer(["gate", "--record", "--key", "g-1"]);
  await project.answer(["gate", "--record", "--key", "g-1"]);
  const events = await eventsOf(project);
  expect(events.map(({ header }) => header.type).slice(4)).toEqual(["gate.evaluated"]);
});

test.each([
  [["--outcome", "partial"], 2, "contract/invalid"],
  [["--outcome", "failed", "--reason", "it can't be done"], 2, "contract/invalid"],
])("conclude %j is refused", async (words, code, error) => {
  const { answer } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  expect(await answer(["conclude", ...words])).toMatchObject({
    code,
    json: { error: { code: error } },
  });
});

test("a failed task says where, and leaves the next attempt", async () => {
  const { answer } = await aProject();
  const start = ["task", "start", ...A_TASK, "--task-id", "mend-check"];
  await answer(start);
  const words = ["--outcome", "failed", "--reason", "no idea", "--failed-at", "verify"];
  expect(await answer(["conclude", ...words])).toMatchObject({
    code: 0,
    json: { outcome: "failed", receipt: { reason: "no idea" } },
  });
  expect(await answer(start)).toMatchObject({ code: 0, json: { attempt: 2 } });
});

test.each([
  [["--criterion", "criterion-09", "--ref", "seq:1"], "evidence/criterion-unknown"],
  [["--criterion", "criterion-01", "--ref", "seq:99"], "evidence/observation-unknown"],
  [["--criterion", "criterion-01", "--ref", "path:check.sh"], "evidence/reference-invalid"],
])("evidence %j is refused", async (words, code) => {
  const { answer } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  const given = await answer(["evidence", "add", "--kind", "behavioral-check", ...words]);
  expect(given).toMatchObject({ code: 2, json: { error: { code } } });
});

test("a call that was killed stays uncertain until someone settles it", async () => {
  const { answer, folder, holdfast } = await aProject();
  await answer(["task", "start", ...A_TASK]);
  const { child, ended, pid } = await running("sleep 600", { folder });
  child.kill("SIGKILL");
  expect(await ended).toMatchObject({ signal: "SIGKILL" });
  end(-pid);

  const other = await answer(["resume", "--session", "s-2"]);
  expect(other).toMatchObject({
    code: 1,
    json: { decision: "blocked", safe: false, reasonCodes: ["owned-by-other-session"] },
  });
  await answer(["takeover", "--reason", "the first one was killed", "--session", "s-2"]);
  const resumed = await answer(["resume", "--session", "s-2"]);
  expect(resumed).toMatchObject({
    code: 0,
    json: {
      decision: "resume",
      reasonCodes: ["uncertain-calls"],
      uncertain: [{ seq: 5, tool: "holdfast-exec", input: expect.stringContaining("sleep 600") }],
      next: { action: "settle-uncertain-call" },
    },
  });
  expect(resumed.json.next.commands).toEqual([expect.stringMatching(/^holdfast settle 5 /)]);

  const settle = ["settle", "5", "--as", "not-happened", "--reason", "nothing is there"];
  expect(await answer([...settle, "--session", "s-2"])).toMatchObject({
    code: 0,
    json: { seq: 5, as: "not-happened", by: "program", head: { seq: expect.any(Number) } },
  });
  expect((await answer(["resume", "--session", "s-2"])).json.uncertain).toEqual([]);
  expect(await answer([...settle, "--session", "s-2"])).toMatchObject({
    code: 2,
    json: { error: { code: "call/not-uncertain" } },
  });
  expect((await holdfast(["resume", "--session", "s-2"])).stdout).toContain("✓ resume:");
});

test("status fits a screen of 80 columns, whatever the texts are", async () => {
  const { answer, holdfast } = await aProject();
  const long = "a very long text that goes on and on ".repeat(20);
  const criteria = Array.from({ length: 12 }, (_, index) => ["--criterion", `${index} ${long}`]);
  await answer([
    ...["task", "start", "--summary", long, ...criteria.flat()],
    ...["--verify", `sh check.sh ${long}`],
  ]);
  await answer(["verify"]);
  const { stdout } = await holdfast(["status"]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
});

test("what stands in the journal can't steer the terminal", async () => {
  const { answer, holdfast } = await aProject();
  const evil = "\u001b[2J\u001b]0;title\u0007 Make \u202eit\r pass\u009b31m";
  await answer(["task", "start", ...A_TASK.slice(2), "--summary", evil]);
  await holdfast(["exec", "-c", "printf '\\033[31mred\\007'"]);
  for (const words of [["status"], ["task", "list"], ["task", "show"], ["log"], ["show", "6"]]) {
    const { stdout } = await holdfast(words);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(stdout).toMatch(/Make it pass|red/);
  }
});
