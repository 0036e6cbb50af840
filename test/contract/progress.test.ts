import { expect, test } from "vitest";
import { currentStep } from "../../src/contract/index.ts";
import { aDraft, FAILED } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

const normal = () => started(aDraft({ riskLane: "normal", plan: undefined as never }));
const highRisk = () => started(aDraft({ riskLane: "high-risk", plan: undefined as never }));
const statuses = (project: Project) => project.own().task.plan.map(({ status }) => status);
const phaseOf = (project: Project) => project.own().trajectory.phase;

test("finishing a step starts the next that is ready, and the phase follows", () => {
  const project = normal();
  expect(statuses(project)).toEqual(["in-progress", "pending", "pending"]);
  expect(phaseOf(project)).toBe("plan");
  project.step("plan", "done");
  expect(statuses(project)).toEqual(["done", "in-progress", "pending"]);
  expect(phaseOf(project)).toBe("execute");
  expect(currentStep(project.own().task.plan)?.id).toBe("implement");
});

test("a high-risk task stays in discovery until its plan and its challenge are done", () => {
  const project = highRisk();
  project.write("src/cart.js", "changed");
  project.run("ls");
  project.step("plan", "done");
  expect(phaseOf(project)).not.toBe("execute");
  project.step("challenge", "done");
  expect(statuses(project)).toEqual(["done", "done", "in-progress", "pending"]);
  expect(phaseOf(project)).toBe("execute");
});

test("D17: a skipped dependency lets a step begin, and opens no mutation", () => {
  const project = highRisk();
  project.step("plan", "done");
  project.step("challenge", "skipped");
  expect(statuses(project)).toEqual(["done", "skipped", "in-progress", "pending"]);
  expect(phaseOf(project)).not.toBe("execute");
});

test("what was agreed on stays as it was, also for the next attempt", () => {
  const project = normal();
  const { contract } = project.own().task;
  project.step("plan", "done");
  expect(project.own().task.contract).toEqual(contract);
});

test("a step that is refused says why and changes nothing", () => {
  const project = normal();
  const refusals = [
    project.step("nothing", "done"),
    project.step("implement", "done"),
    project.step("plan", "failed"),
  ].map(({ refusal }) => [refusal?.code, refusal?.message]);
  expect(refusals).toEqual([
    ["contract/step-unknown", "The plan has no step nothing."],
    ["contract/step-refused", "Step implement waits for plan."],
    ["contract/step-refused", expect.stringContaining("with a note")],
  ]);
  project.step("plan", "done");
  expect(project.step("plan", "in-progress", "again").refusal?.message).toContain("final");
  expect(project.step("implement", "in-progress").refusal?.code).toBe("contract/step-refused");
});

test("a failed step is taken up again with a note", () => {
  const project = normal();
  project.step("plan", "failed", "no idea yet");
  expect(project.step("plan", "in-progress").refusal?.code).toBe("contract/step-refused");
  project.step("plan", "in-progress", "found a way");
  expect(statuses(project)).toEqual(["in-progress", "pending", "pending"]);
});

test("proof finishes the change, and what was to be verified, in a plan of its kind of task", () => {
  const tiny = started(aDraft({ riskLane: "tiny", plan: undefined as never }));
  tiny.write("src/cart.js", "v2");
  tiny.run();
  expect(statuses(tiny)).toEqual(["done", "done"]);
  expect(tiny.events.filter(({ header }) => header.type === "plan.step-moved")).toMatchObject([
    { body: { step: "implement", to: "done", started: "verify" } },
    { body: { step: "verify", to: "done", started: null } },
  ]);
  const plain = normal();
  plain.step("plan", "done");
  plain.write("src/cart.js", "v2");
  plain.run("npm test", FAILED);
  expect(statuses(plain)).toEqual(["done", "in-progress", "pending"]);
  plain.run();
  expect(statuses(plain)).toEqual(["done", "done", "in-progress"]);
  expect(phaseOf(plain)).toBe("review");
});

test("proof finishes no step of a plan of one's own, and none of a high-risk task", () => {
  const step = { id: "implement", title: "Mend it", mode: "single-writer" } as const;
  const own = started(aDraft({ riskLane: "tiny", plan: [step] }));
  own.write("src/cart.js", "v2");
  own.run();
  expect(statuses(own)).toEqual(["in-progress"]);
  const risky = highRisk();
  risky.step("plan", "done");
  risky.step("challenge", "done");
  risky.write("src/cart.js", "v2");
  risky.run();
  expect(statuses(risky)).toEqual(["done", "done", "in-progress", "pending"]);
});
