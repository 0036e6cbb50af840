import fc from "fast-check";
import { expect, test } from "vitest";
import { currentStep, writerIsReady } from "../../src/contract/index.ts";
import type { RecordPlan } from "../../src/task/index.ts";
import { ADA, aDraft, BOB, FAILED } from "../task/makers.ts";
import { Project, started, startOf } from "../task/project.ts";

type Step = RecordPlan["plan"][number];

const reads = (id: string, ...dependsOn: string[]): Step => ({
  id,
  title: `Do ${id}`,
  mode: "read-only",
  dependsOn,
});
const writes = (id: string, ...dependsOn: string[]): Step => ({
  ...reads(id, ...dependsOn),
  mode: "single-writer",
});
const judges = (id: string, ...dependsOn: string[]): Step => ({
  ...reads(id, ...dependsOn),
  mode: "review",
});

const begunIn = (riskLane: "normal" | "high-risk") =>
  started(aDraft({ riskLane, plan: undefined as never }));

const record = (project: Project, plan: readonly Step[], session = ADA) =>
  project.dispatch({ type: "recordPlan", plan: [...plan] }, { session }).refusal;

const standing = (project: Project) =>
  project.own().task.plan.map(({ id, status }) => `${id} ${status}`);

const HIGH_RISK = [
  reads("plan"),
  judges("challenge", "plan"),
  writes("implement", "plan", "challenge"),
  judges("review", "implement"),
];

test("another plan takes the place of the one there is, and what is done stays done", () => {
  const project = begunIn("normal");
  project.step("plan", "done");
  project.step("implement", "failed", "it does not fit");
  const plan = [
    reads("plan"),
    writes("implement", "plan"),
    reads("look", "plan"),
    writes("mend", "look"),
  ];
  expect(record(project, plan)).toBeNull();
  expect(standing(project)).toEqual([
    "plan done",
    "implement failed",
    "look in-progress",
    "mend pending",
  ]);
  project.step("look", "done");
  expect(currentStep(project.own().task.plan)?.id).toBe("mend");
  expect(project.own().task.contract.plan.map(({ id }) => id)).toEqual([
    "plan",
    "implement",
    "review",
  ]);
});

test("the phase follows where a new plan begins with a step that writes", () => {
  const project = started(aDraft({ riskLane: "normal", plan: [reads("look")] }));
  project.step("look", "done");
  expect(record(project, [reads("look"), writes("mend")])).toBeNull();
  expect(project.own().trajectory.phase).toBe("execute");
});

test.each([
  ["leaves out what is done", [reads("x")], "plan is done"],
  [
    "makes another of what has begun",
    [reads("plan"), reads("implement", "plan")],
    "stays single-writer",
  ],
  [
    "names a step twice",
    [reads("plan"), writes("implement", "plan"), reads("x"), reads("x")],
    "x is used twice",
  ],
  [
    "waits for no step",
    [reads("plan"), writes("implement", "plan"), reads("x", "y")],
    "y, which is no step",
  ],
  [
    "waits in a circle",
    [reads("plan"), writes("implement", "plan"), reads("x", "y"), reads("y", "x")],
    "x, y wait for each other",
  ],
])("a plan that %s is refused", (_, plan, why) => {
  const project = begunIn("normal");
  project.step("plan", "done");
  const before = project.state;
  expect(record(project, plan)).toMatchObject({
    code: "contract/plan-invalid",
    message: expect.stringContaining(why),
  });
  expect(project.state).toBe(before);
});

test.each([
  ["leaves out the challenge", [reads("plan"), writes("implement", "plan")]],
  ["writes at once", [...HIGH_RISK, writes("now")]],
  ["writes after half of it", [...HIGH_RISK, writes("now", "plan")]],
  ["makes the challenge a step that writes", HIGH_RISK.with(1, writes("challenge", "plan"))],
  [
    "puts a change before the challenge",
    [
      ...[reads("plan"), judges("other", "plan"), writes("early", "plan", "other")],
      ...[judges("challenge", "plan", "early"), writes("implement", "plan", "challenge", "other")],
      judges("review", "implement"),
    ],
  ],
  ["takes a dependency away", HIGH_RISK.with(2, writes("implement", "plan"))],
])("a plan of a high-risk task that %s is refused", (_, plan) => {
  expect(record(begunIn("high-risk"), plan)?.code).toBe("contract/plan-invalid");
});

