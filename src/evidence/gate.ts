import type { ContractState, Criterion } from "../contract/index.ts";
import type { CriterionGraph, ProofKind } from "../criteria/index.ts";
import {
  type CommandHashing,
  isOnThisTree,
  type VerifierStanding,
  verifierStandings,
} from "./currency.ts";
import { MISSING_MAX } from "./limits.ts";
import type { Binding, EvidenceState } from "./projection.ts";
import type { GateDecision, GateEvaluated, GateItem } from "./schemas.ts";
import { listed, type ObservedTree, outOfScope, realChanges } from "./tree.ts";

export interface GateInput {
  readonly task: ContractState;
  readonly graph: CriterionGraph;
  readonly evidence: EvidenceState;
  readonly tree: ObservedTree;
  readonly hashing: CommandHashing;
}

/** How one criterion stands. */
export interface CriterionStanding {
  readonly id: string;
  readonly text: string;
  readonly status: "satisfied" | "pending";
  /** Kinds of proof that are still missing. */
  readonly missing: readonly ProofKind[];
  /** The events that its evidence points to. */
  readonly evidence: readonly number[];
}

/**
 * Whether the task may be called done on the tree as it is. Pure; looks at observations only, never
 * at what anybody says.
 */
export function evaluateGate(input: GateInput): GateEvaluated {
  const { task, evidence, tree, hashing } = input;
  const { contract } = task;
  const standings = verifierStandings(evidence, task, tree, hashing);
  const changes = realChanges(contract, tree);
  const items = [
    ...treeItems(input),
    ...changeItems(input, changes),
    ...standings.flatMap(verifierItems),
    ...criterionStandings(input, standings, changes).flatMap((standing) =>
      criterionItems(
        standing,
        contract.criteria.find(({ id }) => id === standing.id),
      ),
    ),
    ...callItems(input),
  ];
  return {
    decision: decisionOf(items),
    missing: items.slice(0, MISSING_MAX),
    warnings: warningsOf(input, changes),
    place: tree.place,
    tree: tree.digest,
    commit: tree.commit,
    proof: standings.map(({ command, currency, seq }) => ({
      command,
      seq: currency === "current" ? seq : null,
    })),
    changed: listed(changes),
  };
}

/** What was seen to speak against it outranks what only a person can settle, and that what is merely missing. */
function decisionOf(items: readonly GateItem[]): GateDecision {
  if (items.some(({ by }) => by === "observed")) return "fail";
  if (items.some(({ by }) => by === "person")) return "needs-person";
  return items.length > 0 ? "pending" : "pass";
}

/** How each criterion stands. A verifier or a change counts for every criterion that asks for it. */
export function criterionStandings(
  input: GateInput,
  standings: readonly VerifierStanding[],
  changes: readonly string[],
): readonly CriterionStanding[] {
  const { task, graph, evidence } = input;
  const bindings = evidence.bindings[task.contract.run] ?? [];
  return graph.nodes.map((node) => {
    const criterion = task.contract.criteria[node.criterionIndex];
    const proofs = node.proofKinds.map((kind) => ({ kind, seqs: proofOf(node.id, kind) }));
    const missing = proofs.filter(({ seqs }) => seqs === null).map(({ kind }) => kind);
    const isProved = missing.length === 0 && criterion?.kind !== "human";
    return {
      id: node.id,
      text: node.obligation,
      status: isProved ? "satisfied" : "pending",
      missing,
      evidence: [...new Set(proofs.flatMap(({ seqs }) => seqs ?? []))],
    };
  });

  /** The events that prove it, or null. */
  function proofOf(criterion: string, kind: ProofKind): readonly number[] | null {
    if (kind === "exact-verifier") {
      const proved = standings.length > 0 && standings.every((s) => s.currency === "current");
      return proved ? standings.flatMap(({ seq }) => seq ?? []) : null;
    }
    if (kind === "scoped-diff") {
      const inScope = changes.length > 0 && outOfScope(task.contract, changes).length === 0;
      return inScope ? [task.startedSeq] : null;
    }
    const current = bindings.filter(
      (binding) =>
        binding.criterion === criterion && binding.kind === kind && isCurrent(input, binding),
    );
    return current.length > 0 ? current.map(({ seq }) => seq) : null;
  }
}

function isCurrent({ evidence, tree, hashing }: GateInput, binding: Binding): boolean {
  const { reference } = binding;
  switch (reference.type) {
    case "path":
      return (
        Object.hasOwn(tree.files, reference.path) && tree.files[reference.path] === reference.digest
      );
    case "observation": {
      const { observation } = binding;
      return (
        observation?.verdict === "pass" &&
        observation.keyId === hashing.keyId &&
        isOnThisTree(evidence, { ...observation, seq: reference.seq }, tree)
      );
    }
    case "command": {
      const latest = evidence.latest[reference.commandHash]?.findLast(
        ({ place }) => place === tree.place,
      );
      return latest?.verdict === "pass" && isOnThisTree(evidence, latest, tree);
    }
  }
}

function treeItems({ tree }: GateInput): readonly GateItem[] {
  const items: GateItem[] = [];
  if (tree.digest === null) {
    items.push({
      code: "tree-unavailable",
      message: `The working tree can't be read whole: ${tree.unavailable.join("; ") || "no reason known"}.`,
      remedy: "Make these files readable, or ignore them in git.",
      by: "agent",
    });
  }
  if (tree.dirtyTruncated) {
    items.push({
      code: "changes-too-many",
      message: "More files differ from the beginning than can be compared one by one.",
      remedy: "Ignore generated files in git, or start a new task on a committed tree.",
      by: "agent",
    });
  }
  return items;
}

