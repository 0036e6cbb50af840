import { expect, test } from "vitest";
import { assess } from "../../src/evidence/index.ts";
import { aDraft, BOB, HASHING, VERIFIED } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

const FOR_A_PERSON = { text: "the wording is friendly", kind: "human" } as const;
const PERSONS = "criterion-02";

/** A project of which all is shown but what a person has to judge. */
function shown(): Project {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED, FOR_A_PERSON] }));
  project.write("src/cart.js", "v2");
  project.run();
  return project;
}

function standingOf(project: Project, criterion: string) {
  const { task, graph } = project.own();
  if (graph === null) throw new Error("The run has no graph.");
  const { evidence } = project.state;
  const { criteria } = assess({ task, graph, evidence, tree: project.tree(), hashing: HASHING });
  return criteria.find(({ id }) => id === criterion);
}

test("what a person approves is satisfied, and completes the task", () => {
  const project = shown();
  expect(standingOf(project, PERSONS)).toMatchObject({ status: "pending", missing: [] });
  const { events } = project.judge(PERSONS, "approved");
  expect(events).toMatchObject([{ type: "criterion.judged", body: { by: "terminal" } }]);
  expect(standingOf(project, PERSONS)).toMatchObject({
    status: "satisfied",
    judgement: { as: "approved", reason: "Looked at it." },
  });
  expect(project.gate()).toMatchObject({ decision: "pass", warnings: [] });
  expect(project.conclude("completed").refusal).toBeNull();
});

test("an approval counts for the tree that was judged, also where its bytes come back", () => {
  const project = shown();
  project.judge(PERSONS, "approved");
  project.write("src/cart.js", "v3");
  project.run();
  expect(project.gate().missing).toMatchObject([
    { code: "criterion-needs-person", message: expect.stringContaining("changed since") },
  ]);
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.gate().decision).toBe("needs-person");
  project.judge(PERSONS, "approved");
  expect(project.gate().decision).toBe("pass");
});

test("an approval of a tree that nobody saw before counts while the tree stays as it is", () => {
  const project = shown();
  project.write("src/cart.js", "v3");
  project.judge(PERSONS, "approved");
  project.run();
  expect(project.gate().decision).toBe("pass");
});

test("a word on another tree than was shown is refused", () => {
  const project = shown();
  const tree = project.tree().digest;
  project.write("src/cart.js", "v3");
  const said = { as: "approved", reason: "Looked at it.", by: "terminal", tree } as const;
  expect(project.refusal({ type: "judgeCriterion", criterion: PERSONS, ...said })).toBe(
    "evidence/tree-changed",
  );
});

test("what has to be seen is never approved", () => {
  const project = shown();
  expect(project.judge("criterion-01", "approved").refusal).toMatchObject({
    code: "evidence/not-for-a-person",
  });
});

test("what is waived is not asked for, and the gate says so", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED, "addItem(0) throws"] }));
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.gate().decision).toBe("pending");
  project.judge(PERSONS, "waived");
  expect(standingOf(project, PERSONS)?.status).toBe("waived");
  const gate = project.gate();
  expect(gate).toMatchObject({ decision: "pass", missing: [] });
  expect(gate.warnings).toEqual([
    expect.stringMatching(
      /^waived: criterion-02 .* asked for any more, by terminal at event \d+: Looked at it\.$/,
    ),
  ]);
});

test("a waiver waives no verify command", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED] }));
  project.write("src/cart.js", "v2");
  project.judge("criterion-01", "waived");
  expect(project.gate().decision).toBe("pending");
});

test("FR-054: what a person puts off is an exception in the report, and never counts as done", () => {
  const project = shown();
  expect(project.gate().missing).toMatchObject([{ message: expect.stringContaining(PERSONS) }]);
  project.judge(PERSONS, "deferred");
  expect(standingOf(project, PERSONS)?.status).toBe("deferred");
  const gate = project.gate();
  expect(gate).toMatchObject({ decision: "pass", missing: [] });
  expect(gate.warnings).toEqual([
    expect.stringMatching(
      /^deferred: criterion-02 \("the wording is friendly"\) is put off, and not done, by terminal at event \d+: Looked at it\.$/,
    ),
  ]);
});

test("what is put off is not done, whatever was seen of it before", () => {
  const project = shown();
  project.judge(PERSONS, "approved");
  project.judge(PERSONS, "deferred");
  expect(standingOf(project, PERSONS)?.status).toBe("deferred");
});

test("the last word counts", () => {
  const project = shown();
  project.judge(PERSONS, "deferred");
  project.judge(PERSONS, "waived");
  expect(project.gate().decision).toBe("pass");
});

test("only a criterion of the task is judged, and only by the session that owns it", () => {
  const project = shown();
  expect(project.judge("criterion-09", "waived").refusal?.code).toBe("evidence/criterion-unknown");
  expect(project.judge(PERSONS, "waived", { session: BOB }).refusal?.code).toBe(
    "contract/not-owner",
  );
});

test("a judgement is for one criterion of one run", () => {
  const project = shown();
  project.judge(PERSONS, "waived");
  project.conclude("partial", { reason: "the rest comes later" });
  project.start(aDraft({ acceptanceCriteria: [VERIFIED, FOR_A_PERSON] }));
  expect(standingOf(project, PERSONS)?.status).toBe("pending");
});
