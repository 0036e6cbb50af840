import { expect, test } from "vitest";
import {
  CAUSES,
  canEnter,
  configuredPath,
  PHASES,
  type Phase,
  type PhaseRequest,
  skippedPhases,
  trajectoryMachine,
} from "../../src/trajectory/index.ts";
import { reached, walk } from "../walk.ts";
import { KINDS, type Way } from "./ways.ts";

type Kind = (typeof KINDS)[number];

/** Everything that can be asked of a task of this kind: every target, every cause, failing or not. */
function requestsOf({ mode, lane }: Kind): readonly PhaseRequest[] {
  return PHASES.flatMap((to) =>
    CAUSES.flatMap((type) =>
      [false, true].map((failing) => ({ type, to, changeMode: mode, riskLane: lane, failing })),
    ),
  );
}

/** The way that a request goes from a phase, or none. */
function wayOf({ ways }: Kind, from: string, request: PhaseRequest): Way | undefined {
  return ways.find(
    (way) =>
      way.from === from &&
      way.to === request.to &&
      way.causes.includes(request.type) &&
      (request.failing || !way.onlyFailing),
  );
}

/** The phases that a kind of task goes through, and repair beside what it executes. */
function placesOf({ path }: Kind): readonly Phase[] {
  return PHASES.filter(
    (phase) => path.split(" ").includes(phase) || (phase === "repair" && path.includes("execute")),
  );
}

const told = ({ from, to }: Pick<Way, "from" | "to">, cause: string) => `${from} > ${to}: ${cause}`;

test.each(KINDS)("a $lane $mode task comes to each of its phases and to no other", (kind) => {
  expect(configuredPath(kind.mode, kind.lane).join(" ")).toBe(kind.path);
  const steps = walk(trajectoryMachine, requestsOf(kind));
  expect(reached(steps)).toEqual(placesOf(kind).toSorted());
});

test.each(KINDS)(
  "a $lane $mode task goes every way that it has, for each of its causes",
  (kind) => {
    const steps = walk(trajectoryMachine, requestsOf(kind));
    const walked = steps.flatMap(({ from, to, event }) =>
      from === to ? [] : told({ from: from as Phase, to: to as Phase }, event.type),
    );
    const ways = kind.ways.flatMap((way) => way.causes.map((cause) => told(way, cause)));
    expect([...new Set(walked)].toSorted()).toEqual(ways.toSorted());
  },
);

test.each(KINDS)("a $lane $mode task stays where it is at everything else", (kind) => {
  const requests = requestsOf(kind);
  const steps = walk(trajectoryMachine, requests);
  expect(steps).toHaveLength(placesOf(kind).length * requests.length);
  const differing = steps.filter(
    ({ from, to, event }) => to !== (wayOf(kind, from, event)?.to ?? from),
  );
  expect(differing).toEqual([]);
});

test.each(KINDS)("a $lane $mode task is let into a phase exactly where a way leads", (kind) => {
  for (const from of PHASES) {
    for (const request of requestsOf(kind)) {
      const way = wayOf(kind, from, request);
      const said = `${from} ${JSON.stringify(request)}`;
      expect(canEnter(from, request), said).toBe(way !== undefined);
      if (way === undefined) continue;
      expect(skippedPhases(from, way.to, kind.mode, kind.lane), said).toEqual(way.without);
    }
  }
});

test("wherever a run can be, the end of its task is one way from there, and nothing leaves it", () => {
  for (const kind of KINDS) {
    const ends = kind.ways.filter(({ to }) => to === "terminal").map(({ from }) => from);
    const others = placesOf(kind).filter((phase) => phase !== "terminal");
    expect(ends.toSorted()).toEqual(others.toSorted());
    expect(kind.ways.filter(({ from }) => from === "terminal")).toEqual([]);
  }
  expect(trajectoryMachine.resolveState({ value: "terminal" }).status).toBe("done");
});
