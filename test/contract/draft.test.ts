import fc from "fast-check";
import { expect, test } from "vitest";
import {
  exactCommand,
  isTaskDraft,
  isTaskStarted,
  type TaskDraft,
} from "../../src/contract/index.ts";
import { decide, initialState } from "../../src/task/index.ts";
import {
  aDraft,
  aReading,
  aTree,
  BEHAVIOR,
  facts,
  sha256,
  VERIFIED,
  VERIFIER,
} from "../task/makers.ts";
import { Project, started, startOf } from "../task/project.ts";

const SECRET = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789abcd";

function contractOf(draft: object) {
  const { events, refusal } = decide(initialState, startOf(draft), facts());
  const [event] = events;
  if (event?.type !== "task.started") throw new Error(refusal?.message ?? "Nothing was started.");
  expect(isTaskStarted(event.body)).toBe(true);
  return event.body.contract;
}

test("a draft of summary, criterion and verify command becomes a whole contract", () => {
  const draft = {
    summary: "  Reject quantities below one ",
    acceptanceCriteria: [` ${VERIFIED} `],
    verifyCommands: [VERIFIER],
  };
  const run = facts().newRun;
  expect(contractOf(draft)).toEqual({
    schemaVersion: 2,
    taskId: `reject-quantities-below-one-${run.slice(-8)}`,
    run,
    attempt: 1,
    maxAttempts: 3,
    changeMode: "source-change",
    riskLane: "normal",
    intakeMode: "model",
    summary: "Reject quantities below one",
    expectedOutput: null,
    criteria: [
      { id: "criterion-01", text: VERIFIED, label: null, kind: "observed", priority: "normal" },
    ],
    scope: ["**"],
    outOfScope: [],
    protectedPaths: [],
    verifyCommands: [VERIFIER],
    verifyTimeoutMs: 1_800_000,
    verifyShell: "sh",
    flaky: "mark",
    plan: [
      {
        id: "plan",
        title: "Decide how the change is made",
        mode: "read-only",
        role: "parent",
        dependsOn: [],
        status: "in-progress",
      },
      {
        id: "implement",
        title: "Make the change",
        mode: "single-writer",
        role: "parent",
        dependsOn: ["plan"],
        status: "pending",
      },
      {
        id: "review",
        title: "Review the result",
        mode: "review",
        role: "piagent-reviewer",
        dependsOn: ["implement"],
        status: "pending",
      },
    ],
    place: "main",
    folder: "",
    baseline: { tree: aTree().digest, commit: null, dirty: [], complete: true },
    switches: { autoRecovery: "on", phaseTools: "shadow", intelligenceEngine: "on" },
    budgets: { continuations: 1, dispatches: 0, reviewRounds: 0 },
    authority: {
      contract: "enforce",
      verification: "enforce",
      durableState: "enforce",
      criteria: "advise",
      trajectory: "observe",
      phaseTools: "observe",
      recovery: "orchestrate",
      helpers: "off",
    },
  });
});

test("the switches of the start pin how far each capability may go, and a retry pins anew", () => {
  const off = { autoRecovery: "off", phaseTools: "on", intelligenceEngine: "off" } as const;
  const project = new Project();
  project.start(aDraft(), { facts: { switches: off } });
  expect(project.own().task.contract.authority).toMatchObject({
    criteria: "observe",
    phaseTools: "enforce",
    recovery: "off",
  });
  project.conclude("partial", { reason: "to be gone on with" });
  project.accept({ type: "retryTask" });
  expect(project.own().task.contract.authority).toMatchObject({ recovery: "orchestrate" });
});

test("what a draft says stands in the contract", () => {
  const said: Partial<TaskDraft> = {
    taskId: "cart-quantities",
    changeMode: "source-change",
    riskLane: "high-risk",
    expectedOutput: "addItem throws RangeError",
    scope: ["src/cart/**"],
    outOfScope: ["src/billing/**"],
    protectedPaths: [".env*"],
    verifyTimeoutMs: 60_000,
    flaky: "refuse",
    maxAttempts: 5,
  };
  expect(contractOf(aDraft({ ...said, shell: "bash" }))).toMatchObject({
    ...said,
    verifyShell: "bash",
  });
});

test("a criterion may be a text or a text with label, kind and priority", () => {
  const acceptanceCriteria = [
    "[Guard] zero is rejected",
    { text: "[Other] one is kept", label: "One", kind: "human", priority: "critical" },
  ] as const;
  expect(contractOf(aDraft({ acceptanceCriteria: [...acceptanceCriteria] })).criteria).toEqual([
    {
      id: "criterion-01",
      text: "[Guard] zero is rejected",
      label: "Guard",
      kind: "observed",
      priority: "normal",
    },
    {
      id: "criterion-02",
      text: "[Other] one is kept",
      label: "One",
      kind: "human",
      priority: "critical",
    },
  ]);
});

test("a read-only task needs no verify command, and its plan begins with a look", () => {
  const { changeMode, verifyCommands, plan } = contractOf(aReading());
  expect({ changeMode, verifyCommands }).toEqual({ changeMode: "read-only", verifyCommands: [] });
  expect(plan.map(({ id }) => id)).toEqual(["scout", "review"]);
});

test("the intake mode says who created the contract", () => {
  const command = { ...startOf(aDraft()), intakeMode: "person" } as never;
  const [event] = decide(initialState, command, facts()).events;
  expect(event?.body).toMatchObject({ contract: { intakeMode: "person" } });
});

