import { setup, transition } from "xstate";
import type { PlanStep } from "./schemas.ts";

type Status = PlanStep["status"];

/** Asks for a step to stand elsewhere, with the facts that the guards judge. */
export interface StepEvent {
  readonly type: "move";
  readonly to: Status;
  /** Whether all that the step depends on is done or skipped. */
  readonly isReady: boolean;
  readonly hasNote: boolean;
}

/** One step of a work plan. What is done or skipped stays so; what failed is taken up with a note. */
export const stepMachine = setup({
  types: { events: {} as StepEvent },
  guards: {
    starts: ({ event }) => event.to === "in-progress" && event.isReady,
    startsAgainWithNote: ({ event }) =>
      event.to === "in-progress" && event.isReady && event.hasNote,
    finishes: ({ event }) => event.to === "done" && event.isReady,
    isSkipped: ({ event }) => event.to === "skipped",
    failsWithNote: ({ event }) => event.to === "failed" && event.hasNote,
  },
}).createMachine({
  id: "plan-step",
  initial: "pending",
  states: {
    pending: {
      on: {
        move: [
          { guard: "starts", target: "in-progress" },
          { guard: "finishes", target: "done" },
          { guard: "isSkipped", target: "skipped" },
        ],
      },
    },
    "in-progress": {
      on: {
        move: [
          { guard: "finishes", target: "done" },
          { guard: "isSkipped", target: "skipped" },
          { guard: "failsWithNote", target: "failed" },
        ],
      },
    },
    failed: {
      on: {
        move: [
          { guard: "startsAgainWithNote", target: "in-progress" },
          { guard: "isSkipped", target: "skipped" },
        ],
      },
    },
    done: { type: "final" },
    skipped: { type: "final" },
  },
});

/** Whether a step may go where an event asks. */
export function stepMayMove(from: Status, event: StepEvent): boolean {
  const [next] = transition(stepMachine, stepMachine.resolveState({ value: from }), event);
  return next.value !== from && next.value === event.to;
}
