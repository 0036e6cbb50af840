import { castDraft, type Draft } from "immer";
import { PHASE_NAMES_KEPT, TOOL_DIFFERENCES_KEPT, TRANSITIONS_KEPT } from "./limits.ts";
import { PHASE_UNKNOWN } from "./phases.ts";
import type { PhaseRecorded, PhaseToolDiffered } from "./schemas.ts";
import type { TrajectoryState } from "./view-schemas.ts";

/** Where a run begins. */
export function trajectoryFrom(at: string): TrajectoryState {
  return {
    phase: "intake",
    count: 0,
    recent: [],
    differences: [],
    since: at,
    entered: { intake: 1 },
    spentMs: {},
  };
}

interface Position {
  readonly seq: number;
  readonly at: string;
}

/**
 * Folds into a draft of the trajectory, which only its run's projection hands out. A move that does not
 * begin where the run stands says that something is missing, and so does one that was shed (null).
 */
export function phaseEntered(
  trajectory: Draft<TrajectoryState>,
  body: PhaseRecorded | null,
  at: Position,
): void {
  const { phase: left, since, entered, spentMs } = trajectory;
  if (body === null || body.from !== left) {
    trajectory.phase = PHASE_UNKNOWN;
    trajectory.count += 1;
    return;
  }
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

export function phaseToolDiffered(
  trajectory: Draft<TrajectoryState>,
  body: PhaseToolDiffered,
  { seq }: Position,
): void {
  if (trajectory.differences.length === TOOL_DIFFERENCES_KEPT) return;
  trajectory.differences.push({ ...body, seq });
}

/** Whether a call of this kind is to be recorded: it was not before, and there is room. */
export function isNewDifference(
  { differences }: Pick<TrajectoryState, "differences">,
  kind: PhaseToolDiffered,
): boolean {
  const isSame = (known: PhaseToolDiffered) =>
    known.phase === kind.phase &&
    known.tool === kind.tool &&
    known.effect === kind.effect &&
    known.writes === kind.writes &&
    known.refusal === kind.refusal;
  return differences.length < TOOL_DIFFERENCES_KEPT && !differences.some(isSame);
}

/** Names come from the journal, where they may be those of an object's own inheritance. */
function ownOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
