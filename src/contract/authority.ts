import type { AuthorityPins, Budgets, Contract, Switches } from "./schemas.ts";

/**
 * What a task may have done by itself: one continuation in all, and nobody else is set to work.
 *
 * @see requirement document 002, global ceilings
 */
const BUDGETS: Budgets = { continuations: 1, dispatches: 0, reviewRounds: 0 };

const PHASE_TOOLS = { off: "off", shadow: "observe", on: "enforce" } as const;

/** What is pinned when a run begins, as the switches stand then. */
export function pinnedBy(switches: Switches): Pick<Contract, "switches" | "budgets" | "authority"> {
  return { switches, budgets: BUDGETS, authority: authorityOf(switches) };
}

/** How far each capability may go. */
function authorityOf({ autoRecovery, phaseTools, intelligenceEngine }: Switches): AuthorityPins {
  return {
    contract: "enforce",
    verification: "enforce",
    durableState: "enforce",
    criteria: intelligenceEngine === "on" ? "advise" : "observe",
    trajectory: "observe",
    phaseTools: PHASE_TOOLS[phaseTools],
    recovery: autoRecovery === "on" ? "orchestrate" : "off",
    helpers: "off",
  };
}
