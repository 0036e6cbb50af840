import type { AnyStateMachine, EventFromLogic } from "xstate";
import { adjacencyMapToArray, getAdjacencyMap } from "xstate/graph";

/** What one event does to a machine in one state; where it is refused, both ends are one state. */
export interface Step<M extends AnyStateMachine> {
  readonly from: string;
  readonly event: EventFromLogic<M>;
  readonly to: string;
}

/**
 * Walks a machine from its start: every one of these events in every state that any of them reaches.
 * Two states of one name would be walked as one, so a machine with a memory is turned away.
 */
export function walk<M extends AnyStateMachine>(
  machine: M,
  events: readonly EventFromLogic<M>[],
): readonly Step<M>[] {
  const map = getAdjacencyMap(machine, { events: [...events] } as never);
  return adjacencyMapToArray(map as never).map(({ state, event, nextState }) => ({
    from: nameOf(state),
    event: event as EventFromLogic<M>,
    to: nameOf(nextState),
  }));
}

/** The states that a walk came to, each once. */
export function reached(steps: readonly { readonly from: string; readonly to: string }[]) {
  return [...new Set(steps.flatMap(({ from, to }) => [from, to]))].toSorted();
}

function nameOf(snapshot: unknown): string {
  const { value, context } = snapshot as { readonly value: unknown; readonly context: object };
  if (typeof value !== "string" || Object.keys(context).length > 0) {
    throw new Error(`A state is more than its name: ${JSON.stringify({ value, context })}`);
  }
  return value;
}
