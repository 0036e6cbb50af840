import {
  type Contract,
  isBounded,
  isKeptByObservation,
  type PlanStep,
  writerIsReady,
} from "../contract/index.ts";
import { canEnter, type PhaseRequest, skippedPhases } from "./machine.ts";
import { type Cause, isPhase, type Phase } from "./phases.ts";
import type { PhaseMove } from "./schemas.ts";

type Lane = Pick<Contract, "changeMode" | "riskLane">;

/** The move that a cause leads to, or null where the machine stays. */
function moveTo(
  from: string,
  to: Phase,
  cause: Cause,
  lane: Lane,
  options: { readonly reason?: string; readonly failing?: boolean } = {},
): PhaseMove | null {
  const { changeMode, riskLane } = lane;
  const request: PhaseRequest = {
    type: cause,
    to,
    changeMode,
    riskLane,
    failing: options.failing ?? false,
  };
  // From a phase that only an older version had no way leads on.
  if (!isPhase(from) || !canEnter(from, request)) return null;
  const skipped = [...(skippedPhases(from, to, changeMode, riskLane) ?? [])];
  return { from, to, cause, skipped, reason: options.reason ?? null };
}

/**
 * Where a run goes at its start, and again once its scope is bounded: as far as its plan already says.
 * A task enters `execute` by itself only within a bounded scope; what proves it is agreed on by then.
 *
 * @see requirement document 002, phase tools
 */
export function moveAtStart(contract: Contract): PhaseMove | null {
  const first = contract.plan.find((step) => step.status === "in-progress");
  if (writerIsReady(contract.plan)) {
    if (!isBounded(contract.scope)) return null;
    return moveTo("intake", "execute", "execution-authorized", contract, {
      reason: "The plan begins with a writing step.",
    });
  }
  if (first?.mode !== "read-only") return null;
  if (contract.changeMode === "read-only") {
    return moveTo("intake", "scout", "context-observed", contract);
  }
  return (
    moveTo("intake", "plan", "plan-observed", contract) ??
    moveTo("intake", "plan", "explicit-skip", contract, {
      reason: "The plan begins with a planning step and has none for an earlier phase.",
    })
  );
}

/** An exact verify command began. */
export function moveAtVerification(from: string, lane: Lane): PhaseMove | null {
  return moveTo(from, "verify", "verification-started", lane);
}

/**
 * The working tree differs from what it was at the start.
 *
 * @param plan as it stands now
 */
export function moveAtMutation(
  from: string,
  contract: Contract,
  plan: readonly PlanStep[],
): PhaseMove | null {
  // A task with a plan of its own, and one that is held to its phases, stays in discovery until its plan
  // says otherwise, whatever was seen to change.
  const isHeld = !isKeptByObservation(contract, plan) || contract.switches.phaseTools === "on";
  if (isHeld && !writerIsReady(plan)) return null;
  return moveTo(from, "execute", "mutation-observed", contract);
}

/** What is wanted changed after it was verified: it may be changed again. */
export function moveAtNewWishes(from: string, lane: Lane): PhaseMove | null {
  if (from !== "verify" && from !== "review") return null;
  return moveTo(from, "repair", "recovery-requested", lane, {
    reason: "More is wanted than what was verified.",
  });
}

/** Steps that tell by their id that a phase was begun, once they are no longer pending. */
const PHASE_OF_STEP: readonly {
  readonly phase: Phase;
  readonly cause: Cause;
  readonly steps: readonly string[];
}[] = [
  { phase: "scout", cause: "context-observed", steps: ["scope", "challenge", "scout"] },
  { phase: "plan", cause: "plan-observed", steps: ["plan"] },
  { phase: "review", cause: "review-observed", steps: ["review"] },
];

/** The work plan went on: as far as it leads now, each move where the machine makes it. */
export function movesAtProgress(
  from: string,
  lane: Lane & Pick<Contract, "scope">,
  before: readonly PlanStep[],
  after: readonly PlanStep[],
): readonly PhaseMove[] {
  const wasPending = new Set(before.flatMap(({ id, status }) => (status === "pending" ? id : [])));
  const begun = after.filter(({ id, status }) => status !== "pending" && wasPending.has(id));
  const moves: PhaseMove[] = [];
  const phase = () => moves.at(-1)?.to ?? from;
  for (const { phase: to, cause, steps } of PHASE_OF_STEP) {
    const move = begun.some(({ id }) => steps.includes(id))
      ? moveTo(phase(), to, cause, lane)
      : null;
    if (move !== null) moves.push(move);
  }
  const mayWrite = writerIsReady(after) && (phase() !== "intake" || isBounded(lane.scope));
  const writes = mayWrite
    ? moveTo(phase(), "execute", "execution-authorized", lane, {
        reason: "A writing step began whose dependencies are done.",
      })
    : null;
  return writes === null ? moves : [...moves, writes];
}

/** Every verify command is proved on the tree as it is. */
export function moveAtProof(from: string, lane: Lane): readonly PhaseMove[] {
  const verify = moveTo(from, "verify", "verification-passed", lane);
  const review = moveTo(verify?.to ?? from, "review", "verification-passed", lane);
  return [verify, review].filter((move) => move !== null);
}

/** A verify command failed. */
export function moveAtFailure(from: string, lane: Lane): PhaseMove | null {
  return moveTo(from, "repair", "verification-failed", lane);
}

/** The run was concluded: over `handoff` where that is a legal way, else straight to the end. */
export function movesAtConclusion(from: string, lane: Lane, outcome: string): readonly PhaseMove[] {
  const handoff = moveTo(from, "handoff", "handoff-observed", lane, {
    failing: outcome === "failed",
  });
  const end = moveTo(handoff?.to ?? from, "terminal", "task-terminal", lane);
  return [handoff, end].filter((move) => move !== null);
}
