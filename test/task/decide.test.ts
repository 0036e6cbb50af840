import fc from "fast-check";
import { expect, test } from "vitest";
import {
  hasEnded,
  isCriteriaProposed,
  isInstructionGiven,
  isPlanRecorded,
  isPlanStepMoved,
  isTaskAbandoned,
  isTaskConcluded,
  isTaskContinued,
  isTaskPaused,
  isTaskStarted,
  isTaskTakenOver,
} from "../../src/contract/index.ts";
import { isCriteriaAmended, isCriteriaPinned, isScopeNarrowed } from "../../src/criteria/index.ts";
import {
  isCallSettled,
  isCommandObserved,
  isCriterionJudged,
  isEvidenceBound,
  isGateEvaluated,
  isToolRequested,
} from "../../src/evidence/index.ts";
import { bodyText } from "../../src/journal/index.ts";
import {
  type Command,
  decide,
  EVENT_TYPES,
  type EventType,
  type Facts,
  isCommand,
  openRunOf,
  runsOf,
} from "../../src/task/index.ts";
import { isPhaseEntered, isPhaseToolDiffered } from "../../src/trajectory/index.ts";
import { acts, commandOf, type Dispatch, play } from "./commands.ts";
import {
  ADA,
  aDraft,
  anId,
  BOB,
  deepFrozen,
  facts,
  NO_OUTPUT,
  PASSED,
  VERIFIER,
} from "./makers.ts";
import { Project, started, startOf } from "./project.ts";

const CHECKS: Readonly<Record<EventType, (body: unknown) => boolean>> = {
  "task.started": isTaskStarted,
  "task.taken-over": isTaskTakenOver,
  "task.paused": isTaskPaused,
  "task.continued": isTaskContinued,
  "task.abandoned": isTaskAbandoned,
  "task.concluded": isTaskConcluded,
  "criteria.pinned": isCriteriaPinned,
  "criteria.proposed": isCriteriaProposed,
  "criteria.amended": isCriteriaAmended,
  "scope.narrowed": isScopeNarrowed,
  "instruction.given": isInstructionGiven,
  "phase.entered": isPhaseEntered,
  "phase.tool-differed": isPhaseToolDiffered,
  "tool.requested": isToolRequested,
  "command.observed": isCommandObserved,
  "evidence.bound": isEvidenceBound,
  "plan.recorded": isPlanRecorded,
  "plan.step-moved": isPlanStepMoved,
  "criterion.judged": isCriterionJudged,
  "call.settled": isCallSettled,
  "gate.evaluated": isGateEvaluated,
};

function decisionOn(project: Project, act: Dispatch) {
  const { session } = act;
  const given: Facts = facts({
    session,
    newRun: anId(1_000 + project.events.length),
    tree: project.tree({ session }),
  });
  return { command: commandOf(project, act), given };
}

test("the same state, command and facts always give the same answer, and none of them changes", () => {
  fc.assert(
    fc.property(acts, (history) => {
      play(history, (project, act) => {
        const { command, given } = decisionOn(project, act);
        deepFrozen([project.state, command, given]);
        const first = decide(project.state, command, given);
        const copies = structuredClone([project.state, command] as const);
        const { hashing, redact, sha256, ...plain } = given;
        const again = { ...structuredClone(plain), hashing, redact, sha256 };
        expect(decide(...copies, again)).toEqual(first);
        project.dispatch(command, { session: act.session });
      });
    }),
    { numRuns: 40 },
  );
});

test("every event passes the check of its schema, has canonical bytes and is folded", () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(acts, (history) => {
      const project = play(history, (before, act) => {
        const { command, given } = decisionOn(before, act);
        for (const { type, body } of decide(before.state, command, given).events) {
          met.add(type);
          if (!type.startsWith("x.")) expect(CHECKS[type as EventType](body), type).toBe(true);
          expect(bodyText(body as never)).not.toBe("");
        }
        before.dispatch(command, { session: act.session });
      });
      expect(project.state.notUnderstood).toBeNull();
    }),
    { numRuns: 500, seed: 7 },
  );
  expect([...met].toSorted()).toEqual([...EVENT_TYPES, "x.test"].toSorted());
});

