import type { Draft } from "immer";
import { TRANSITIONS_KEPT } from "./limits.ts";
import type { PhaseRecorded } from "./schemas.ts";

export interface Transition extends PhaseRecorded {
  readonly seq: number;
  readonly at: string;
}

export interface TrajectoryState {
  /** By the name that it was stored under, which today's machine need not have. */
  readonly phase: string;
  /** Transitions so far. */
  readonly count: number;
  /** The newest `TRANSITIONS_KEPT` of them, oldest first. */
  readonly recent: readonly Transition[];
}

export const initialTrajectory: TrajectoryState = { phase: "intake", count: 0, recent: [] };

/** Folds into a draft of the trajectory, which only its run's projection hands out. */
export function phaseEntered(
  trajectory: Draft<TrajectoryState>,
  body: PhaseRecorded,
  at: { readonly seq: number; readonly at: string },
): void {
  trajectory.phase = body.to;
  trajectory.count += 1;
  trajectory.recent.push({ ...body, seq: at.seq, at: at.at });
  if (trajectory.recent.length > TRANSITIONS_KEPT) trajectory.recent.shift();
}
