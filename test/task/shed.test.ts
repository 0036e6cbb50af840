import fc from "fast-check";
import { expect, test } from "vitest";
import type { TaskDraft } from "../../src/contract/index.ts";
import { evaluateGate } from "../../src/evidence/index.ts";
import { SHED, type StoredEvent, shedText, shedWhole } from "../../src/journal/index.ts";
import { canStandFor, fold, type ProjectState, runsOf } from "../../src/task/index.ts";
import { acts, play } from "./commands.ts";
import {
  ADA,
  aDraft,
  aReading,
  BEHAVIOR,
  BOB,
  FAILED,
  HASHING,
  PASSED,
  VERIFIED,
  VERIFIER,
} from "./makers.ts";
import { Project, started } from "./project.ts";

/** The project after the events of these types (or numbers) lost their bodies. */
function withoutBodies(project: Project, ...which: readonly (string | number)[]): ProjectState {
  return refolded(project, (event) =>
    which.includes(event.header.type) || which.includes(event.header.seq) ? null : event.body,
  );
}

function refolded(project: Project, bodyOf: (event: StoredEvent) => StoredEvent["body"]) {
  project.state = fold(
    project.events.map((event) => {
      const body = bodyOf(event);
      return body === event.body ? event : { ...event, body, shed: true };
    }),
  );
  return project.state;
}

/** The project after a text was shed from its events. */
function withoutText(project: Project, text: string): ProjectState {
  return refolded(project, (event) => {
    const { item } = shedText(event, text, canStandFor);
    return item === null ? event.body : item.replacement;
  });
}

/** The project after all free text of the events of a type was shed. */
function withoutFreeText(project: Project, type: string): ProjectState {
  return refolded(project, (event) => {
    const item = event.header.type === type ? shedWhole(event, canStandFor).item : null;
    return item === null ? event.body : item.replacement;
  });
}

/** A task with nothing left to prove. */
function proved(): Project {
  const project = started(aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  project.write("src/cart.js", "v2");
  const seq = project.run();
  project.bind("criterion-01", "behavioral-check", `seq:${seq}`);
  expect(project.gate().decision).toBe("pass");
  return project;
}

test("no event without its body makes a journal one that is not understood", () => {
  for (const { header } of proved().events) {
    expect(withoutBodies(proved(), header.seq).notUnderstood).toBeNull();
  }
});

test("a gate never passes on a run of a verify command whose event lost its body", () => {
  const project = proved();
  withoutBodies(project, "command.observed");
  expect(project.gate().decision).not.toBe("pass");
  expect(project.missing()).toContain("verifier-missing");
});

test("evidence is none that copies an observation whose event lost its body", () => {
  const project = started(aDraft({ acceptanceCriteria: [BEHAVIOR] }));
  project.write("src/cart.js", "v2");
  project.run();
  const seq = project.run("node check.js");
  project.bind("criterion-01", "behavioral-check", `seq:${seq}`);
  expect(project.gate().decision).toBe("pass");
  withoutBodies(project, seq);
  expect(project.missing()).toEqual(["verifier-stale", "criterion-unproved", "call-uncertain"]);
});

test("a failure that lost its body leaves no earlier pass as proof", () => {
  const project = proved();
  const seq = project.run(VERIFIER, FAILED);
  expect(project.gate().decision).toBe("fail");
  withoutBodies(project, seq);
  expect(project.standing().currency).toBe("stale");
  expect(project.gate().decision).not.toBe("pass");
  project.run();
  expect(project.standing().currency).toBe("current");
});

test("a failure of which all free text was shed leaves no earlier pass as proof", () => {
  const project = proved();
  project.run(VERIFIER, FAILED);
  const last = project.events.at(-1)?.header.seq ?? 0;
  refolded(project, (event) =>
    event.header.seq < last - 1 || event.header.type !== "command.observed"
      ? event.body
      : (shedWhole(event, canStandFor).item?.replacement ?? null),
  );
  expect(project.standing().currency).toBe("stale");
});

test("a call whose request lost its body stays uncertain until its end or a decision", () => {
  const project = started(aDraft());
  const seq = project.request("rm -rf build", { call: "call-9" });
  withoutBodies(project, seq);
  expect(project.resume().uncertain).toEqual([{ seq, tool: SHED, input: SHED }]);
  expect(project.missing()).toContain("call-uncertain");
  project.accept({ type: "settleCall", seq, as: "happened", reason: "I looked.", by: "terminal" });
  expect(project.resume().uncertain).toEqual([]);

  const ended = started(aDraft());
  const begun = ended.request("node check.js", { call: "call-9" });
  ended.end("node check.js", PASSED, { call: "call-9" });
  withoutBodies(ended, begun);
  expect(ended.resume().uncertain).toEqual([]);
});

test("a call that ended without its body is one whose end nobody knows", () => {
  const project = started(aDraft());
  const seq = project.run("rm -rf build");
  withoutBodies(project, seq);
  expect(project.resume().uncertain).toMatchObject([{ input: "rm -rf build" }]);
});

test("a run that ended without its body is over, never completed, and counts as an attempt", () => {
  const project = started(aDraft({ taskId: "cart" }));
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.conclude("completed").refusal).toBeNull();
  withoutBodies(project, "task.concluded");
  expect(project.own().task).toMatchObject({ status: "unknown", conclusion: null });
  const { run } = project.own().task.contract;
  expect(project.refusal({ type: "recordGate", run })).toBe("contract/not-open");
  expect(project.resume()).toMatchObject({ decision: "terminal", reasonCodes: ["task-unknown"] });
  project.start(aDraft({ taskId: "cart" }));
  expect(project.own().task.contract).toMatchObject({ attempt: 2 });
});

