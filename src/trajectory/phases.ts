import type { Contract } from "../contract/index.ts";

export const PHASES = [
  "intake",
  "scout",
  "plan",
  "execute",
  "verify",
  "repair",
  "review",
  "handoff",
  "terminal",
] as const;
export type Phase = (typeof PHASES)[number];

/** Whether today's machine has a phase of this name. */
export const isPhase = (name: string): name is Phase =>
  (PHASES as readonly string[]).includes(name);

export const CAUSES = [
  "context-observed",
  "plan-observed",
  "execution-authorized",
  "mutation-observed",
  "verification-started",
  "verification-passed",
  "verification-failed",
  "review-observed",
  "handoff-observed",
  "task-terminal",
  "recovery-requested",
  "explicit-skip",
] as const;
export type Cause = (typeof CAUSES)[number];

/**
 * What observed that a run moved on: a call that was about to be made, the end of one, a change of
 * the task itself, or the claim that it is over.
 */
export const SOURCES = ["tool-call", "tool-result", "task-state", "completion"] as const;
export type Source = (typeof SOURCES)[number];

/** Which phases can follow which; the path and skip rules narrow this further. */
export const EDGES: Readonly<Record<Phase, readonly Phase[]>> = {
  intake: ["scout", "plan", "execute", "review", "handoff", "terminal"],
  scout: ["plan", "review", "handoff", "terminal"],
  plan: ["execute", "review", "handoff", "terminal"],
  execute: ["verify", "repair", "handoff", "terminal"],
  verify: ["repair", "review", "handoff", "terminal"],
  repair: ["verify", "handoff", "terminal"],
  review: ["repair", "handoff", "terminal"],
  handoff: ["terminal"],
  terminal: [],
};

/** What can lead into a phase. */
export const CAUSES_INTO: Readonly<Record<Phase, readonly Cause[]>> = {
  intake: [],
  scout: ["context-observed"],
  plan: ["plan-observed", "explicit-skip"],
  execute: ["execution-authorized", "mutation-observed"],
  verify: ["verification-started", "verification-passed"],
  repair: ["verification-failed", "recovery-requested"],
  review: ["review-observed", "verification-passed"],
  handoff: ["handoff-observed"],
  terminal: ["task-terminal"],
};

/** The phases that a task of this kind goes through when nothing goes wrong. */
export function configuredPath(
  changeMode: Contract["changeMode"],
  lane: Contract["riskLane"],
): readonly Phase[] {
  if (changeMode === "read-only") return ["intake", "scout", "review", "handoff", "terminal"];
  switch (lane) {
    case "tiny":
      return ["intake", "execute", "verify", "handoff", "terminal"];
    case "normal":
      return ["intake", "plan", "execute", "verify", "review", "handoff", "terminal"];
    case "high-risk":
      return ["intake", "scout", "plan", "execute", "verify", "review", "handoff", "terminal"];
  }
}

/** Stands for the phase of a run whose moves don't follow from one another, or were shed: nobody guesses. */
export const PHASE_UNKNOWN = "unknown";

/** Why a call does not belong in a phase. */
export const TOOL_REFUSALS = [
  "phase-unknown",
  "read-only-task",
  "no-change-in-phase",
  "no-verifier-in-phase",
  "tool-not-in-phase",
] as const;
export type ToolRefusal = (typeof TOOL_REFUSALS)[number];
