import { expect, test } from "vitest";
import { getShortestPaths } from "xstate/graph";
import {
  type ContractStatus,
  contractMachine,
  type LifecycleEvent,
  nextStatus,
  type PlanStep,
  type StepEvent,
  stepMachine,
  stepMayMove,
} from "../../src/contract/index.ts";
import { reached, walk } from "../walk.ts";

const EITHER = [false, true] as const;
const OUTCOMES = ["completed", "blocked", "partial", "failed"] as const;
const ENDS = [...OUTCOMES, "abandoned"] as const;
const STATUSES: readonly ContractStatus[] = ["open", "paused", ...ENDS];

/** Everything that can ask the lifecycle to move. */
const WISHES: readonly LifecycleEvent[] = [
  ...OUTCOMES.flatMap((outcome) =>
    EITHER.flatMap((gatePasses) =>
      EITHER.flatMap((hasReason) =>
        EITHER.map((saysWhere) => ({
          type: "conclude" as const,
          outcome,
          gatePasses,
          hasReason,
          saysWhere,
        })),
      ),
    ),
  ),
  { type: "pause" },
  { type: "continue" },
  ...EITHER.map((hasReason) => ({ type: "abandon" as const, hasReason })),
];

/** Each way of a run, and what its wish has to bring along. What is not here is refused. */
const RUN_WAYS: Readonly<Record<string, string>> = {
  "open > completed": "conclude completed gatePasses",
  "open > blocked": "conclude blocked hasReason",
  "open > partial": "conclude partial hasReason",
  "open > failed": "conclude failed hasReason saysWhere",
  "open > paused": "pause",
  "open > abandoned": "abandon hasReason",
  // Nobody draws a conclusion while a run is paused.
  "paused > open": "continue",
  "paused > abandoned": "abandon hasReason",
};

/** Where a wish leads by the ways above, or the status as it is. */
function afterwards(from: string, wish: LifecycleEvent): string {
  const brought = Object.entries(wish).flatMap(([name, value]) =>
    value === true ? name : typeof value === "string" ? value : [],
  );
  const way = Object.entries(RUN_WAYS).find(
    ([ends, needs]) =>
      ends.startsWith(`${from} >`) && needs.split(" ").every((need) => brought.includes(need)),
  );
  return way?.[0].split(" > ")[1] ?? from;
}

test("a run goes each of its ways with what that needs, and stays where it is at all else", () => {
  const steps = walk(contractMachine, WISHES);
  expect(reached(steps)).toEqual(STATUSES.toSorted());
  expect(steps).toHaveLength(STATUSES.length * WISHES.length);
  expect(steps.filter(({ from, event, to }) => to !== afterwards(from, event))).toEqual([]);
  const gone = steps.flatMap(({ from, to }) => (from === to ? [] : `${from} > ${to}`));
  expect([...new Set(gone)].toSorted()).toEqual(Object.keys(RUN_WAYS).toSorted());
});

test("the status that is decided on is the one that the machine walks to, and null where it stays", () => {
  for (const { from, event, to } of walk(contractMachine, WISHES)) {
    const told = `${from} ${JSON.stringify(event)}`;
    expect(nextStatus(from as ContractStatus, event), told).toBe(to === from ? null : to);
  }
});

test("every end of a run is one wish away from its beginning, and final", () => {
  const paths = getShortestPaths(contractMachine, { events: [...WISHES] });
  // The first step of a path is how the machine begins.
  const wishes = new Map(paths.map(({ state, steps }) => [state.value, steps.length - 1]));
  for (const end of ENDS) {
    expect(wishes.get(end), end).toBe(1);
    expect(contractMachine.resolveState({ value: end }).status, end).toBe("done");
  }
});

type Status = PlanStep["status"];

const STEP_STATUSES: readonly Status[] = ["pending", "in-progress", "done", "skipped", "failed"];

/** Everything that can be asked of a step. */
const MOVES: readonly StepEvent[] = STEP_STATUSES.flatMap((to) =>
  EITHER.flatMap((isReady) =>
    EITHER.map((hasNote) => ({ type: "move" as const, to, isReady, hasNote })),
  ),
);

/** Each way that a step can go, and what it needs for that. */
const STEP_WAYS: Readonly<Record<string, readonly ("isReady" | "hasNote")[]>> = {
  "pending > in-progress": ["isReady"],
  "pending > done": ["isReady"],
  "pending > skipped": [],
  "in-progress > done": ["isReady"],
  "in-progress > skipped": [],
  "in-progress > failed": ["hasNote"],
  "failed > in-progress": ["isReady", "hasNote"],
  "failed > skipped": [],
};

const mayGo = (from: string, move: StepEvent) =>
  STEP_WAYS[`${from} > ${move.to}`]?.every((need) => move[need]) ?? false;

test("a step goes each of its ways with what that needs, and stays where it is at all else", () => {
  const steps = walk(stepMachine, MOVES);
  expect(reached(steps)).toEqual(STEP_STATUSES.toSorted());
  expect(steps).toHaveLength(STEP_STATUSES.length * MOVES.length);
  for (const { from, event, to } of steps) {
    const told = `${from} ${JSON.stringify(event)}`;
    expect(to, told).toBe(mayGo(from, event) ? event.to : from);
    expect(stepMayMove(from as Status, event), told).toBe(mayGo(from, event));
  }
  const gone = steps.flatMap(({ from, to }) => (from === to ? [] : `${from} > ${to}`));
  expect([...new Set(gone)].toSorted()).toEqual(Object.keys(STEP_WAYS).toSorted());
});

test("a step that is done or skipped is final, and one that failed is not", () => {
  const finals = STEP_STATUSES.filter(
    (value) => stepMachine.resolveState({ value }).status === "done",
  );
  expect(finals).toEqual(["done", "skipped"]);
});
