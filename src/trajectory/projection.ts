import { TRANSITIONS_KEPT } from "./limits.ts";
import type { Phase } from "./phases.ts";
import type { PhaseEntered } from "./schemas.ts";

export interface Transition extends PhaseEntered {
  readonly seq: number;
  readonly at: string;
}

export interface TrajectoryState {
  readonly phase: Phase;
  /** Transitions so far. */
  readonly count: number;
  /** The newest `TRANSITIONS_KEPT` of them, oldest first. */
  readonly recent: readonly Transition[];
}

export const initialTrajectory: TrajectoryState = { phase: "intake", count: 0, recent: [] };

export function phaseEntered(
  state: TrajectoryState,
  body: PhaseEntered,
  at: { readonly seq: number; readonly at: string },
): TrajectoryState {
  const entered = { ...body, seq: at.seq, at: at.at };
  return {
    phase: body.to,
    count: state.count + 1,
    recent: [...state.recent.slice(1 - TRANSITIONS_KEPT), entered],
  };
}
