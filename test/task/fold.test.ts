import fc from "fast-check";
import { expect, test } from "vitest";
import { EVENT_TYPES, evolve, fold, initialState, runsOf } from "../../src/task/index.ts";
import { acts, play } from "./commands.ts";
import { ADA, aDraft, deepFrozen, VERIFIER } from "./makers.ts";
import { Project, started } from "./project.ts";

test("folding changes neither the state before nor the event", () => {
  fc.assert(
    fc.property(acts, (history) => {
      const { events } = play(history);
      let state = deepFrozen(initialState);
      for (const event of events) state = deepFrozen(evolve(state, deepFrozen(event)));
    }),
    { numRuns: 40 },
  );
});

test("the state is bounded by its limits, however long the history", () => {
  const project = started(aDraft());
  for (let call = 0; call < 300; call++) {
    project.request("rm -rf build");
    project.end("node check.js");
  }
  const { recent, openCalls, latest, trees } = project.state.evidence;
  expect(recent.length).toBe(256);
  expect(Object.keys(openCalls).length).toBe(256);
  expect(Object.keys(latest)).toEqual([]);
  expect(Object.keys(trees)).toEqual(["main"]);
});

test("runs are told in the order in which they began", () => {
  fc.assert(
    fc.property(acts, (history) => {
      const seqs = runsOf(play(history).state).map(({ task }) => task.startedSeq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    }),
    { numRuns: 30 },
  );
});

test("an event type that this version does not know is noted once, and the rest is folded on", () => {
  const project = started(aDraft());
  const run = project.own();
  const seq = project.events.length + 1;
  project.plant("task.teleported", { anything: true });
  project.plant("constructor", {});
  expect(project.state.notUnderstood).toEqual({
    seq,
    type: "task.teleported",
    why: "unknown-type",
  });
  expect(project.own()).toEqual(run);
});

test("a known type of another shape is not understood either", () => {
  for (const type of EVENT_TYPES) {
    const project = new Project();
    project.plant(type, { anything: true });
    expect(project.state.notUnderstood, type).toMatchObject({ seq: 1, why: "unknown-shape" });
  }
});

test("events of the journal itself and of others' own types are not folded", () => {
  const project = started(aDraft());
  const { state } = project;
  project.plant("journal.opened", { journalId: "x" });
  project.plant("x.notes", JSON.parse('{"__proto__": 1}'));
  expect(project.state).toBe(state);
});

test("an event whose body was shed is no proof", () => {
  const project = started(aDraft());
  project.write("src/cart.js", "v2");
  project.run();
  const shed = project.events.map((event) =>
    event.header.type === "command.observed" ? { ...event, body: null } : event,
  );
  const state = fold(shed);
  expect(state.notUnderstood).toBeNull();
  expect(state.evidence.latest).toEqual({});
  // The call is known to have begun, and no longer known to have ended.
  expect(Object.values(state.evidence.openCalls)).toMatchObject([{ command: VERIFIER }]);
});

test("the digest of a command in its first event is no part of what is folded", () => {
  const project = started(aDraft());
  const events = project.events.map((event) => ({
    ...event,
    body: { ...event.body, commandDigest: "0".repeat(64) },
  }));
  expect(fold(events)).toEqual(project.state);
});

test("the same event folded for another session's run moves nothing of one's own", () => {
  const project = started(aDraft());
  const own = project.own(ADA);
  project.plant("phase.entered", {
    from: "intake",
    to: "plan",
    cause: "plan-observed",
    skipped: [],
    reason: null,
  });
  expect(project.own(ADA)).toEqual(own);
  expect(project.state.notUnderstood).toBeNull();
});
