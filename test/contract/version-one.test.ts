import fc from "fast-check";
import { expect, test } from "vitest";
import {
  contractOf,
  contractProblem,
  draftOfV1,
  isContractV1,
  isTaskDraft,
  readFieldsOfV1,
  warningsOnV1,
} from "../../src/contract/index.ts";
import { ADA, aContractV1, aDraft, anId, BOB, facts, importOf, VERIFIED } from "../task/makers.ts";
import { Project, startOf } from "../task/project.ts";

const ENDS = ["completed", "blocked", "partial", "failed"] as const;

/** The state of the run that a contract becomes, and what its beginning says of where it is from. */
function imported(over: Readonly<Record<string, unknown>> = {}, session = ADA) {
  const project = new Project();
  project.accept(importOf(aContractV1(over)), { session });
  const { task, trajectory, graph } = project.own(session);
  return { project, task, trajectory, graph };
}

test("a pending contract becomes an open run on the tree of now, without any evidence", () => {
  const { project, task, trajectory } = imported({ attempt: 2 });
  expect(task).toMatchObject({
    status: "open",
    owner: ADA,
    contract: {
      schemaVersion: 2,
      taskId: "cart",
      attempt: 2,
      maxAttempts: 3,
      criteria: [{ id: "criterion-01", text: VERIFIED }],
      baseline: { tree: project.tree().digest, complete: true },
    },
    migratedFrom: { schemaVersion: 1, outcome: "pending" },
  });
  expect(trajectory.phase).toBe("plan");
  expect(project.missing()).toEqual(["verifier-missing"]);
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.conclude("completed").refusal).toBeNull();
});

test.each(ENDS)("a contract that ended as %s counts as an attempt, and as no proof", (outcome) => {
  const { project, task, trajectory } = imported({ trace: { outcome } });
  expect(task).toMatchObject({
    status: "historical",
    conclusion: null,
    migratedFrom: { outcome, status: "historical-unverifiable" },
  });
  expect(trajectory.phase).toBe("terminal");
  expect(project.resume()).toMatchObject({
    decision: "terminal",
    reasonCodes: ["task-historical"],
    next: { commands: [`holdfast task retry ${task.contract.run}`] },
  });
  expect(project.refusal({ type: "concludeTask", outcome: "completed" })).toBe("task/none");
  const { run } = task.contract;
  expect(project.dispatch({ type: "recordGate", run }).refusal).toMatchObject({
    code: "contract/not-open",
    message: expect.stringContaining("had ended before it was imported at event 1"),
  });
  // Not even one that says it was completed keeps the task from being done once more, and proved.
  project.accept({ type: "retryTask" });
  expect(project.own().task).toMatchObject({ status: "open", contract: { attempt: 2 } });
  expect(project.own().task.migratedFrom).toBeUndefined();
});

test.each([
  ["everything is as it has to be", {}, ADA, "verification-refresh-required"],
  ["another session imports it", {}, BOB, "new-attempt-required"],
  ["it names no session", { sessionId: undefined }, ADA, "new-attempt-required"],
  ["files had changed at its start", { baselineChangedFiles: ["a"] }, ADA, "new-attempt-required"],
  ["nobody knows if they had", { baselineChangedFiles: undefined }, ADA, "new-attempt-required"],
  ["it changes no source", { changeMode: "read-only" }, ADA, "new-attempt-required"],
])("what a pending contract asks for, where %s", (_, over, session, status) => {
  const contract = JSON.parse(JSON.stringify(aContractV1(over))) as unknown;
  const project = new Project();
  project.accept(importOf(contract), { session });
  expect(project.own(session).task.migratedFrom?.status).toBe(status);
});

test("what version 1 left out has the defaults of a draft", () => {
  const { taskId, summary, acceptanceCriteria, verifyCommands } = aContractV1();
  const required = { schemaVersion: 1, taskId, summary, acceptanceCriteria, verifyCommands };
  const project = new Project();
  project.accept(importOf({ ...required, trace: { outcome: "pending" } }));
  const other = new Project();
  other.start({ taskId, summary, acceptanceCriteria, verifyCommands: [...(verifyCommands ?? [])] });
  expect(project.own().task.contract).toEqual(other.own().task.contract);
});

