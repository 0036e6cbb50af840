import { accept, type Decision, refuse, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState } from "./projection.ts";
import type { JudgeCriterion } from "./schemas.ts";
import { criterionUnknown, ownRun } from "./which.ts";

/**
 * Records what a person said of a criterion. An approval counts for the tree that was judged; what
 * has to be seen can be waived or put off, and never be approved.
 */
export function judgeCriterion(
  state: ProjectState,
  command: JudgeCriterion,
  facts: Facts,
): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const { criterion: id, as, reason, by } = command;
  const criterion = own.task.contract.criteria.find((known) => known.id === id);
  if (criterion === undefined) return refused(criterionUnknown(own, id));
  if (as === "approved" && criterion.kind !== "human") {
    return refuse(
      "evidence/not-for-a-person",
      `${id} has to be seen to hold; nobody's word stands for that.`,
      `Show it (holdfast gate says how), or let the person who wants it waive it: holdfast criterion waive ${id} --reason …`,
    );
  }
  if (facts.tree === null) throw new Error("A judgement needs the working tree.");
  const { place, digest } = facts.tree;
  if (command.tree !== undefined && command.tree !== digest) {
    return refuse(
      "evidence/tree-changed",
      "The working tree changed after it was shown, so nothing was recorded.",
      "Look at it again, and repeat the call.",
    );
  }
  return accept({
    run: own.task.contract.run,
    type: "criterion.judged",
    body: { criterion: id, as, reason, by, place, tree: digest },
  });
}