test("whatever plans a high-risk task is given, nothing writes before it was planned and challenged", () => {
  const aStep = fc.record({
    id: fc.constantFrom("plan", "challenge", "implement", "review", "extra", "more"),
    title: fc.constant("As put now"),
    mode: fc.constantFrom("read-only" as const, "single-writer" as const, "review" as const),
    dependsOn: fc.subarray(["plan", "challenge", "implement", "extra"]),
  });
  const aPlan = fc.oneof(
    fc.uniqueArray(aStep, { maxLength: 6, minLength: 1, selector: ({ id }) => id }),
    fc.array(aStep, { maxLength: 2 }).map((more) => [...HIGH_RISK, ...more]),
  );
  const anAct = fc.oneof(
    aPlan,
    fc.tuple(
      fc.constantFrom("plan", "challenge", "implement", "extra", "more"),
      fc.constantFrom("in-progress" as const, "done" as const, "skipped" as const),
    ),
  );
  let begun = 0;
  fc.assert(
    fc.property(aPlan, fc.array(anAct, { maxLength: 12 }), (draft, actions) => {
      const project = new Project();
      project.dispatch(startOf(aDraft({ riskLane: "high-risk", plan: draft as never })));
      if (project.events.length === 0) return;
      begun += 1;
      for (const act of actions) {
        if (typeof act[0] === "string") project.step(act[0], act[1] as "done");
        else record(project, act as readonly Step[]);
        const { plan } = project.own().task;
        const isDone = (mode: Step["mode"]) =>
          plan.some((step) => step.mode === mode && step.status === "done");
        if (writerIsReady(plan)) expect(isDone("read-only") && isDone("review")).toBe(true);
      }
    }),
    { numRuns: 400 },
  );
  expect(begun).toBeGreaterThan(20);
});

test.each([
  [[writes("write")], "needs a read-only step"],
  [
    [writes("write"), reads("look"), judges("judge")],
    "write of a high-risk task has to depend on look",
  ],
  [[reads("look"), writes("write", "look")], "needs a review step"],
  [[reads("look")], "needs a review step"],
  [[reads("look"), judges("judge", "look"), writes("write", "judge")], "has to depend on look"],
])("a high-risk draft with a plan that writes too early is refused", (plan, why) => {
  const draft = aDraft({ riskLane: "high-risk", plan: plan as never });
  expect(new Project().dispatch(startOf(draft)).refusal).toMatchObject({
    code: "contract/plan-invalid",
    message: expect.stringContaining(why),
  });
});

test("what is done keeps its title, however a new plan puts it", () => {
  const project = begunIn("normal");
  project.step("plan", "done");
  record(project, [{ ...reads("plan"), title: "Something else" }, writes("implement", "plan")]);
  expect(project.own().task.plan[0]).toMatchObject({
    id: "plan",
    title: "Decide how the change is made",
  });
});

test("only the session that owns a run puts another plan in", () => {
  expect(record(begunIn("normal"), [writes("now")], BOB)?.code).toBe("contract/not-owner");
});

test("the next attempt begins with the plan as it was last, and nothing of it done", () => {
  const project = begunIn("normal");
  project.step("plan", "done");
  record(project, [reads("plan"), writes("implement", "plan"), writes("mend", "plan")]);
  project.run("npm test", FAILED);
  project.conclude("failed", { reason: "it was something else", failedAt: "execute" });
  project.accept({ type: "retryTask" });
  expect(standing(project)).toEqual(["plan in-progress", "implement pending", "mend pending"]);
});