test("a takeover that lost its body still moves the run to the session that made it", () => {
  const project = started(aDraft());
  project.accept({ type: "takeOverTask", reason: "gone" }, { session: BOB });
  withoutBodies(project, "task.taken-over");
  expect(project.own(BOB).task).toMatchObject({ owner: BOB, epoch: 2 });
  expect(project.refusal({ type: "recordGate" })).toBe("contract/not-owner");
});

test("a run whose criteria lost their body can be ended, and not completed", () => {
  const project = started(aDraft());
  project.write("src/cart.js", "v2");
  project.run();
  withoutBodies(project, "criteria.pinned");
  expect(project.resume()).toMatchObject({
    decision: "blocked",
    reasonCodes: ["criterion-graph-differs"],
  });
  expect(project.conclude("completed").refusal?.code).toBe("gate/refused");
  const { events, refusal } = project.conclude("partial", { reason: "begin anew" });
  expect(refusal).toBeNull();
  expect(events[0]?.body).toMatchObject({ decision: "needs-person" });
});

test("a run whose beginning lost its body is nobody's, and its session may begin another", () => {
  const project = started(aDraft());
  withoutBodies(project, "task.started");
  expect(project.resume().decision).toBe("none");
  project.start(aReading());
  expect(project.own().task.contract.summary).toBe(aReading().summary);
});

test("a task goes on after the text of a criterion was shed", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED, "the key is abcd1234"] }));
  withoutText(project, "abcd1234");
  expect(project.own().task.contract.criteria[1]?.text).toBe(SHED);
  expect(project.own().graph?.nodes[1]?.obligation).toBe(SHED);
  expect(project.resume()).toMatchObject({ decision: "resume", safe: true });
});

test("a verify command that was shed is never proved, whatever is run", () => {
  const project = started(aDraft({ verifyCommands: ["./check abcd1234"] }));
  project.write("src/cart.js", "v2");
  project.run("./check abcd1234");
  expect(project.gate().decision).toBe("pass");
  withoutText(project, "abcd1234");
  project.run(SHED);
  expect(project.standing()).toMatchObject({ command: SHED, currency: "shed", seq: null });
  expect(project.events.at(-1)?.body).toMatchObject({ verifierOf: null });
  expect(project.gate()).toMatchObject({
    decision: "needs-person",
    missing: [{ code: "verifier-shed", by: "person" }],
  });
  expect(project.resume().next).toMatchObject({ action: "ask-person" });
  expect(project.conclude("completed").refusal?.code).toBe("gate/refused");
});

