import { plannedAfter } from "./machine.ts";
import type { CriterionGraph } from "./schemas.ts";
import type { Planning } from "./terms.ts";

/**
 * What to work on: a criterion is ready once all that it depends on is settled, and the first ready
 * one in the graph's order that is not settled itself is in focus.
 *
 * @param settled ids of the criteria that nothing is left to do for
 */
export function planningOf(
  { nodes, order }: CriterionGraph,
  settled: ReadonlySet<string>,
): ReadonlyMap<string, Planning> {
  const planning = new Map<string, Planning>();
  for (const { id, dependsOn } of nodes) {
    const isMet = dependsOn.every((other) => settled.has(other));
    planning.set(id, isMet ? plannedAfter("waiting", { type: "dependencies-met" }) : "waiting");
  }
  const focus = order.find((id) => planning.get(id) === "ready" && !settled.has(id));
  if (focus !== undefined) planning.set(focus, plannedAfter("ready", { type: "focused" }));
  return planning;
}
