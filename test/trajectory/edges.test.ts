import { expect, test } from "vitest";
import { trajectoryMachine } from "../../src/trajectory/index.ts";

/**
 * What may follow what and why, as rows of `from > to: causes`, before the path of a task and the
 * rules on skipping narrow it. Written from the rules and not from the code.
 */
const ROWS = `
  intake > scout: context-observed
  intake > plan: explicit-skip plan-observed
  intake > execute: execution-authorized mutation-observed
  intake > review: review-observed verification-passed
  intake > handoff: handoff-observed
  intake > terminal: task-terminal
  scout > plan: explicit-skip plan-observed
  scout > review: review-observed verification-passed
  scout > handoff: handoff-observed
  scout > terminal: task-terminal
  plan > execute: execution-authorized mutation-observed
  plan > review: review-observed verification-passed
  plan > handoff: handoff-observed
  plan > terminal: task-terminal
  execute > verify: verification-passed verification-started
  execute > repair: recovery-requested verification-failed
  execute > handoff: handoff-observed
  execute > terminal: task-terminal
  verify > repair: recovery-requested verification-failed
  verify > review: review-observed verification-passed
  verify > handoff: handoff-observed
  verify > terminal: task-terminal
  repair > verify: verification-passed verification-started
  repair > handoff: handoff-observed
  repair > terminal: task-terminal
  review > repair: recovery-requested verification-failed
  review > handoff: handoff-observed
  review > terminal: task-terminal
  handoff > terminal: task-terminal
`;

test("the machine has every edge of the closed set with its causes, and no other", () => {
  const causes = new Map<string, string[]>();
  for (const { key: from, transitions } of Object.values(trajectoryMachine.states)) {
    for (const { eventType, target = [] } of [...transitions.values()].flat()) {
      for (const { key: to } of target) {
        causes.set(`${from} > ${to}`, [...(causes.get(`${from} > ${to}`) ?? []), eventType]);
      }
    }
  }
  const rows = [...causes].map(([edge, types]) => `${edge}: ${types.toSorted().join(" ")}`);
  const told = ROWS.trim().split("\n");
  expect(rows.toSorted()).toEqual(told.map((row) => row.trim()).toSorted());
});