const BOUNDS: readonly (readonly [string, Partial<TaskDraft>])[] = [
  ["its protected paths", { protectedPaths: ["vaultX9/**"] }],
  ["what is out of its scope", { outOfScope: ["vaultX9/**"] }],
  ["its scope", { scope: ["**", "vaultX9/**"] }],
  ["its plan", { plan: [{ id: "one", title: "Leave vaultX9 alone", mode: "single-writer" }] }],
];

test.each(BOUNDS)("no gate passes once %s was shed", (part, bounds) => {
  const project = started(aDraft({ scope: ["**"], ...bounds }));
  project.write("src/cart.js", "v2");
  project.write("vaultX9/key", "changed");
  project.run();
  withoutText(project, "vaultX9");
  expect(project.gate()).toMatchObject({
    decision: "needs-person",
    missing: [{ code: "contract-shed", by: "person", message: expect.stringContaining(part) }],
  });
  expect(project.conclude("completed").refusal?.code).toBe("gate/refused");
  expect(project.conclude("partial", { reason: "begin anew" }).refusal).toBeNull();
});

test("a file that had changed before the task counts as no change of it once its name was shed", () => {
  const project = new Project();
  project.write("vaultX9/key", "changed before");
  project.start(aDraft());
  project.run();
  withoutText(project, "vaultX9");
  expect(project.gate().decision).not.toBe("pass");
  expect(project.missing()).toContain("contract-shed");
});

test("evidence whose text was shed goes on being evidence", () => {
  const project = proved();
  withoutText(project, "src/cart.js");
  expect(project.standing().currency).toBe("current");
});

test("of every event that can be shed by its number something that folds is left", () => {
  const project = proved();
  project.accept({ type: "takeOverTask", reason: "I go on." }, { session: BOB });
  project.conclude("blocked", { reason: "no time" }, { session: BOB });
  const types = new Set(project.events.map(({ header }) => header.type));
  for (const type of types) {
    const state = withoutFreeText(project, type);
    expect(state.notUnderstood).toBeNull();
    expect(Object.keys(state.runs)).toHaveLength(1);
    const [run] = Object.values(state.runs);
    expect(run?.task).toMatchObject({ owner: BOB, status: "blocked", epoch: 2 });
  }
  expect(project.own(ADA).task.contract.attempt).toBe(1);
});

/** The open runs of a project whose gate passes. */
function passing(project: Project, state: ProjectState): readonly string[] {
  return runsOf(state).flatMap(({ task, graph }) => {
    if (task.status !== "open" || graph === null) return [];
    const tree = project.tree({ session: task.owner });
    const { decision } = evaluateGate({
      task,
      graph,
      evidence: state.evidence,
      tree,
      hashing: HASHING,
    });
    return decision === "pass" ? [task.contract.run] : [];
  });
}

test("whatever is shed from a history, no gate passes that did not pass before", () => {
  // Mostly kept: of a task whose beginning was shed, no gate passes any more.
  const how = fc.oneof(
    { weight: 8, arbitrary: fc.constant("keep") },
    { weight: 2, arbitrary: fc.constantFrom("body", "free text") },
  );
  const anyHow = fc.array(how, { minLength: 1, maxLength: 40 });
  let passed = 0;
  fc.assert(
    fc.property(acts, anyHow, (history, how) => {
      const project = play(history);
      const before = passing(project, project.state);
      const whole = project.state;
      refolded(project, (event) => {
        const what = how[event.header.seq % how.length];
        if (what === "body") return null;
        const item = what === "keep" ? null : shedSomehow(event);
        return item === null ? event.body : item.replacement;
      });
      expect(project.state.notUnderstood).toBe(whole.notUnderstood);
      const after = passing(project, project.state);
      passed += after.length;
      expect(before).toEqual(expect.arrayContaining([...after]));
    }),
    { numRuns: 1_000 },
  );
  expect(passed).toBeGreaterThan(0);
}, 30_000);

const shedSomehow = (event: StoredEvent) =>
  event.header.type.startsWith("journal.") ? null : shedWhole(event, canStandFor).item;
