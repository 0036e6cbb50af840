import type { Contract, DraftPlan, PlanStep, TaskDraft } from "./schemas.ts";

type Mode = PlanStep["mode"];
type Role = NonNullable<PlanStep["role"]>;
type Template = readonly Omit<PlanStep, "status">[];

const step = (
  id: string,
  title: string,
  mode: Mode,
  dependsOn: string[],
  role: Role = "parent",
) => ({ id, title, mode, role, dependsOn });
const plan = step("plan", "Decide how the change is made", "read-only", []);
const scope = step("scope", "Set the bounds", "read-only", []);
const challenge = (...after: string[]) =>
  step("challenge", "Question the plan", "review", after, "piagent-oracle");
const scout = (...after: string[]) => step("scout", "Find out what is there", "read-only", after);
const implement = (...after: string[]) =>
  step("implement", "Make the change", "single-writer", after);
const verify = (...after: string[]) => step("verify", "Run the verify commands", "review", after);
const review = (...after: string[]) =>
  step("review", "Review the result", "review", after, "piagent-reviewer");

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

type Kind = Pick<Contract, "changeMode" | "riskLane" | "intakeMode">;

/** A task that the runtime itself took in is planned like a tiny one, unless it is risky. */
function templateOf({ changeMode, riskLane, intakeMode }: Kind): Template {
  const isAutomatic = riskLane === "normal" && intakeMode === "runtime";
  return DEFAULT_PLANS[changeMode][isAutomatic ? "tiny" : riskLane];
}

/** The work plan of a new task. */
export function planOf(draft: TaskDraft, kind: Kind): PlanStep[] {
  return begun(draft.plan ?? templateOf(kind));
}

/**
 * Whether what is observed may finish steps of a plan: it is the one that its kind of task gets by
 * itself, and not that of a high-risk one, whose steps somebody has to answer for.
 */
export function isKeptByObservation(
  { riskLane, ...kind }: Kind,
  plan: readonly PlanStep[],
): boolean {
  const shape = (steps: Template) =>
    JSON.stringify(steps.map(({ id, mode, dependsOn }) => [id, mode, dependsOn]));
  return riskLane !== "high-risk" && shape(plan) === shape(templateOf({ riskLane, ...kind }));
}

/** The plan after a step went elsewhere. Finishing one starts the next that is ready where none is at work. */
export function planAfter(
  plan: readonly PlanStep[],
  id: string,
  to: PlanStep["status"],
): { readonly after: readonly PlanStep[]; readonly started: string | null } {
  const moved = plan.map((step) => (step.id === id ? { ...step, status: to } : step));
  const next = to === "done" || to === "skipped" ? nextReadyStep(moved) : null;
  const after = moved.map(
    (step): PlanStep => (step === next ? { ...step, status: "in-progress" } : step),
  );
  return { after, started: next?.id ?? null };
}

/** A plan of which nothing is done: the first step that waits for nothing is already in progress. */
export function begun(steps: Readonly<DraftPlan>): PlanStep[] {
  let started = false;
  return steps.map((given) => {
    const dependsOn = [...(given.dependsOn ?? [])];
    const starts = !started && dependsOn.length === 0;
    started ||= starts;
    const { id, title, mode, role = "parent" } = given;
    return { id, title, mode, role, dependsOn, status: starts ? "in-progress" : "pending" };
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

/**
 * A work plan with other steps to come. What has begun stays as it stands; the rest may be put
 * otherwise, and goes on with the next ready step where none is at work.
 *
 * @param plan as it stands
 * @returns the plan, or what is wrong with it in one clause
 */
export function plannedAnew(
  contract: Pick<Contract, "riskLane" | "changeMode">,
  plan: readonly PlanStep[],
  given: Readonly<DraftPlan>,
): PlanStep[] | string {
  const anew = given.map(({ id, title, mode, role = "parent", dependsOn = [] }): PlanStep => {
    const known = plan.find((step) => step.id === id);
    const status = known?.status ?? "pending";
    return known === undefined || status === "pending"
      ? { id, title, mode, role, dependsOn: [...dependsOn], status }
      : known;
  });
  const hasBegun = (id: string) => plan.some((it) => it.id === id && it.status !== "pending");
  const isHighRisk = contract.riskLane === "high-risk";
  const bound = isHighRisk ? plan : plan.filter(({ status }) => status !== "pending");
  const problem =
    planProblem(anew) ??
    changedStep(bound, given) ??
    (isHighRisk ? (leftDiscovery(plan, anew) ?? highRiskProblem(contract, anew, hasBegun)) : null);
  if (problem !== null) return problem;
  const next = nextReadyStep(anew);
  return anew.map((step) => (step === next ? { ...step, status: "in-progress" } : step));
}

/** The first step that has to stay what it is and does not, in one clause, or null. */
function changedStep(bound: readonly PlanStep[], given: Readonly<DraftPlan>): string | null {
  for (const { id, mode, status, dependsOn } of bound) {
    const step = given.find((other) => other.id === id);
    if (step === undefined) return `step ${id} is ${status} and can't be left out`;
    if (step.mode !== mode) return `step ${id} is ${status} and stays ${mode}`;
    const lost = dependsOn.find((other) => !(step.dependsOn ?? []).includes(other));
    if (lost !== undefined && status === "pending")
      return `step ${id} goes on depending on ${lost}`;
  }
  return null;
}

/** The first step that waited for no change and would wait for one now, in one clause, or null. */
function leftDiscovery(plan: readonly PlanStep[], anew: readonly PlanStep[]): string | null {
  const still = discoverySteps(anew);
  const left = discoverySteps(plan).find(({ id }) => !still.some((step) => step.id === id));
  return left === undefined ? null : `step ${left.id} goes on coming before the first change`;
}

/** The steps that wait for no change, however many steps are between. */
export function discoverySteps(plan: readonly PlanStep[]): readonly PlanStep[] {
  const afterChange = new Set(plan.filter(writes).map(({ id }) => id));
  for (let known = 0; known < afterChange.size; ) {
    known = afterChange.size;
    for (const { id, dependsOn } of plan) {
      if (dependsOn.some((other) => afterChange.has(other))) afterChange.add(id);
    }
  }
  return plan.filter(({ id }) => !afterChange.has(id));
}

const writes = ({ mode }: PlanStep) => mode === "single-writer";

/**
 * What lets a step of a high-risk task write too early, or null: it stays in discovery until every step
 * that waits for no change is done, a reading one and a judging one among them.
 *
 * @param hasBegun whether a step was begun before, when nothing held it back any more
 * @see requirement document 002, phase tools
 */
export function highRiskProblem(
  { changeMode }: Pick<Contract, "changeMode">,
  plan: readonly PlanStep[],
  hasBegun: (id: string) => boolean = () => false,
): string | null {
  if (changeMode === "read-only") return null;
  const writers = plan.filter((step) => writes(step) && !hasBegun(step.id));
  const discovery = discoverySteps(plan);
  for (const mode of ["read-only", "review"] as const) {
    if (discovery.some((step) => step.mode === mode)) continue;
    return `a high-risk task needs a ${mode} step that comes before its first change`;
  }
  for (const { id, dependsOn } of writers) {
    const missing = discovery.find((step) => !dependsOn.includes(step.id));
    if (missing !== undefined) {
      return `step ${id} of a high-risk task has to depend on ${missing.id}`;
    }
  }
  return null;
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
function nextReadyStep(plan: readonly PlanStep[]): PlanStep | null {
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
