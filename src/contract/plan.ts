import type { Contract, PlanStep, TaskDraft } from "./schemas.ts";

type Mode = PlanStep["mode"];
type Template = readonly Omit<PlanStep, "status">[];

const step = (id: string, title: string, mode: Mode, dependsOn: string[]) => ({
  id,
  title,
  mode,
  dependsOn,
});
const plan = step("plan", "Decide how the change is made", "read-only", []);
const scope = step("scope", "Set the bounds", "read-only", []);
const challenge = (...after: string[]) => step("challenge", "Question the plan", "review", after);
const scout = (...after: string[]) => step("scout", "Find out what is there", "read-only", after);
const implement = (...after: string[]) =>
  step("implement", "Make the change", "single-writer", after);
const verify = (...after: string[]) => step("verify", "Run the verify commands", "review", after);
const review = (...after: string[]) => step("review", "Review the result", "review", after);

/** The plan of a task whose draft brings none. */
const DEFAULT_PLANS: Readonly<
  Record<Contract["changeMode"], Readonly<Record<Contract["riskLane"], Template>>>
> = {
  "source-change": {
    tiny: [implement(), verify("implement")],
    normal: [plan, implement("plan"), review("implement")],
    "high-risk": [plan, challenge("plan"), implement("plan", "challenge"), review("implement")],
  },
  "read-only": {
    tiny: [scout()],
    normal: [scout(), review("scout")],
    "high-risk": [scope, challenge("scope"), scout("scope", "challenge"), review("scout")],
  },
};

/** The work plan of a new task: the first step that waits for nothing is already in progress. */
export function planOf(
  draft: TaskDraft,
  changeMode: Contract["changeMode"],
  lane: Contract["riskLane"],
): PlanStep[] {
  const steps = draft.plan ?? DEFAULT_PLANS[changeMode][lane];
  let started = false;
  return steps.map((given) => {
    const dependsOn = [...(given.dependsOn ?? [])];
    const starts = !started && dependsOn.length === 0;
    started ||= starts;
    const { id, title, mode } = given;
    return { id, title, mode, dependsOn, status: starts ? "in-progress" : "pending" };
  });
}

/** What is wrong with a plan in one clause, or null. */
export function planProblem(plan: readonly PlanStep[]): string | null {
  const byId = new Map(plan.map((step) => [step.id, step]));
  if (byId.size < plan.length) {
    const ids = plan.map((step) => step.id);
    return `the step id ${ids.find((id, index) => ids.indexOf(id) !== index)} is used twice`;
  }
  for (const { id, dependsOn } of plan) {
    const unknown = dependsOn.find((other) => !byId.has(other));
    if (unknown !== undefined) return `step ${id} depends on ${unknown}, which is no step`;
  }
  return cycleProblem(plan);
}

/** Takes away steps whose dependencies are gone; what can't be taken away waits in a circle. */
function cycleProblem(plan: readonly PlanStep[]): string | null {
  let left = plan;
  for (;;) {
    const ids = new Set(left.map((step) => step.id));
    const rest = left.filter((step) => step.dependsOn.some((other) => ids.has(other)));
    if (rest.length === 0) return null;
    if (rest.length === left.length) {
      return `the steps ${rest.map((step) => step.id).join(", ")} wait for each other`;
    }
    left = rest;
  }
}

/** The one source of "current step": in progress, else failed, else the first that is ready. */
export function currentStep(plan: readonly PlanStep[]): PlanStep | null {
  return (
    plan.find((step) => step.status === "in-progress") ??
    plan.find((step) => step.status === "failed") ??
    nextReadyStep(plan)
  );
}

/** The first pending step that waits for nothing, unless one is at work already. */
export function nextReadyStep(plan: readonly PlanStep[]): PlanStep | null {
  if (plan.some((step) => step.status === "in-progress")) return null;
  return (
    plan.find((step) => step.status === "pending" && waitedFor(plan, step).length === 0) ?? null
  );
}

/** The ids of the steps that a step waits for: those that are neither done nor skipped. */
export function waitedFor(plan: readonly PlanStep[], { dependsOn }: PlanStep): readonly string[] {
  const finished = plan.filter(({ status }) => status === "done" || status === "skipped");
  return dependsOn.filter((id) => !finished.some((step) => step.id === id));
}

/** Whether a writing step runs whose dependencies are all done; a skipped one opens no mutation. */
export function writerIsReady(plan: readonly PlanStep[]): boolean {
  const done = new Set(plan.filter(({ status }) => status === "done").map(({ id }) => id));
  return plan.some(
    (step) =>
      step.mode === "single-writer" &&
      step.status === "in-progress" &&
      step.dependsOn.every((id) => done.has(id)),
  );
}
