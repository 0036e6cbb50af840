import fc from "fast-check";
import { expect, test } from "vitest";
import { type CriterionGraph, planningOf } from "../../src/criteria/index.ts";
import { plannedAfter, planningMachine } from "../../src/criteria/machine.ts";
import type { Planning } from "../../src/criteria/terms.ts";
import { aDraft } from "../task/makers.ts";
import { started } from "../task/project.ts";
import { reached, walk } from "../walk.ts";

const EVENTS = ["dependencies-met", "dependencies-lost", "focused", "released"] as const;

/** Every move of the planning machine; what is not here it refuses. */
const MOVES: Readonly<Record<string, string>> = {
  "waiting dependencies-met": "ready",
  "ready focused": "in-focus",
  "ready dependencies-lost": "waiting",
  "in-focus released": "ready",
  "in-focus dependencies-lost": "waiting",
};

test("the machine reaches its three states, and makes each move and no other", () => {
  const steps = walk(
    planningMachine,
    EVENTS.map((type) => ({ type })),
  );
  expect(reached(steps)).toEqual(["in-focus", "ready", "waiting"]);
  expect(steps).toHaveLength(3 * EVENTS.length);
  for (const { from, event, to } of steps) {
    const told = `${from} ${event.type}`;
    expect(to, told).toBe(MOVES[told] ?? from);
    expect(plannedAfter(from as Planning, event), told).toBe(to);
  }
  const gone = steps.flatMap(({ from, event, to }) => (from === to ? [] : `${from} ${event.type}`));
  expect(gone.toSorted()).toEqual(Object.keys(MOVES).toSorted());
});

test("no state of planning says that a criterion holds", () => {
  expect(Object.keys(planningMachine.states)).toEqual(["waiting", "ready", "in-focus"]);
});

function graph(): CriterionGraph {
  const criteria = ["[Guard] throws below one", "logs once, after Guard", "npm test passes tests"];
  const pinned = started(aDraft({ acceptanceCriteria: criteria })).own().graph;
  if (pinned === null) throw new Error("No graph was pinned.");
  return pinned;
}

const planned = (...settled: string[]) => [...planningOf(graph(), new Set(settled)).values()];

test("what is settled lets what depends on it become ready, and the first ready one is in focus", () => {
  expect(planned()).toEqual(["in-focus", "waiting", "waiting"]);
  expect(planned("criterion-01")).toEqual(["ready", "in-focus", "waiting"]);
  expect(planned("criterion-01", "criterion-02")).toEqual(["ready", "ready", "in-focus"]);
  expect(planned("criterion-01", "criterion-02", "criterion-03")).toEqual([
    "ready",
    "ready",
    "ready",
  ]);
});

test("what is no longer settled takes readiness away again", () => {
  expect(planned("criterion-02")).toEqual(["in-focus", "waiting", "waiting"]);
});

test("at most one criterion is in focus, and never a settled one", () => {
  const ids = [...graph().order];
  fc.assert(
    fc.property(fc.subarray(ids), (settled) => {
      const planning = planningOf(graph(), new Set(settled));
      const focused = ids.filter((id) => planning.get(id) === "in-focus");
      expect(focused.length).toBe(settled.length === ids.length ? 0 : 1);
      expect(settled).not.toContain(focused[0]);
    }),
  );
});