test("a refusal stores nothing, but for the gate that refused a claim", () => {
  fc.assert(
    fc.property(acts, (history) => {
      play(history, (project, act) => {
        const before = project.state;
        const { events, refusal } = project.dispatch(commandOf(project, act), {
          session: act.session,
        });
        if (refusal === null) return expect(events).not.toEqual([]);
        expect(refusal.message).not.toMatch(/undefined|\[object/);
        expect(refusal.remedy).not.toBe("");
        if (refusal.code === "gate/refused") {
          return expect(events.map(({ type }) => type)).toEqual(["gate.evaluated"]);
        }
        expect(events).toEqual([]);
        expect(project.state).toBe(before);
      });
    }),
    { numRuns: 60 },
  );
});

test("each session owns at most one run that has not ended, and each task has at most one", () => {
  fc.assert(
    fc.property(acts, (history) => {
      play(history, (project, act) => {
        project.dispatch(commandOf(project, act), { session: act.session });
        const open = runsOf(project.state).filter(({ task }) => !hasEnded(task.status));
        for (const of of [
          open.map(({ task }) => task.owner),
          open.map(({ task }) => task.contract.taskId),
        ]) {
          expect(new Set(of).size).toBe(of.length);
        }
      });
    }),
    { numRuns: 40 },
  );
});

test("a run is completed only through a gate that passed in the same breath", () => {
  fc.assert(
    fc.property(acts, (history) => {
      const { events } = play(history);
      for (const [index, { header, body }] of events.entries()) {
        if (header.type !== "task.concluded" || body?.outcome !== "completed") continue;
        const gate = events[index - 1];
        expect(gate).toMatchObject({
          header: { type: "gate.evaluated", run: header.run },
          body: { decision: "pass", missing: [], tree: body.tree },
        });
      }
    }),
    { numRuns: 80 },
  );
});

test("a reading of the tree that an event has overtaken is not decided on", () => {
  const project = started(aDraft());
  const early = project.tree();
  project.write("src/cart.js", "v2");
  project.run("ls");
  const commands: readonly Command[] = [
    { type: "recordGate" },
    { type: "concludeTask", outcome: "completed" },
    {
      type: "observeCommand",
      call: "c",
      tool: "bash",
      command: VERIFIER,
      treeBefore: early.digest,
      end: PASSED,
      output: NO_OUTPUT,
      durationMs: null,
    },
  ];
  for (const command of commands) {
    const code = project.refusal(command, { facts: { tree: early } });
    expect(code).toBe("tree/moved");
  }
  // A reading of another place is not overtaken by what happened here.
  project.link("feature");
  project.accept({ type: "recordGate" }, { facts: { tree: { ...early, place: "feature" } } });
});

test("events that left the tree as it was overtake no reading", () => {
  const project = started(aDraft());
  const early = project.tree();
  project.run("ls");
  project.run("ls");
  project.accept({ type: "recordGate" }, { facts: { tree: early } });
});

test("an observation is refused for no owner and no concluded run, and stands in the own run or none", () => {
  const project = started(aDraft());
  const own = project.own().task.contract.run;
  const runOf = (seq: number) => project.events[seq - 1]?.header.run;
  expect(runOf(project.run("ls"))).toBe(own);
  expect(runOf(project.run("ls", PASSED, { session: BOB }))).toBe("-");
  project.conclude("partial", { reason: "enough" });
  expect(runOf(project.run("ls"))).toBe("-");
  expect(openRunOf(project.state, ADA)).toBeNull();
});

test("an extension's events stand in the own open run, word for word, and are not folded", () => {
  const project = started(aDraft());
  const { state } = project;
  const events = [
    { type: "x.notes", body: { text: "one" } },
    { type: "x.notes:more", body: { deep: [{ down: null }] } },
  ];
  const stored = project.accept({ type: "appendExtension", events });
  expect(stored.map(({ header, body }) => ({ type: header.type, body }))).toEqual(events);
  expect(stored[0]?.header.run).toBe(project.own().task.contract.run);
  expect(project.state).toBe(state);
});

test("what is no command is told apart from one", () => {
  const request = {
    type: "requestTool",
    call: "c",
    tool: "bash",
    effect: "shell",
    command: "ls",
  } as const;
  expect(isCommand(startOf(aDraft()))).toBe(true);
  expect(isCommand(request)).toBe(true);
  expect(isCommand({ ...request, cwd: "packages/cart" })).toBe(true);
  const observation = {
    type: "observeCommand",
    call: "c",
    tool: "bash",
    command: "ls",
    treeBefore: null,
    end: PASSED,
    output: { ...NO_OUTPUT, head: "x".repeat(65_536) },
    durationMs: null,
  } as const;
  expect(isCommand(observation)).toBe(true);
  const wrong: readonly unknown[] = [
    null,
    {},
    { type: "nothing" },
    { type: "__proto__" },
    { ...request, call: "" },
    { ...request, command: "" },
    { ...request, effect: "none" },
    { ...request, extra: 1 },
    { ...request, cwd: "/etc" },
    { ...request, cwd: "../up" },
    { ...request, cwd: "a/../../b" },
    { type: "importContract", contract: {} },
    { type: "importContract", contract: {}, archive: { digest: "a", bytes: 1 } },
    { type: "concludeTask", outcome: "done" },
    { type: "concludeTask", outcome: "partial", reason: " \n" },
    { type: "takeOverTask" },
    { type: "pauseTask", reason: "" },
    { type: "abandonTask", reason: " \n" },
    { type: "retryTask", reason: "x" },
    { type: "settleCall", seq: 0, as: "happened", reason: "x", by: "terminal" },
    { type: "recordGate", run: "constructor" },
    { ...observation, output: { ...NO_OUTPUT, head: "x".repeat(65_537) } },
    { ...observation, output: { ...NO_OUTPUT, tail: "x".repeat(65_537) } },
    { type: "appendExtension", events: [] },
    { type: "appendExtension", events: [{ type: "task.started", body: {} }] },
  ];
  for (const value of wrong) expect(isCommand(value), JSON.stringify(value)).toBe(false);
});

test("commands on a project without a task are refused or stand alone, and never throw", () => {
  fc.assert(
    fc.property(acts, (history) => {
      const withoutStarts = history.filter(
        (act) => act.type === "edit" || !["startTask", "importContract"].includes(act.command.type),
      );
      const project = play(withoutStarts);
      expect(project.state.runs).toEqual({});
      expect(new Set(project.events.map(({ header }) => header.run)).size).toBeLessThanOrEqual(1);
    }),
    { numRuns: 30 },
  );
});

test("a baseline of more paths than it keeps begins a run, and is told as incomplete", () => {
  const project = new Project();
  const dirty = Object.fromEntries(Array.from({ length: 5_001 }, (_, file) => [`f${file}`, null]));
  const tree = { ...project.tree(), dirty };
  const [begun] = project.accept(startOf(aDraft()), { facts: { tree } });
  expect(isTaskStarted(begun?.body)).toBe(true);
  const { baseline } = project.own().task.contract;
  expect(baseline.dirty).toHaveLength(5_000);
  expect(baseline.complete).toBe(false);
});
