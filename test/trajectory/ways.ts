import type { Contract } from "../../src/contract/index.ts";
import type { Cause, Phase } from "../../src/trajectory/index.ts";

export type Mode = Contract["changeMode"];
export type Lane = Contract["riskLane"];

/** One way from a phase to another, as the rules list it. */
export interface Way {
  readonly from: Phase;
  readonly to: Phase;
  readonly causes: readonly Cause[];
  /** The phases of the path that it leaves out. */
  readonly without: readonly Phase[];
  /** Only for a run that is concluded as failed. */
  readonly onlyFailing: boolean;
}

/**
 * Every way that a kind of task has, worked out by hand from the rules on paths, edges, causes and
 * skipping, one row each: `from > to [without …] [if failing]: causes`.
 */
const TINY_CHANGE = `
  intake > execute: execution-authorized mutation-observed
  intake > terminal without execute verify handoff: task-terminal
  execute > verify: verification-started verification-passed
  execute > repair: verification-failed recovery-requested
  execute > handoff without verify if failing: handoff-observed
  execute > terminal without verify handoff: task-terminal
  verify > repair: verification-failed recovery-requested
  verify > handoff: handoff-observed
  verify > terminal without handoff: task-terminal
  repair > verify: verification-started verification-passed
  repair > handoff without verify if failing: handoff-observed
  repair > terminal without verify handoff: task-terminal
  handoff > terminal: task-terminal
`;

const NORMAL_CHANGE = `
  intake > plan: plan-observed explicit-skip
  intake > execute without plan: execution-authorized
  intake > terminal without plan execute verify review handoff: task-terminal
  plan > execute: execution-authorized mutation-observed
  plan > terminal without execute verify review handoff: task-terminal
  execute > verify: verification-started verification-passed
  execute > repair: verification-failed recovery-requested
  execute > handoff without verify review if failing: handoff-observed
  execute > terminal without verify review handoff: task-terminal
  verify > repair: verification-failed recovery-requested
  verify > review: review-observed verification-passed
  verify > handoff without review: handoff-observed
  verify > terminal without review handoff: task-terminal
  repair > verify: verification-started verification-passed
  repair > handoff without verify review if failing: handoff-observed
  repair > terminal without verify review handoff: task-terminal
  review > repair: verification-failed recovery-requested
  review > handoff: handoff-observed
  review > terminal without handoff: task-terminal
  handoff > terminal: task-terminal
`;

const HIGH_RISK_CHANGE = `
  intake > scout: context-observed
  intake > plan without scout: explicit-skip
  intake > terminal without scout plan execute verify review handoff: task-terminal
  scout > plan: plan-observed
  scout > terminal without plan execute verify review handoff: task-terminal
  plan > execute: execution-authorized mutation-observed
  plan > terminal without execute verify review handoff: task-terminal
  execute > verify: verification-started verification-passed
  execute > repair: verification-failed recovery-requested
  execute > terminal without verify review handoff: task-terminal
  verify > repair: verification-failed recovery-requested
  verify > review: review-observed verification-passed
  verify > terminal without review handoff: task-terminal
  repair > verify: verification-started verification-passed
  repair > terminal without verify review handoff: task-terminal
  review > repair: verification-failed recovery-requested
  review > handoff: handoff-observed
  review > terminal without handoff: task-terminal
  handoff > terminal: task-terminal
`;

const READING = `
  intake > scout: context-observed
  intake > terminal without scout review handoff: task-terminal
  scout > review: review-observed verification-passed
  scout > terminal without review handoff: task-terminal
  review > handoff: handoff-observed
  review > terminal without handoff: task-terminal
  handoff > terminal: task-terminal
`;

/** Each change mode and lane with its path and its ways. */
export const KINDS: readonly {
  readonly mode: Mode;
  readonly lane: Lane;
  readonly path: string;
  readonly ways: readonly Way[];
}[] = [
  {
    mode: "source-change",
    lane: "tiny",
    path: "intake execute verify handoff terminal",
    ways: waysOf(TINY_CHANGE),
  },
  {
    mode: "source-change",
    lane: "normal",
    path: "intake plan execute verify review handoff terminal",
    ways: waysOf(NORMAL_CHANGE),
  },
  {
    mode: "source-change",
    lane: "high-risk",
    path: "intake scout plan execute verify review handoff terminal",
    ways: waysOf(HIGH_RISK_CHANGE),
  },
  ...(["tiny", "normal", "high-risk"] as const).map((lane) => ({
    mode: "read-only" as const,
    lane,
    path: "intake scout review handoff terminal",
    ways: waysOf(READING),
  })),
];

function waysOf(rows: string): readonly Way[] {
  return rows.trim().split("\n").map(wayOf);
}

function wayOf(row: string): Way {
  const [, from, to, without, failing, causes] =
    /^\s*(\w+) > (\w+)(?: without ([\w ]+?))?( if failing)?: ([\w -]+)$/.exec(row) ?? [];
  if (causes === undefined) throw new Error(`No way is told by "${row}".`);
  return {
    from: from as Phase,
    to: to as Phase,
    causes: causes.split(" ") as Cause[],
    without: (without?.split(" ") ?? []) as Phase[],
    onlyFailing: failing !== undefined,
  };
}
