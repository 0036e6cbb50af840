import fc from "fast-check";
import { produce } from "immer";
import { expect, test } from "vitest";
import { phaseEntered, type TrajectoryState, trajectoryFrom } from "../../src/trajectory/index.ts";

const START_MS = Date.UTC(2026, 0, 1);
const timeOf = (ms: number) => new Date(START_MS + ms).toISOString();

/** A run that entered phases at these milliseconds after its start. */
function runThrough(...visits: readonly (readonly [to: string, ms: number])[]): TrajectoryState {
  return visits.reduce(entered, trajectoryFrom(timeOf(0)));
}

function entered(
  before: TrajectoryState,
  [to, ms]: readonly [to: string, ms: number],
): TrajectoryState {
  const body = { from: before.phase, to, cause: "plan-observed", skipped: [], reason: null };
  return produce(before, (draft) => phaseEntered(draft, body, { seq: 1, at: timeOf(ms) }));
}

test("the time in a phase is that of all its visits, and the last one is not over", () => {
  const { spentMs, entered: times } = runThrough(
    ["execute", 10],
    ["verify", 110],
    ["repair", 150],
    ["verify", 450],
    ["review", 500],
  );
  expect(spentMs).toEqual({ intake: 10, execute: 100, verify: 90, repair: 300 });
  expect(times).toEqual({ intake: 1, execute: 1, verify: 2, repair: 1, review: 1 });
});

test("a clock that goes back makes the time in that phase unknown, for good, and no other", () => {
  const { spentMs } = runThrough(["verify", 100], ["repair", 50], ["verify", 80], ["review", 200]);
  expect(spentMs).toEqual({ intake: 100, verify: null, repair: 30 });
});

test("a phase of another version may have any name", () => {
  expect(runThrough(["constructor", 5], ["execute", 9]).spentMs).toEqual({
    intake: 5,
    constructor: 4,
  });
});

test("of thousands of names the first 64 are counted, and what has a later one under no name", () => {
  const foreign = Array.from({ length: 3_000 }, (_, at) => `phase-${at}`);
  const once = foreign.map((name, at) => [name, at + 1] as const);
  const state = runThrough(...once, ...once.map(([name, ms]) => [name, ms + 3_000] as const));
  const { entered: times, spentMs, phase, count } = state;
  expect(Object.keys(times)).toEqual(["intake", ...foreign.slice(0, 63)]);
  expect(Object.keys(spentMs)).toEqual(Object.keys(times));
  // Those that are counted go on being counted, and are charged for no time but their own.
  expect(times).toMatchObject({ intake: 1, "phase-0": 2, "phase-62": 2 });
  expect(spentMs).toMatchObject({ intake: 1, "phase-0": 2, "phase-62": 2 });
  // Where the run stands, and how often it moved, is known whatever it is called.
  expect([phase, count]).toEqual(["phase-2999", 6_000]);
});

test("no time is negative, and the state does not grow with the rounds", () => {
  const aVisit = fc.tuple(
    fc.constantFrom("execute", "verify", "repair"),
    fc.integer({ min: -1_000, max: 1_000 }),
  );
  fc.assert(
    fc.property(fc.array(aVisit, { maxLength: 200 }), (visits) => {
      const { spentMs, recent, count } = runThrough(...visits);
      for (const ms of Object.values(spentMs))
        if (ms !== null) expect(ms).toBeGreaterThanOrEqual(0);
      expect(recent.length).toBe(Math.min(64, visits.length));
      expect(count).toBe(visits.length);
    }),
  );
});

test("where the fold is cut, it goes on to the same", () => {
  const visits = [
    ["execute", 10],
    ["verify", 20],
    ["repair", 15],
    ["verify", 90],
  ] as const;
  for (let cut = 0; cut <= visits.length; cut++) {
    const half = JSON.parse(JSON.stringify(runThrough(...visits.slice(0, cut)))) as TrajectoryState;
    expect(visits.slice(cut).reduce(entered, half)).toEqual(runThrough(...visits));
  }
});

test("10,000 rounds of verify and repair leave a state as large as 100", () => {
  const sizeAfter = (rounds: number) => {
    let state = runThrough(["execute", 0]);
    for (let round = 0; round < rounds; round++) {
      state = entered(entered(state, ["verify", round]), ["repair", round]);
    }
    return JSON.stringify(state).length;
  };
  // The counters have more digits, and nothing else.
  expect(sizeAfter(10_000) - sizeAfter(100)).toBeLessThan(40);
});
