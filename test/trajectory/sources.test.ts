import { expect, test } from "vitest";
import { fold } from "../../src/task/index.ts";
import { isPhaseEntered, isPhaseRecorded } from "../../src/trajectory/index.ts";
import { aDraft, FAILED, PASSED, VERIFIER } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

/** The moves of a run since it had so many, as `to by source`. */
function moves(project: Project, since = 0): readonly string[] {
  const { recent } = project.own().trajectory;
  return recent.slice(since).map(({ to, source }) => `${to} by ${source}`);
}

const planned = () => started(aDraft({ riskLane: "normal", plan: undefined as never }));

test("a move says what observed it: the task, a call, its end, or the claim to be done", () => {
  const project = planned();
  expect(moves(project)).toEqual(["plan by task-state"]);
  project.step("plan", "done");
  expect(moves(project, 1)).toEqual(["execute by task-state"]);
  project.write("src/cart.js", "wrong");
  project.run(VERIFIER, FAILED);
  expect(moves(project, 2)).toEqual(["verify by tool-call", "repair by tool-result"]);
  project.write("src/cart.js", "right");
  project.run(VERIFIER, PASSED);
  expect(moves(project, 4)).toEqual(["verify by tool-call", "review by tool-result"]);
  expect(project.conclude("completed").refusal).toBeNull();
  expect(moves(project, 6)).toEqual(["handoff by completion", "terminal by completion"]);
});

test("a change that is first seen after a command was observed with its end", () => {
  const project = planned();
  project.run("node build.js", PASSED, {}, () => project.write("src/cart.js", "built"));
  expect(moves(project, 1)).toEqual(["execute by tool-result"]);
});

test("a run that is given up ends by a change of its task", () => {
  const project = planned();
  project.accept({ type: "abandonTask", reason: "not needed" });
  expect(moves(project, 1)).toEqual(["terminal by task-state"]);
});

const older = {
  from: "intake",
  to: "plan",
  cause: "plan-observed",
  skipped: [],
  reason: null,
};

test("what an older version recorded has no source, is folded as it is and not written any more", () => {
  expect([isPhaseRecorded(older), isPhaseEntered(older)]).toEqual([true, false]);
  const project = planned();
  const state = fold(
    project.events.map((event) =>
      event.header.type === "phase.entered" ? { ...event, body: older } : event,
    ),
  );
  expect(state.notUnderstood).toBeNull();
  const [move] = Object.values(state.runs)[0]?.trajectory.recent ?? [];
  expect(move).toMatchObject({ from: "intake", to: "plan", source: null });
});

test("what another version may have observed a move by is read, and not written", () => {
  const body = { ...older, source: "session-start" };
  expect([isPhaseRecorded(body), isPhaseEntered(body)]).toEqual([true, false]);
  const project = planned();
  project.plant(
    "phase.entered",
    { ...body, from: "plan", to: "execute" },
    project.own().task.contract.run,
  );
  expect(project.state.notUnderstood).toBeNull();
  expect(moves(project, 1)).toEqual(["execute by session-start"]);
});
