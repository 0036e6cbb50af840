import { expect, test } from "vitest";
import type { Command } from "../../src/task/index.ts";
import { ADA, aDraft, SWITCHES, VERIFIER } from "./makers.ts";
import { Project } from "./project.ts";

type Mode = (typeof SWITCHES)["phaseTools"];

const switched = (phaseTools: Mode) => ({
  facts: { switches: { ...SWITCHES, phaseTools }, switched: { phaseTools } },
});

const asks = (over: object = {}): Command =>
  ({
    ...{ type: "requestTool", call: "call-1", tool: "edit", effect: "write", command: "cart.js" },
    ...over,
  }) as Command;

/** A task that is still being planned. */
function planning(mode: Mode): Project {
  const project = new Project();
  project.start(aDraft({ riskLane: "normal", plan: undefined as never }), switched(mode));
  return project;
}

const typesOf = (project: Project, from: number) =>
  project.events.slice(from).map(({ header }) => header.type);

test("in shadow a call goes on, and what is intended is recorded once for each kind of call", () => {
  const project = planning("shadow");
  const begin = project.events.length;
  project.accept(asks(), switched("shadow"));
  project.accept(asks({ call: "call-2", command: "total.js" }), switched("shadow"));
  project.accept(asks({ call: "call-3", tool: "bash", effect: "shell" }), switched("shadow"));
  expect(typesOf(project, begin)).toEqual([
    "tool.requested",
    "phase.tool-differed",
    "tool.requested",
    "tool.requested",
    "phase.tool-differed",
  ]);
  expect(project.own().trajectory.differences).toMatchObject([
    { phase: "plan", tool: "edit", refusal: "no-change-in-phase", enforced: false },
    { phase: "plan", tool: "bash", refusal: "tool-not-in-phase", enforced: false },
  ]);
});

test("switched on, a call that does not belong in the phase is refused, and no call is left open", () => {
  const project = planning("on");
  const { refusal, events } = project.dispatch(asks(), switched("on"));
  expect(refusal).toMatchObject({
    code: "phase/tool-refused",
    message: "The task is in phase plan, in which nothing is changed; edit would.",
  });
  expect(events).toMatchObject([{ type: "phase.tool-differed", body: { enforced: true } }]);
  expect(project.state.evidence.openCalls).toEqual({});
  expect(project.dispatch(asks({ call: "call-2" }), switched("on"))).toMatchObject({
    events: [],
    refusal: { code: "phase/tool-refused" },
  });
  project.step("plan", "done");
  expect(project.dispatch(asks(), switched("on")).refusal).toBeNull();
});

test("a verify command belongs where it leads: from execute to verify, and not while planning", () => {
  const project = planning("on");
  const verify = asks({ tool: "bash", effect: "shell", command: VERIFIER });
  expect(project.dispatch(verify, switched("on")).refusal?.message).toContain("no verify command");
  expect(project.own().trajectory.phase).toBe("plan");
  project.step("plan", "done");
  expect(project.dispatch(verify, switched("on")).refusal).toBeNull();
  expect(project.own().trajectory.phase).toBe("verify");
});

test("switched off nothing is judged, and a switch of later only ever does less", () => {
  for (const [atStart, now] of [
    ["off", "on"],
    ["on", "off"],
  ] as const) {
    const project = planning(atStart);
    const begin = project.events.length;
    project.accept(asks(), switched(now));
    expect(typesOf(project, begin)).toEqual(["tool.requested"]);
  }
  const project = planning("on");
  expect(project.dispatch(asks(), switched("shadow")).refusal).toBeNull();
  expect(project.own().trajectory.differences).toMatchObject([{ enforced: false }]);
});

test("a switch that nobody sets leaves a task as it was pinned", () => {
  expect(planning("on").refusal(asks())).toBe("phase/tool-refused");
});

test("a refused call is decided anew once the phase has gone on, and Holdfast itself is never refused", () => {
  const project = planning("on");
  for (const command of [
    "holdfast plan step plan --status done",
    "npx holdfast task narrow --scope 'src/**' --reason less",
  ]) {
    const call = asks({ tool: "bash", effect: "shell", command });
    expect(project.dispatch(call).refusal, command).toBeNull();
  }
  for (const command of [
    "holdfast exec -c 'touch x'",
    "holdfast --json verify",
    "holdfast phase && touch x",
    "holdfast phase > x",
    "holdfast show $(touch x)",
    "holdfast --session zz exec -- touch y",
    "holdfast journal backup src/y",
  ]) {
    const call = asks({ tool: "bash", effect: "shell", command });
    expect(project.dispatch(call).refusal?.code, command).toBe("phase/tool-refused");
  }
});

test("a session without a task is held to no phase", () => {
  const project = new Project();
  project.accept(asks(), switched("on"));
  expect(typesOf(project, 0)).toEqual(["tool.requested"]);
});

test.each([
  [
    "does not begin where the run stands",
    { from: "verify", to: "repair", cause: "recovery-requested", skipped: [], reason: null },
  ],
  ["was shed", null],
])(
  "after a move that %s the phase is unknown: nothing is enforced, it is said once, and resume is blocked",
  (_, body) => {
    const project = planning("on");
    project.plant("phase.entered", body as never, project.own().task.contract.run);
    expect(project.own().trajectory.phase).toBe("unknown");
    const begin = project.events.length;
    project.accept(asks(), switched("on"));
    project.accept(asks({ call: "call-2" }), switched("on"));
    expect(typesOf(project, begin)).toEqual([
      "tool.requested",
      "phase.tool-differed",
      "tool.requested",
    ]);
    expect(project.own().trajectory.differences).toMatchObject([
      { phase: "unknown", refusal: "phase-unknown", enforced: false },
    ]);
    expect(project.resume(ADA)).toMatchObject({
      decision: "blocked",
      reasonCodes: ["phase-unknown"],
      next: { commands: ["holdfast phase", "holdfast task abandon --reason …"] },
    });
    project.accept({ type: "abandonTask", reason: "Begin anew." });
    expect(project.own().trajectory.phase).toBe("unknown");
  },
);
