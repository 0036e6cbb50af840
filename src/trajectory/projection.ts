import { castDraft, type Draft } from "immer";
import { PHASE_NAMES_KEPT, TRANSITIONS_KEPT } from "./limits.ts";
import type { PhaseRecorded } from "./schemas.ts";
import type { TrajectoryState } from "./view-schemas.ts";

/** Where a run begins. */
export function trajectoryFrom(at: string): TrajectoryState {
  return { phase: "intake", count: 0, recent: [], since: at, entered: { intake: 1 }, spentMs: {} };
}

/** Folds into a draft of the trajectory, which only its run's projection hands out. */
export function phaseEntered(
  trajectory: Draft<TrajectoryState>,
  body: PhaseRecorded,
  at: { readonly seq: number; readonly at: string },
): void {
  const { phase: left, since, entered, spentMs } = trajectory;
  if (Object.hasOwn(entered, left)) {
    const visitMs = Date.parse(at.at) - Date.parse(since);
    const before = ownOf(spentMs, left) ?? 0;
    const isKnown = visitMs >= 0 && ownOf(spentMs, left) !== null;
    spentMs[left] = isKnown ? before + visitMs : null;
  }
  const times = ownOf(entered, body.to);
  if (times !== undefined || Object.keys(entered).length < PHASE_NAMES_KEPT) {
    entered[body.to] = (times ?? 0) + 1;
  }
  trajectory.since = at.at;
  trajectory.phase = body.to;
  trajectory.count += 1;
  const { source = null } = body;
  trajectory.recent.push(castDraft({ ...body, source, seq: at.seq, at: at.at }));
  if (trajectory.recent.length > TRANSITIONS_KEPT) trajectory.recent.shift();
}

/** Names come from the journal, where they may be those of an object's own inheritance. */
function ownOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
