import type { Contract } from "../contract/index.ts";
import { isPhase, type Phase, type ToolRefusal } from "./phases.ts";

/** What a tool of the host does. `other` is one of an extension: the list of tools leaves it alone. */
type ToolClass = "read" | "search" | "edit" | "shell" | "other";

/** A call by what it does; the name of its tool only tells reading and searching apart. */
export interface ToolUse {
  readonly tool: string;
  readonly effect: "read" | "write" | "shell" | "unknown";
  /** Whether it is known to change the project, whatever carries it: a patch, a redirect, another tool. */
  readonly writes: boolean;
  /** Whether it is a verify command of the run, word for word. */
  readonly isExactVerifier: boolean;
  /** Whether it only asks Holdfast itself for something, as an operator would. */
  readonly isOwn: boolean;
}

/** What belongs in a phase: tools of the host, and the groups of the engine's own that it is about. */
interface PhaseRow {
  readonly tools: readonly ToolClass[];
  readonly groups: readonly string[];
}

/** The phases' own tools. @see requirement document 002, phase tools */
export const PHASE_TOOLS: Readonly<Record<Phase, PhaseRow>> = {
  intake: { tools: ["read", "search"], groups: ["intake", "retrieval"] },
  scout: { tools: ["read", "search"], groups: ["retrieval", "mutation", "recovery"] },
  plan: { tools: ["read", "search"], groups: ["retrieval", "planning", "mutation", "recovery"] },
  execute: { tools: ["read", "search", "edit", "shell"], groups: ["retrieval", "mutation"] },
  verify: { tools: ["read", "shell"], groups: ["retrieval", "verification", "recovery"] },
  repair: {
    tools: ["read", "search", "edit", "shell"],
    groups: ["retrieval", "mutation", "verification", "recovery"],
  },
  review: {
    tools: ["read", "search", "shell"],
    groups: ["retrieval", "mutation", "verification", "review"],
  },
  handoff: { tools: ["read"], groups: ["verification", "review", "handoff"] },
  terminal: { tools: [], groups: [] },
};

/** Phases in which the project may be changed, and those in which a verify command may run. */
const CHANGING: readonly Phase[] = ["execute", "repair"];
const VERIFYING: readonly Phase[] = ["execute", "verify", "repair"];

/** Names of hosts' tools that look for files or text; other reading tools belong to an extension. */
const READERS = new Set(["read"]);
const SEARCHERS = new Set(["grep", "find", "ls", "glob"]);

/**
 * Whether a call belongs in a phase: null, or why it does not. Says nothing of scope, protected paths
 * or danger, which are judged in every phase. Pure.
 *
 * @param phase by the name that it is recorded under; in one that is unknown nothing is enforced
 */
export function toolRefusal(
  phase: string,
  changeMode: Contract["changeMode"],
  use: ToolUse,
): ToolRefusal | null {
  if (!isPhase(phase)) return "phase-unknown";
  if (use.isOwn) return null;
  if (use.isExactVerifier) {
    if (changeMode === "read-only") return "read-only-task";
    return VERIFYING.includes(phase) ? null : "no-verifier-in-phase";
  }
  if (use.writes || use.effect === "write") {
    if (changeMode === "read-only") return "read-only-task";
    return CHANGING.includes(phase) ? null : "no-change-in-phase";
  }
  const tool = toolClassOf(use);
  return tool === "other" || PHASE_TOOLS[phase].tools.includes(tool) ? null : "tool-not-in-phase";
}

function toolClassOf({ tool, effect }: Pick<ToolUse, "tool" | "effect">): ToolClass {
  if (effect === "write") return "edit";
  if (effect === "shell") return "shell";
  if (effect === "unknown") return "other";
  const name = tool.toLowerCase();
  if (READERS.has(name)) return "read";
  return SEARCHERS.has(name) ? "search" : "other";
}

type Mode = Contract["switches"]["phaseTools"];

const MODES: readonly Mode[] = ["off", "shadow", "on"];

/** The mode in force: that of the start, or of now where that does less. Nothing widens a running task. */
export function phaseToolsMode(atStart: Mode, now: Mode): Mode {
  return MODES.indexOf(now) < MODES.indexOf(atStart) ? now : atStart;
}
