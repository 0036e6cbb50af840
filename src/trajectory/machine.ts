import { setup, transition } from "xstate";
import type { Contract } from "../contract/index.ts";
import { CAUSES_INTO, type Cause, configuredPath, EDGES, PHASES, type Phase } from "./phases.ts";

/** Asks for a move: what happened, where it would lead, and the facts that the guards judge. */
export interface PhaseRequest {
  readonly type: Cause;
  readonly to: Phase;
  readonly changeMode: Contract["changeMode"];
  readonly riskLane: Contract["riskLane"];
  /** Whether the run is being concluded as failed: only then may its verification be left out. */
  readonly failing: boolean;
}

/**
 * The path phases that a move leaves out, or null where it leads off the configured path.
 * Repair stands beside the path: a move out of it is measured from `execute`.
 */
export function skippedPhases(
  from: Phase,
  to: Phase,
  changeMode: Contract["changeMode"],
  lane: Contract["riskLane"],
): readonly Phase[] | null {
  const path = configuredPath(changeMode, lane);
  const start = path.indexOf(from === "repair" ? "execute" : from);
  if (start < 0) return null;
  if (to === "repair" || (from === "repair" && to === "verify")) {
    // A task that changes nothing has nothing to repair, and no way back from there.
    return path.includes("execute") ? [] : null;
  }
  const end = path.indexOf(to);
  return end <= start ? null : path.slice(start + 1, end);
}

/** Whether this cause may leave phases out on the way. */
function maySkip(from: Phase, request: PhaseRequest): boolean {
  switch (request.to) {
    case "terminal":
      return true;
    case "execute":
      return request.type === "execution-authorized";
    case "plan":
      return request.type === "explicit-skip";
    case "handoff":
      return from === "execute" || from === "verify" || from === "repair";
    default:
      return false;
  }
}

function allows(from: Phase, request: PhaseRequest): boolean {
  const { to, changeMode, riskLane } = request;
  const skipped = skippedPhases(from, to, changeMode, riskLane);
  if (skipped === null) return false;
  if (request.type === "explicit-skip" && from !== "intake") return false;
  if (to === "terminal" || skipped.length === 0) return true;
  if (!maySkip(from, request)) return false;
  if (skipped.includes("verify") && !(to === "handoff" && request.failing)) return false;
  if (skipped.includes("plan") && riskLane === "high-risk") return false;
  return !(skipped.includes("review") && (changeMode === "read-only" || riskLane === "high-risk"));
}

const machineSetup = setup({
  types: { events: {} as PhaseRequest },
  guards: {
    /** The request names this target, and the path and skip rules let it be reached from here. */
    mayEnter: ({ event }, params: { from: Phase; to: Phase }) =>
      event.to === params.to && allows(params.from, event),
  },
});

interface PhaseTransition {
  readonly target: Phase;
  readonly guard: { readonly type: "mayEnter"; readonly params: { from: Phase; to: Phase } };
}

function transitionsFrom(from: Phase): Partial<Record<Cause, readonly PhaseTransition[]>> {
  const on: Partial<Record<Cause, PhaseTransition[]>> = {};
  for (const to of EDGES[from]) {
    for (const cause of CAUSES_INTO[to]) {
      const guard = { type: "mayEnter", params: { from, to } } as const;
      on[cause] = [...(on[cause] ?? []), { target: to, guard }];
    }
  }
  return on;
}

/** The nine phases of one run. Moved by what was observed, never by what is recommended. */
export const trajectoryMachine = machineSetup.createMachine({
  id: "trajectory",
  initial: "intake",
  states: Object.fromEntries(
    PHASES.map((phase) => [
      phase,
      phase === "terminal" ? { type: "final" as const } : { on: transitionsFrom(phase) },
    ]),
  ),
});

/** Whether the machine makes the move that a request asks for. */
export function canEnter(from: Phase, request: PhaseRequest): boolean {
  const snapshot = trajectoryMachine.resolveState({ value: from });
  const [next] = transition(trajectoryMachine, snapshot, request);
  return next.value !== from && next.value === request.to;
}
