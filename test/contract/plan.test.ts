import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Contract,
  currentStep,
  type PlanStep,
  writerIsReady,
} from "../../src/contract/index.ts";
import { decide, initialState } from "../../src/task/index.ts";
import { aDraft, aReading, facts } from "../task/makers.ts";
import { Project, started, startOf } from "../task/project.ts";

type Status = PlanStep["status"];

function aStep(id: string, status: Status, dependsOn: string[] = [], over: Partial<PlanStep> = {}) {
  return { id, title: id, mode: "read-only", status, dependsOn, ...over } satisfies PlanStep;
}

const defaults: readonly {
  readonly mode: Contract["changeMode"];
  readonly lane: Contract["riskLane"];
  readonly plan: readonly string[];
}[] = [
  { mode: "source-change", lane: "tiny", plan: ["implement", "verify < implement"] },
  {
    mode: "source-change",
    lane: "normal",
    plan: ["plan", "implement < plan", "review < implement"],
  },
  {
    mode: "source-change",
    lane: "high-risk",
    plan: ["plan", "challenge < plan", "implement < plan challenge", "review < implement"],
  },
  { mode: "read-only", lane: "tiny", plan: ["scout"] },
  { mode: "read-only", lane: "normal", plan: ["scout", "review < scout"] },
  {
    mode: "read-only",
    lane: "high-risk",
    plan: ["scope", "challenge < scope", "scout < scope challenge", "review < scout"],
  },
];

test.each(defaults)("the default plan of a $lane $mode task", ({ mode, lane, plan }) => {
  const draft = mode === "read-only" ? aReading({ riskLane: lane }) : aDraft({ riskLane: lane });
  const steps = started(draft).own().task.contract.plan;
  const told = steps.map(({ id, dependsOn }) =>
    dependsOn.length === 0 ? id : `${id} < ${dependsOn.join(" ")}`,
  );
  expect(told).toEqual(plan);
  const [first, ...others] = steps.map(({ status }) => status);
  expect(first).toBe("in-progress");
  expect(new Set(others).size).toBeLessThanOrEqual(1);
});

test.each([
  [aDraft({ riskLane: "normal", plan: undefined as never }), ["implement", "verify"]],
  [aReading({ riskLane: "normal" }), ["scout"]],
  [
    aDraft({ riskLane: "high-risk", plan: undefined as never }),
    ["plan", "challenge", "implement", "review"],
  ],
])(
  "a task that the runtime took in is planned like a tiny one unless it is risky",
  (draft, ids) => {
    const project = new Project();
    project.accept({ ...startOf(draft), intakeMode: "runtime" } as never);
    expect(project.own().task.plan.map(({ id }) => id)).toEqual(ids);
  },
);

test("the first step that waits for nothing is in progress, wherever it stands", () => {
  const step = (id: string, ...dependsOn: string[]) =>
    ({ id, title: id, mode: "review", dependsOn }) as const;
  const plan = [step("last", "first"), step("first"), step("free")];
  const given = plan.map((each) => ({ ...each, dependsOn: [...each.dependsOn] }));
  const { contract } = started(aDraft({ plan: given })).own().task;
  expect(contract.plan.map(({ status }) => status)).toEqual(["pending", "in-progress", "pending"]);
});

test("any plan whose steps depend on earlier ones is accepted, in whatever order it is told", () => {
  const acyclic = fc
    .array(fc.array(fc.nat({ max: 11 }), { maxLength: 4 }), { minLength: 1, maxLength: 12 })
    .map((picks) =>
      picks.map((pick, index) => ({
        id: `step-${index}`,
        title: "A step",
        mode: "review" as const,
        dependsOn: pick.filter((other) => other < index).map((other) => `step-${other}`),
      })),
    );
  fc.assert(
    fc.property(acyclic, fc.infiniteStream(fc.nat()), (plan, order) => {
      const keys = new Map(plan.map((step) => [step, order.next().value]));
      const told = plan.toSorted((a, b) => Number(keys.get(a)) - Number(keys.get(b)));
      expect(decide(initialState, startOf(aDraft({ plan: told })), facts()).refusal).toBeNull();
    }),
    { numRuns: 50 },
  );
});

test("the current step is the one in progress, else a failed one, else the first that is ready", () => {
  const failed = aStep("failed", "failed");
  const running = aStep("running", "in-progress");
  const waiting = aStep("waiting", "pending", ["failed"]);
  const afterSkipped = aStep("after", "pending", ["skipped"]);
  const skipped = aStep("skipped", "skipped");
  expect(currentStep([waiting, failed, running])).toBe(running);
  expect(currentStep([waiting, failed])).toBe(failed);
  expect(currentStep([waiting, skipped, afterSkipped])).toBe(afterSkipped);
  expect(currentStep([waiting])).toBeNull();
  expect(currentStep([skipped, aStep("done", "done")])).toBeNull();
  expect(currentStep([])).toBeNull();
});

test("a writing step opens mutation only while it runs and after steps that are done", () => {
  const writer = (status: Status) =>
    aStep("write", status, ["plan"], { mode: "single-writer" }) satisfies PlanStep;
  for (const status of ["pending", "in-progress", "done", "skipped", "failed"] as const) {
    expect(writerIsReady([aStep("plan", status), writer("in-progress")]), status).toBe(
      status === "done",
    );
    expect(writerIsReady([aStep("plan", "done"), writer(status)]), status).toBe(
      status === "in-progress",
    );
  }
  expect(writerIsReady([aStep("read", "in-progress")])).toBe(false);
});
