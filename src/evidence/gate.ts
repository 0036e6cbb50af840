import { amendmentText, type ContractState } from "../contract/index.ts";
import { criterionStandings, type GateInput } from "./criteria.ts";
import { verifierStandings } from "./currency.ts";
import { instructionWarnings } from "./instructions.ts";
import { MISSING_MAX } from "./limits.ts";
import { CRITERIA_SHED, missingItems } from "./missing.ts";
import type { GateDecision, GateEvaluated, GateItem } from "./schemas.ts";
import { listed, type ObservedTree, realChanges } from "./tree.ts";
import type { CriterionStanding, VerifierStanding } from "./view-schemas.ts";

/** How a task stands on the tree as it is. */
export interface Assessment {
  readonly verifiers: readonly VerifierStanding[];
  /** Paths that differ from the beginning of the task. */
  readonly changes: readonly string[];
  readonly criteria: readonly CriterionStanding[];
  readonly gate: GateEvaluated;
}

/**
 * How a task stands on the tree as it is, and whether it may be called done. Pure; looks at
 * observations only, never at what anybody says.
 */
export function assess(input: GateInput): Assessment {
  const { task, tree } = input;
  const verifiers = verifierStandings(input);
  const changes = realChanges(task.contract, tree);
  const criteria = criterionStandings(input, verifiers, changes);
  const items = missingItems(input, { verifiers, changes, criteria });
  const gate: GateEvaluated = {
    decision: decisionOf(items),
    missing: items.slice(0, MISSING_MAX),
    warnings: warningsOf(input, changes, verifiers, criteria),
    place: tree.place,
    tree: tree.digest,
    commit: tree.commit,
    proof: verifiers.map(({ command, currency, seq }) => ({
      command,
      seq: currency === "current" ? seq : null,
    })),
    changed: listed(changes),
  };
  return { verifiers, changes, criteria, gate };
}

/** Whether the task may be called done on the tree as it is. */
export function evaluateGate(input: GateInput): GateEvaluated {
  return assess(input).gate;
}

/** The gate of a run whose criterion graph was shed: it never passes. */
export function gateWithoutGraph({ place, digest, commit }: ObservedTree): GateEvaluated {
  return {
    decision: "needs-person",
    missing: [CRITERIA_SHED],
    warnings: [],
    place,
    tree: digest,
    commit,
    proof: [],
    changed: { paths: [], count: 0 },
  };
}

/** What was seen to speak against it outranks what only a person can settle, and that what is merely missing. */
function decisionOf(items: readonly GateItem[]): GateDecision {
  if (items.some(({ by }) => by === "observed")) return "fail";
  if (items.some(({ by }) => by === "person")) return "needs-person";
  return items.length > 0 ? "pending" : "pass";
}

/** How what the run is held to came to be another than at its start, or is to become one. */
function amendmentWarnings({ amendments, proposal }: ContractState): readonly string[] {
  const accepted = amendments.map(
    (change) =>
      `amended: ${amendmentText(change)}, by ${change.by} at event ${change.seq}: ${change.reason}`,
  );
  if (proposal === null) return accepted;
  const { amendment, seq } = proposal;
  return [
    ...accepted,
    `proposed: ${amendment} (${amendmentText(proposal)}) at event ${seq} waits for a person and changes nothing yet.`,
  ];
}

function warningsOf(
  { task }: GateInput,
  changes: readonly string[],
  verifiers: readonly VerifierStanding[],
  criteria: readonly CriterionStanding[],
): string[] {
  const { contract } = task;
  const warnings = verifiers
    .filter(({ failures }) => failures > 0)
    .map(
      ({ command, seq, failures }) =>
        `flaky: \`${command}\` passed at event ${seq} after ${failures} failure(s) on the same working tree.`,
    );
  if (contract.changeMode === "source-change" && changes.length === 0) {
    warnings.push("no-change: no file differs from the beginning of the task.");
  }
  for (const { id, text, judgement } of criteria) {
    if (judgement === null || judgement.as === "approved") continue;
    const { as, seq, by, reason } = judgement;
    const what = as === "waived" ? "is not asked for any more" : "is put off, and not done";
    warnings.push(`${as}: ${id} ("${text}") ${what}, by ${by} at event ${seq}: ${reason}`);
  }
  warnings.push(...amendmentWarnings(task), ...instructionWarnings(task));
  if (!contract.baseline.complete) {
    warnings.push(
      "baseline-incomplete: not every file that was changed before the start is known.",
    );
  }
  return warnings;
}