function changeItems({ task }: GateInput, changes: readonly string[]): readonly GateItem[] {
  const { contract } = task;
  const named = (paths: readonly string[]) => {
    const { paths: first, count } = listed(paths);
    return count > first.length
      ? `${first.join(", ")} and ${count - first.length} more`
      : first.join(", ");
  };
  if (contract.changeMode === "read-only") {
    if (changes.length === 0) return [];
    return [
      {
        code: "read-only-changed",
        message: `A read-only task must change nothing, but these files changed: ${named(changes)}.`,
        remedy: "Put them back as they were.",
        by: "observed",
      },
    ];
  }
  const outside = outOfScope(contract, changes);
  if (outside.length === 0) return [];
  return [
    {
      code: "out-of-scope",
      message: `Files outside the agreed scope changed: ${named(outside)}.`,
      remedy: `Put them back as they were; the scope is ${named(contract.scope)}.`,
      by: "observed",
    },
  ];
}

function verifierItems(standing: VerifierStanding): readonly GateItem[] {
  const { command, currency, seq, reason, changed } = standing;
  const runAgain = "Run it: holdfast verify";
  const paths =
    changed.count === 0
      ? ""
      : ` Changed since: ${changed.paths.join(", ")}${changed.count > changed.paths.length ? " and more" : ""}.`;
  switch (currency) {
    case "current":
      return [];
    case "missing":
      return [
        item(
          "verifier-missing",
          `\`${command}\` was not seen to run since the task started.`,
          runAgain,
        ),
      ];
    case "stale":
      return [
        item(
          "verifier-stale",
          `\`${command}\` passed at event ${seq}, but the working tree has changed since then.${paths}`,
          runAgain,
        ),
      ];
    case "changed-tree":
      return [
        item(
          "verifier-changed-tree",
          `\`${command}\` passed at event ${seq} and changed the working tree itself, so it proved another one.${paths}`,
          runAgain,
        ),
      ];
    case "failed-before":
      return [
        item(
          "verifier-failed-before",
          `\`${command}\` failed at event ${seq}, on another working tree; it has not run since.`,
          runAgain,
        ),
      ];
    case "failed":
      return [
        {
          code: "verifier-failed",
          message: `\`${command}\` failed at event ${seq} on the working tree as it is.`,
          remedy: `Look at its output (holdfast show ${seq}), mend the cause, and run holdfast verify.`,
          by: "observed",
        },
      ];
    case "inconclusive":
      return [
        item(
          "verifier-inconclusive",
          `\`${command}\` ended at event ${seq} without a result (${reason ?? "unknown"}).`,
          runAgain,
        ),
      ];
    case "other-journal":
      return [
        item(
          "verifier-other-journal",
          `\`${command}\` was observed at event ${seq} under another journal's key, which proves nothing here.`,
          runAgain,
        ),
      ];
  }
}

function item(code: string, message: string, remedy: string): GateItem {
  return { code, message, remedy, by: "agent" };
}

function criterionItems(
  standing: CriterionStanding,
  criterion: Criterion | undefined,
): readonly GateItem[] {
  if (criterion?.kind === "human") {
    return [
      {
        code: "criterion-needs-person",
        message: `${standing.id} ("${standing.text}") is for a person to judge.`,
        remedy: "Ask the person who wants it; or conclude as partial with a reason.",
        by: "person",
      },
    ];
  }
  return (
    standing.missing
      // A verifier that is missing has its own item; it is not told again for each criterion.
      .filter((kind) => kind !== "exact-verifier")
      .map((kind) =>
        item(
          `criterion-unproved`,
          `${standing.id} ("${standing.text}") lacks a ${kind} on the working tree as it is.`,
          REMEDY_FOR[kind](standing.id),
        ),
      )
  );
}

const REMEDY_FOR: Readonly<Record<ProofKind, (id: string) => string>> = {
  "behavioral-check": (id) =>
    `Run a command that shows it, then: holdfast evidence add --criterion ${id} --kind behavioral-check --ref 'command:…'`,
  "read-evidence": (id) =>
    `Name the file that shows it: holdfast evidence add --criterion ${id} --kind read-evidence --ref path:…`,
  "scoped-diff": () => "Make the change within the agreed scope.",
  "exact-verifier": () => "Run holdfast verify.",
};

function callItems({ task, evidence }: GateInput): readonly GateItem[] {
  return Object.values(evidence.openCalls)
    .filter(({ run, effect }) => run === task.contract.run && effect !== "read")
    .map(({ seq, tool, command, verifierOf }) =>
      verifierOf === null
        ? {
            code: "call-uncertain",
            message: `The call at event ${seq} (${tool}: ${command}) was never seen to end, so what it did is uncertain.`,
            remedy: `Find out, then: holdfast settle ${seq} --as happened|not-happened|run-again --reason …`,
            by: "person" as const,
          }
        : item(
            "call-uncertain",
            `The run of \`${command}\` that began at event ${seq} was never seen to end.`,
            "Run it again: holdfast verify",
          ),
    );
}

function warningsOf({ task }: GateInput, changes: readonly string[]): string[] {
  const { contract } = task;
  const warnings: string[] = [];
  if (contract.changeMode === "source-change" && changes.length === 0) {
    warnings.push("no-change: no file differs from the beginning of the task.");
  }
  if (!contract.baseline.complete) {
    warnings.push(
      "baseline-incomplete: not every file that was changed before the start is known.",
    );
  }
  return warnings;
}
