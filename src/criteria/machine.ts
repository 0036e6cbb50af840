import { setup, transition } from "xstate";
import type { Planning } from "./terms.ts";

export type PlanningEvent =
  | { readonly type: "dependencies-met" }
  | { readonly type: "dependencies-lost" }
  | { readonly type: "focused" }
  | { readonly type: "released" };

/** The planning of one criterion. */
export const planningMachine = setup({ types: { events: {} as PlanningEvent } }).createMachine({
  id: "planning",
  initial: "waiting",
  states: {
    waiting: { on: { "dependencies-met": { target: "ready" } } },
    ready: {
      on: { focused: { target: "in-focus" }, "dependencies-lost": { target: "waiting" } },
    },
    "in-focus": {
      on: { released: { target: "ready" }, "dependencies-lost": { target: "waiting" } },
    },
  },
});

/** The state after an event; the same one where the machine has no such move. */
export function plannedAfter(from: Planning, event: PlanningEvent): Planning {
  const snapshot = planningMachine.resolveState({ value: from });
  return transition(planningMachine, snapshot, event)[0].value as Planning;
}