test("the plan of version 1 begins anew: what was done there was seen by nobody here", () => {
  const step = { role: "parent", mode: "single-writer", status: "done", note: "easy" };
  const { task } = imported({
    workPlan: [
      { ...step, id: "change", title: "Change it" },
      {
        ...step,
        id: "look",
        title: "Look at it",
        ...{ mode: "review", role: "piagent-reviewer" },
        dependsOn: ["change"],
      },
    ],
  });
  expect(task.plan).toEqual([
    {
      id: "change",
      title: "Change it",
      mode: "single-writer",
      role: "parent",
      status: "in-progress",
      dependsOn: [],
    },
    {
      id: "look",
      title: "Look at it",
      mode: "review",
      role: "piagent-reviewer",
      status: "pending",
      dependsOn: ["change"],
    },
  ]);
});

test("criteria that wait for each other are history as they were, and are not tried again", () => {
  const project = new Project();
  const acceptanceCriteria = ["[A] one after [B]", "[B] two after [A]", "three"];
  const old = aContractV1({ acceptanceCriteria, trace: { outcome: "failed" } });
  expect(project.dispatch(importOf(old)).refusal).toBeNull();
  expect(project.own().graph?.order).toHaveLength(3);
  const { run } = project.own().task.contract;
  expect(project.refusal({ type: "retryTask", run })).toBe("contract/criteria-invalid");
});

test("attempts are imported in any order, and each once", () => {
  const project = new Project();
  const attempt = (number: number, outcome: string) =>
    project.dispatch(importOf(aContractV1({ attempt: number, trace: { outcome } }))).refusal
      ?.code ?? "imported";
  expect(attempt(2, "failed")).toBe("imported");
  expect(attempt(2, "partial")).toBe("contract/attempt-taken");
  expect(attempt(1, "pending")).toBe("contract/attempt-taken");
  expect(attempt(1, "blocked")).toBe("imported");
  expect(attempt(4, "failed")).toBe("contract/invalid");
  expect(attempt(3, "pending")).toBe("imported");
  expect(project.own().task).toMatchObject({ status: "open", contract: { attempt: 3 } });
  project.conclude("partial", { reason: "enough" });
  expect(project.refusal({ type: "retryTask" })).toBe("contract/attempts-used");
});

test("the next attempt counts from the highest, whichever was imported last", () => {
  const project = new Project();
  for (const attempt of [2, 1]) {
    project.accept(importOf(aContractV1({ attempt, trace: { outcome: "failed" } })));
  }
  project.start(aDraft({ taskId: "cart" }));
  expect(project.own().task.contract.attempt).toBe(3);
});

test("a pending contract asks for what each run asks for", () => {
  const project = new Project();
  project.start(aDraft({ taskId: "other" }));
  const pending = importOf(aContractV1());
  expect(project.refusal(pending)).toBe("contract/session-has-open-run");
  // One that is over takes nothing from the session's own work.
  project.accept(importOf(aContractV1({ trace: { outcome: "failed" } })));
  expect(project.own().task.contract.taskId).toBe("other");
  project.conclude("partial", { reason: "enough" });
  project.start(aDraft({ taskId: "done" }));
  project.write("src/cart.js", "v2");
  project.run();
  project.conclude("completed");
  expect(project.refusal(importOf(aContractV1({ taskId: "done", attempt: 2 })))).toBe(
    "contract/task-completed",
  );
  project.unavailable = ["src/cart.js"];
  expect(project.refusal(importOf(aContractV1({ taskId: "third" })))).toBe(
    "contract/tree-unavailable",
  );
});

test.each([
  ["a verify command that proves nothing", { verifyCommands: ["true"] }, "contract/no-verifier"],
  ["no verify command", { verifyCommands: [] }, "contract/no-verifier"],
  [
    "a secret in a verify command",
    { verifyCommands: ["API_KEY=correct-horse-battery npm test"] },
    "contract/secret-in-command",
  ],
  ["a scope that leads out", { scope: ["../x"] }, "contract/scope-invalid"],
  ["an empty scope", { scope: [] }, "contract/scope-invalid"],
  [
    "a plan that waits for itself",
    { workPlan: [{ id: "a", title: "A", mode: "review", dependsOn: ["a"] }] },
    "contract/plan-invalid",
  ],
  ["more attempts than it allows", { attempt: 4 }, "contract/invalid"],
])("a contract with %s is refused, pending or not", (_, over, code) => {
  for (const outcome of ["pending", "completed"]) {
    const contract = aContractV1({ ...over, trace: { outcome } });
    expect(new Project().dispatch(importOf(contract))).toMatchObject({
      events: [],
      refusal: { code },
    });
  }
});

