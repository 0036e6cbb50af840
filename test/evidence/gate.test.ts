import { expect, test } from "vitest";
import { assess, evaluateGate, isGateEvaluated } from "../../src/evidence/index.ts";
import {
  aDraft,
  BEHAVIOR,
  deepFrozen,
  FAILED,
  HASHING,
  TIMED_OUT,
  VERIFIED,
  VERIFIER,
} from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

const FOR_A_PERSON = { text: "the wording is friendly", kind: "human" } as const;

/** What can be in the way, each alone leading to its own decision. */
const OBSTACLES: Readonly<Record<string, (project: Project) => unknown>> = {
  fail: (project) => project.write("README.md", "changed"),
  "needs-person": (project) => project.request("rm -rf build"),
  pending: (project) => {
    project.write("src/cart.js", "unverified");
  },
};

/** In the order in which a decision outranks the ones after it. */
const ORDER = ["fail", "needs-person", "pending", "pass"] as const;

function passingProject(): Project {
  const project = started(aDraft({ scope: ["src/**"] }));
  project.write("src/cart.js", "v2");
  project.run();
  return project;
}

test("fail outranks needs-person, which outranks pending, which outranks pass", () => {
  const kinds = Object.keys(OBSTACLES);
  for (let choice = 0; choice < 2 ** kinds.length; choice++) {
    const project = passingProject();
    const chosen = kinds.filter((_, index) => (choice & (1 << index)) !== 0);
    for (const kind of chosen) OBSTACLES[kind]?.(project);
    const expected = ORDER.find((decision) => decision === "pass" || chosen.includes(decision));
    expect(project.gate().decision, chosen.join()).toBe(expected);
  }
});

test("a gate that passes misses nothing, and one that misses something does not pass", () => {
  const project = passingProject();
  expect(project.gate()).toMatchObject({ decision: "pass", missing: [], warnings: [] });
  project.write("src/cart.js", "v3");
  expect(project.gate()).not.toMatchObject({ missing: [] });
});

test("a failed verifier fails, an inconclusive one is pending", () => {
  const project = passingProject();
  project.run(VERIFIER, FAILED);
  expect(project.gate().decision).toBe("fail");
  project.run(VERIFIER, TIMED_OUT);
  expect(project.gate().decision).toBe("pending");
});

test("a criterion for a person waits for one, and blocks like all others", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED, FOR_A_PERSON] }));
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.gate()).toMatchObject({
    decision: "needs-person",
    missing: [
      {
        code: "criterion-needs-person",
        message: 'criterion-02 ("the wording is friendly") is for a person to judge.',
        by: "person",
      },
    ],
  });
  // No evidence takes a person's place.
  project.bind("criterion-02", "behavioral-check", `command:${VERIFIER}`);
  expect(project.gate().decision).toBe("needs-person");
});

test("a criterion blocks whatever its priority", () => {
  for (const priority of ["normal", "critical"] as const) {
    const project = started(aDraft({ acceptanceCriteria: [{ text: BEHAVIOR, priority }] }));
    project.write("src/cart.js", "v2");
    project.run();
    expect(project.gate().decision).toBe("pending");
  }
});

test("a missing verifier is told once and not again for each criterion", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED, "lint is clean"] }));
  expect(project.missing()).toEqual(["verifier-missing"]);
});

test("everything that is missing comes with a remedy", () => {
  const project = started(
    aDraft({
      acceptanceCriteria: [BEHAVIOR, "only changes the cart", FOR_A_PERSON],
      verifyCommands: [VERIFIER, "npm run lint", "npm run types"],
      scope: ["src/**"],
    }),
  );
  project.run(VERIFIER, FAILED);
  project.run("npm run lint", TIMED_OUT);
  project.write("README.md", "changed");
  project.request("rm -rf build");
  const { missing } = project.gate();
  expect(missing.map(({ code }) => code)).toEqual([
    "out-of-scope",
    "verifier-failed-before",
    "verifier-inconclusive",
    "verifier-missing",
    "criterion-unproved",
    "criterion-unproved",
    "criterion-needs-person",
    "call-uncertain",
  ]);
  for (const { message, remedy } of missing) {
    expect(message).toMatch(/\.$/);
    expect(remedy).not.toBe("");
  }
});

test("the list of what is missing is bounded, the decision is not", () => {
  const project = passingProject();
  for (let call = 0; call < 60; call++) project.request("rm -rf build");
  const gate = project.gate();
  expect(gate.missing).toHaveLength(50);
  expect(gate.decision).toBe("needs-person");
  expect(isGateEvaluated(gate)).toBe(true);
});

test("an assessment holds the gate's answer and what it was made from", () => {
  const project = passingProject();
  const { task, graph } = project.own();
  if (graph === null) throw new Error("The run has no graph.");
  const { evidence } = project.state;
  const assessed = assess({ task, graph, evidence, tree: project.tree(), hashing: HASHING });
  expect(assessed).toEqual({
    verifiers: [project.standing()],
    changes: ["src/cart.js"],
    criteria: [expect.objectContaining({ id: "criterion-01", status: "satisfied" })],
    gate: project.gate(),
  });
});

test("an evaluation records nothing and reads only what it is given", () => {
  const project = passingProject();
  deepFrozen(project.state);
  const before = project.events.length;
  expect(project.gate()).toEqual(project.gate());
  expect(project.events).toHaveLength(before);
});

test("a recorded gate is what an evaluation says, and is kept for its run", () => {
  const project = passingProject();
  const gate = project.gate();
  const [recorded] = project.accept({ type: "recordGate" });
  expect(recorded?.body).toEqual(gate);
  const { run } = project.own().task.contract;
  expect(project.state.evidence.gates[run]).toEqual({ ...gate, seq: recorded?.header.seq });
});

test.each([
  ["another working tree", { place: "fix" }],
  ["another folder", { folder: "copy" }],
  ["a folder without git", { place: "folder" }],
])("the gate does not pass on %s than the task's own", (_, elsewhere) => {
  const project = passingProject();
  const { task, graph } = project.own();
  if (graph === null) throw new Error("The run has no graph.");
  const { evidence } = project.state;
  const tree = { ...project.tree(), ...elsewhere };
  const gate = evaluateGate({ task, graph, evidence, tree, hashing: HASHING });
  expect(gate.decision).not.toBe("pass");
  expect(gate.missing[0]).toMatchObject({ code: "other-place" });
});

test("the gate does not pass where the commit that the task began on is gone", () => {
  const project = passingProject();
  const { task, graph } = project.own();
  if (graph === null) throw new Error("The run has no graph.");
  const { evidence } = project.state;
  const tree = { ...project.tree(), base: "f".repeat(40), dirty: {} };
  const gate = evaluateGate({ task, graph, evidence, tree, hashing: HASHING });
  expect(gate).toMatchObject({ decision: "pending" });
  expect(gate.missing.map(({ code }) => code)).toContain("baseline-lost");
});

test("a high-risk task is not done before it was planned and challenged", () => {
  const project = started(
    aDraft({ riskLane: "high-risk", plan: undefined as never, acceptanceCriteria: [VERIFIED] }),
  );
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.gate()).toMatchObject({
    decision: "pending",
    missing: [
      { code: "plan-step-open", command: "holdfast plan step plan --status done" },
      { code: "plan-step-open", command: "holdfast plan step challenge --status done" },
    ],
  });
  project.step("plan", "done");
  project.step("challenge", "skipped");
  expect(project.missing()).toEqual(["plan-step-open"]);
});
