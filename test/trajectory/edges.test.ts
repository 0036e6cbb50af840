import { expect, test } from "vitest";
import { getShortestPaths } from "xstate/graph";
import type { Contract } from "../../src/contract/index.ts";
import {
  CAUSES,
  type Cause,
  canEnter,
  configuredPath,
  PHASES,
  type Phase,
  type PhaseRequest,
  skippedPhases,
  trajectoryMachine,
} from "../../src/trajectory/index.ts";

type Mode = Contract["changeMode"];
type Lane = Contract["riskLane"];

const MODES: readonly Mode[] = ["source-change", "read-only"];
const LANES: readonly Lane[] = ["tiny", "normal", "high-risk"];
const EITHER = [false, true] as const;

/** The paths, written down a second time. */
const PATHS: Readonly<Record<Mode, Readonly<Record<Lane, string>>>> = {
  "source-change": {
    tiny: "intake execute verify handoff terminal",
    normal: "intake plan execute verify review handoff terminal",
    "high-risk": "intake scout plan execute verify review handoff terminal",
  },
  "read-only": {
    tiny: "intake scout review handoff terminal",
    normal: "intake scout review handoff terminal",
    "high-risk": "intake scout review handoff terminal",
  },
};

/**
 * What may follow what and why, as rows of `from > to: causes`, before paths and skips narrow it.
 * Written from the rules and not from the code.
 */
const ROWS = `
  intake > scout: context-observed
  intake > plan: plan-observed explicit-skip
  intake > execute: execution-authorized mutation-observed
  intake > review: review-observed verification-passed
  intake > handoff: handoff-observed
  intake > terminal: task-terminal
  scout > plan: plan-observed
  scout > review: review-observed verification-passed
  scout > handoff: handoff-observed
  scout > terminal: task-terminal
  plan > execute: execution-authorized mutation-observed
  plan > review: review-observed verification-passed
  plan > handoff: handoff-observed
  plan > terminal: task-terminal
  execute > verify: verification-started verification-passed
  execute > repair: verification-failed recovery-requested
  execute > handoff: handoff-observed
  execute > terminal: task-terminal
  verify > repair: verification-failed recovery-requested
  verify > review: review-observed verification-passed
  verify > handoff: handoff-observed
  verify > terminal: task-terminal
  repair > verify: verification-started verification-passed
  repair > handoff: handoff-observed
  repair > terminal: task-terminal
  review > repair: verification-failed recovery-requested
  review > handoff: handoff-observed
  review > terminal: task-terminal
  handoff > terminal: task-terminal
`;

const EDGES: ReadonlyMap<string, readonly string[]> = new Map(
  ROWS.trim()
    .split("\n")
    .map((row) => {
      const [edge = "", causes = ""] = row.trim().split(": ");
      return [edge, causes.split(" ")];
    }),
);

interface Move {
  readonly from: Phase;
  readonly to: Phase;
  readonly cause: Cause;
  readonly mode: Mode;
  readonly lane: Lane;
  readonly failing: boolean;
}

/** The rules for one move, judged without the machine. */
function isLegal({ from, to, cause, mode, lane, failing }: Move): boolean {
  if (!EDGES.get(`${from} > ${to}`)?.includes(cause)) return false;
  const path = PATHS[mode][lane].split(" ");
  // Repair stands beside a path on which something is executed; its edges leave nothing out.
  if (to === "repair" || (from === "repair" && to === "verify")) return path.includes("execute");
  const begin = path.indexOf(from === "repair" ? "execute" : from);
  const end = path.indexOf(to);
  if (begin < 0 || end < 0 || end <= begin) return false;
  const left = path.slice(begin + 1, end);
  if (left.length === 0 || to === "terminal") return true;
  const mayLeaveOut =
    cause === "explicit-skip" ||
    cause === "execution-authorized" ||
    (cause === "handoff-observed" && ["execute", "verify", "repair"].includes(from));
  if (!mayLeaveOut) return false;
  if (left.includes("verify") && !(to === "handoff" && failing)) return false;
  if (left.includes("plan") && lane === "high-risk") return false;
  return !(left.includes("review") && (mode === "read-only" || lane === "high-risk"));
}

const MOVES: readonly Move[] = MODES.flatMap((mode) =>
  LANES.flatMap((lane) =>
    PHASES.flatMap((from) =>
      PHASES.flatMap((to) =>
        CAUSES.flatMap((cause) =>
          EITHER.map((failing) => ({ from, to, cause, mode, lane, failing })),
        ),
      ),
    ),
  ),
);

const requestOf = ({ to, cause, mode, lane, failing }: Move): PhaseRequest => ({
  type: cause,
  to,
  changeMode: mode,
  riskLane: lane,
  failing,
});

test("every phase, target, cause, mode, lane and outcome is decided as the rules say", () => {
  expect(MOVES).toHaveLength(9 * 9 * 12 * 2 * 3 * 2);
  const differing = MOVES.filter((move) => canEnter(move.from, requestOf(move)) !== isLegal(move));
  expect(differing).toEqual([]);
  expect(MOVES.filter(isLegal).length).toBeGreaterThan(100);
});

test("a legal move leaves out exactly the path phases between its ends", () => {
  for (const move of MOVES.filter(isLegal)) {
    const { from, to, mode, lane } = move;
    const path = PATHS[mode][lane].split(" ");
    const begin = path.indexOf(from === "repair" ? "execute" : from);
    const between =
      to === "repair" || (from === "repair" && to === "verify")
        ? []
        : path.slice(begin + 1, path.indexOf(to));
    expect(skippedPhases(from, to, mode, lane), JSON.stringify(move)).toEqual(between);
  }
});

test("the configured path of each mode and lane", () => {
  for (const mode of MODES) {
    for (const lane of LANES) expect(configuredPath(mode, lane).join(" ")).toBe(PATHS[mode][lane]);
  }
});

test("a walk over the machine reaches the path and, where something is executed, repair", () => {
  for (const mode of MODES) {
    for (const lane of LANES) {
      const events = MOVES.filter((move) => move.mode === mode && move.lane === lane);
      const paths = getShortestPaths(trajectoryMachine, { events: events.map(requestOf) });
      const reached = paths.map(({ state }) => String(state.value));
      const path = PATHS[mode][lane].split(" ");
      const beside = path.includes("execute") ? ["repair"] : [];
      expect(reached.toSorted()).toEqual([...path, ...beside].toSorted());
    }
  }
});

test("from wherever a run can be, the end of its task is one move away, and final", () => {
  for (const mode of MODES) {
    for (const lane of LANES) {
      const path = configuredPath(mode, lane);
      const places = path.includes("execute") ? [...path, "repair" as const] : path;
      const end = { cause: "task-terminal", to: "terminal", mode, lane, failing: false } as const;
      for (const from of places) {
        expect(canEnter(from, requestOf({ from, ...end })), `${mode} ${lane} ${from}`).toBe(
          from !== "terminal",
        );
      }
    }
  }
});