const someText = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" });
const aPath = fc.constantFrom("src/**", "test/**", "a b", ".", "docs", "../x");
const anOldContract = fc.record(
  {
    schemaVersion: fc.constant(1),
    taskId: fc.constantFrom("cart", "constructor", "a".repeat(80), "valueOf"),
    summary: fc.oneof(
      someText.map((text) => `Reject it: ${text}`),
      someText,
    ),
    acceptanceCriteria: fc.array(someText, { maxLength: 13 }),
    trace: fc.record({ outcome: fc.constantFrom("pending", "pending", ...ENDS, "done") }),
    attempt: fc.integer({ min: 0, max: 4 }),
    maxAttempts: fc.integer({ min: 1, max: 10 }),
    changeMode: fc.constantFrom("source-change", "read-only"),
    riskLane: fc.constantFrom("tiny", "normal", "high-risk"),
    expectedOutput: fc.oneof(
      someText.map((text) => `It is so: ${text}`),
      fc.constant(null),
    ),
    scope: fc.array(aPath, { maxLength: 3 }),
    outOfScope: fc.array(aPath, { maxLength: 2 }),
    verifyCommands: fc.array(fc.constantFrom("npm test", "sh check.sh", "node --test", "true"), {
      maxLength: 3,
    }),
    workPlan: fc.array(
      fc.record({
        id: fc.constantFrom("a", "b", "c"),
        title: someText,
        mode: fc.constantFrom("read-only", "single-writer", "review"),
        dependsOn: fc.array(fc.constantFrom("a", "b"), { maxLength: 1 }),
      }),
      { maxLength: 3 },
    ),
    more: fc.jsonValue(),
  },
  { requiredKeys: ["schemaVersion", "taskId", "summary", "acceptanceCriteria", "trace"] },
);

test("whatever is read as a contract of version 1 gives a draft, and what is accepted a contract that may be agreed on", () => {
  let accepted = 0;
  fc.assert(
    fc.property(anOldContract, (old) => {
      if (!isContractV1(old)) return;
      expect(isTaskDraft(draftOfV1(old))).toBe(true);
      const project = new Project();
      const { events, refusal } = project.dispatch(importOf(old));
      if (refusal !== null) {
        expect(refusal.code).toMatch(/^contract\//);
        return;
      }
      accepted++;
      const { contract } = project.own().task;
      expect(contractProblem(contract, (text) => facts().redact(text).redacted)).toBeNull();
      expect(events.map(({ type }) => type)).not.toContain("task.concluded");
      expect(project.state.evidence.recent).toEqual([]);
      expect(project.own().task.status).toBe(
        old.trace.outcome === "pending" ? "open" : "historical",
      );
    }),
    { numRuns: 500, seed: 11 },
  );
  expect(accepted).toBeGreaterThan(20);
});

test("only what is known is read, and the rest is named", () => {
  const more = { verifyEvidence: [{ exitCode: 0 }], memoryCitations: [], zeal: 1, __proto: 2 };
  const contract = { ...aContractV1({ trace: { outcome: "pending", notes: "x" } }), ...more };
  expect(readFieldsOfV1(contract)).toEqual(aContractV1());
  expect(warningsOnV1(contract)).toEqual([
    "Fields that version 1 does not have are ignored: zeal, __proto.",
    "These stand in the archive alone: verifyEvidence.",
  ]);
  expect(warningsOnV1({ ...aContractV1() })).toEqual([]);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x${n}`, n]));
  expect(warningsOnV1(many)[0]).toMatch(/x0, x1, .* and 2 more\.$/);
});

test("what a contract of today is made of, one of version 1 is made of too", () => {
  const agreed = contractOf(draftOfV1(aContractV1()), {
    run: anId(1),
    intakeMode: "model",
    place: "main",
    folder: "",
    baseline: { tree: null, commit: null, dirty: [], complete: true },
    switches: facts().switches,
    redact: (text) => text,
  });
  const project = new Project();
  project.accept(startOf(draftOfV1(aContractV1())));
  expect(Object.keys(agreed).toSorted()).toEqual(
    Object.keys(project.own().task.contract)
      .filter((name) => name !== "attempt")
      .toSorted(),
  );
});
