import { setup, transition } from "xstate";
import type { Outcome } from "./terms.ts";

/** Where a run stands: open, or one of the outcomes, which nothing leaves. */
export type ContractStatus = "open" | Outcome;

/** What asks the lifecycle to move, with the facts that its guards judge. */
export type LifecycleEvent = {
  readonly type: "conclude";
  readonly outcome: Outcome;
  readonly gatePasses: boolean;
  readonly hasReason: boolean;
  readonly saysWhere: boolean;
};

/** The lifecycle of one run of a task. */
export const contractMachine = setup({
  types: { events: {} as LifecycleEvent },
  guards: {
    completesWithProof: ({ event }) => event.outcome === "completed" && event.gatePasses,
    isBlockedForAReason: ({ event }) => event.outcome === "blocked" && event.hasReason,
    isPartialForAReason: ({ event }) => event.outcome === "partial" && event.hasReason,
    failedSomewhereForAReason: ({ event }) =>
      event.outcome === "failed" && event.hasReason && event.saysWhere,
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
      },
    },
    completed: { type: "final" },
    blocked: { type: "final" },
    partial: { type: "final" },
    failed: { type: "final" },
  },
});

/** The status after an event, or null where the lifecycle does not allow it. */
export function nextStatus(from: ContractStatus, event: LifecycleEvent): ContractStatus | null {
  const [next] = transition(contractMachine, contractMachine.resolveState({ value: from }), event);
  return next.value === from ? null : (next.value as ContractStatus);
}
