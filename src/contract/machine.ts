import { setup, transition } from "xstate";
import type { Outcome } from "./terms.ts";

/**
 * Where a run stands: open, paused, or one of the ends, which nothing leaves. `abandoned` is an end
 * that was judged by no gate.
 */
export type ContractStatus = "open" | "paused" | "abandoned" | Outcome;

/** What asks the lifecycle to move, with the facts that its guards judge. */
export type LifecycleEvent =
  | {
      readonly type: "conclude";
      readonly outcome: Outcome;
      readonly gatePasses: boolean;
      readonly hasReason: boolean;
      readonly saysWhere: boolean;
    }
  | { readonly type: "pause" }
  | { readonly type: "continue" }
  | { readonly type: "abandon"; readonly hasReason: boolean };

/** The lifecycle of one run of a task. */
export const contractMachine = setup({
  types: { events: {} as LifecycleEvent },
  guards: {
    completesWithProof: ({ event }) =>
      event.type === "conclude" && event.outcome === "completed" && event.gatePasses,
    isBlockedForAReason: ({ event }) =>
      event.type === "conclude" && event.outcome === "blocked" && event.hasReason,
    isPartialForAReason: ({ event }) =>
      event.type === "conclude" && event.outcome === "partial" && event.hasReason,
    failedSomewhereForAReason: ({ event }) =>
      event.type === "conclude" && event.outcome === "failed" && event.hasReason && event.saysWhere,
    isAbandonedForAReason: ({ event }) => event.type === "abandon" && event.hasReason,
  },
}).createMachine({
  id: "contract",
  initial: "open",
  states: {
    open: {
      on: {
        conclude: [
          { guard: "completesWithProof", target: "completed" },
          { guard: "isBlockedForAReason", target: "blocked" },
          { guard: "isPartialForAReason", target: "partial" },
          { guard: "failedSomewhereForAReason", target: "failed" },
        ],
        pause: { target: "paused" },
        abandon: { guard: "isAbandonedForAReason", target: "abandoned" },
      },
    },
    // Who paused a run expects to find it as it was left, so nobody draws a conclusion meanwhile,
    // whatever the outcome: it is continued first. To give it up there is `abandon`.
    paused: {
      on: {
        continue: { target: "open" },
        abandon: { guard: "isAbandonedForAReason", target: "abandoned" },
      },
    },
    completed: { type: "final" },
    blocked: { type: "final" },
    partial: { type: "final" },
    failed: { type: "final" },
    abandoned: { type: "final" },
  },
});

/** The status after an event, or null where the lifecycle does not allow it. */
export function nextStatus(from: ContractStatus, event: LifecycleEvent): ContractStatus | null {
  const [next] = transition(contractMachine, contractMachine.resolveState({ value: from }), event);
  return next.value === from ? null : (next.value as ContractStatus);
}