test("files that differed before the start stand in the baseline, whatever they are called", () => {
  const project = new Project();
  project.write("config/password", "new");
  project.write("__proto__", "new");
  project.remove("README.md");
  project.start(aDraft());
  const { baseline } = project.own().task.contract;
  const paths = baseline.dirty.map(({ path, entry }) => [path, entry?.slice(0, 11) ?? null]);
  expect(paths.toSorted()).toEqual([
    ["README.md", null],
    ["__proto__", "100644 blob"],
    ["config/password", "100644 blob"],
  ]);
  expect(project.gate().changed.count).toBe(0);
});

test("an exact command has its ends trimmed and CRLF as LF, and nothing else", () => {
  expect(exactCommand("\r\n npm  test\r\nnpm run lint \t\n")).toBe("npm  test\nnpm run lint");
  expect(exactCommand("a\rb")).toBe("a\rb");
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(exactCommand(exactCommand(text))).toBe(exactCommand(text));
    }),
  );
});

test("a task id made from any summary is a slug of at most 80 characters that ends in 8 of the run", () => {
  const suffix = facts().newRun.slice(-8);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 10, maxLength: 200 }), (summary) => {
      fc.pre(summary.trim().length >= 10);
      const { taskId } = contractOf(aDraft({ summary }));
      expect(taskId).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(taskId.length).toBeLessThanOrEqual(80);
      expect(taskId.endsWith(suffix)).toBe(true);
    }),
  );
});

test("a task id reads like its summary, without accents and signs", () => {
  const slug = (summary: string) => contractOf(aDraft({ summary })).taskId.slice(0, -9);
  expect(slug("Réparer l'été à Zürich")).toBe("reparer-l-ete-a-zurich");
  expect(slug("  -- Fix: the (cart)! --  ")).toBe("fix-the-cart");
  expect(slug("数量が一未満のものを拒否する")).toBe("task");
  expect(slug("x".repeat(200))).toBe("x".repeat(71));
});

test("a secret in the words of a draft reaches neither contract nor task id nor graph", () => {
  const project = started(
    aDraft({
      summary: `Use the key ${SECRET} no more`,
      expectedOutput: `nothing holds ${SECRET}`,
      acceptanceCriteria: [`[Key] ${SECRET} is gone`, BEHAVIOR],
    }),
  );
  expect(JSON.stringify(project.events)).not.toContain(SECRET);
  expect(project.own().task.contract.taskId).toContain("use-the-key-redacted-secret");
  // The digest of the graph holds for what was stored, so the run can be resumed.
  expect(project.resume()).toMatchObject({ decision: "resume", safe: true });
});

test.each(["scope", "outOfScope", "protectedPaths"] as const)(
  "a path in %s that looks like a secret is refused: it would bind nothing as it is stored",
  (list) => {
    const { refusal } = new Project().dispatch(startOf(aDraft({ [list]: [`src/${SECRET}.js`] })));
    expect(refusal).toMatchObject({
      code: "contract/scope-invalid",
      message: expect.not.stringContaining(SECRET),
    });
  },
);

test("a criterion that grows beyond its limit without its secrets is refused, and so is a NUL", () => {
  const text = `${"password=Zx9q1w8e7r ".repeat(50)}`;
  for (const over of [{ acceptanceCriteria: [text] }, { verifyCommands: ["npm\0test"] }]) {
    const { refusal } = new Project().dispatch(startOf(aDraft(over)));
    expect(refusal?.code).toBe("contract/invalid");
  }
});

test("words that only look like a key once they are joined give a plain task id", () => {
  const project = started(aDraft({ summary: "sk proj abcdefghijklmnopqrstuvwxyz0123456789abcd" }));
  expect(project.own().task.contract.taskId).toMatch(/^task-\d{8}$/);
});

test("what the schema of a draft refuses", () => {
  expect(isTaskDraft(aDraft())).toBe(true);
  const wrong: readonly object[] = [
    { summary: undefined },
    { summary: "too short" },
    { summary: "x".repeat(8_193) },
    { acceptanceCriteria: [] },
    { acceptanceCriteria: Array(13).fill(VERIFIED) },
    { acceptanceCriteria: [""] },
    { acceptanceCriteria: ["x".repeat(1_001)] },
    { acceptanceCriteria: [{ text: VERIFIED, satisfied: true }] },
    { expectedOutput: "short" },
    { taskId: "Not a slug" },
    { taskId: "" },
    { taskId: "a--b" },
    { taskId: "x".repeat(81) },
    { taskId: sha256("").concat(sha256("")) },
    { changeMode: "anything" },
    { riskLane: "extreme" },
    { scope: [""] },
    { scope: Array(201).fill("src") },
    { verifyCommands: Array(13).fill(VERIFIER) },
    { verifyCommands: ["x".repeat(2_001)] },
    { verifyTimeoutMs: 0 },
    { verifyTimeoutMs: 86_400_001 },
    { maxAttempts: 0 },
    { maxAttempts: 11 },
    { flaky: "sometimes" },
    { shell: "fish" },
    { plan: [] },
    { plan: [{ id: "a", title: "", mode: "review" }] },
    { plan: [{ id: "A", title: "a", mode: "review" }] },
    { plan: [{ id: "a", title: "a", mode: "write" }] },
    { plan: [{ id: "a", title: "a", mode: "review", status: "done" }] },
    { unknown: true },
  ];
  for (const over of wrong) {
    expect(isTaskDraft({ ...aDraft(), ...over }), JSON.stringify(over).slice(0, 80)).toBe(false);
  }
});
