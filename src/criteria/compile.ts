import type { Contract, Criterion } from "../contract/index.ts";
import type { Refusal } from "../errors.ts";
import { canonicalText, type JsonValue } from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import { kindOf } from "./kinds.ts";
import { BASENAME_MIN, STEM_MIN, TARGET_HINTS_MAX } from "./limits.ts";
import { orderOf, orderProblem, referenceProblem, referredTo } from "./references.ts";
import type { CriterionGraph, CriterionNode } from "./schemas.ts";
import { COMPILER } from "./terms.ts";

type Compiled = Pick<Contract, "criteria" | "scope" | "verifyCommands" | "changeMode" | "switches">;

/**
 * Turns each criterion into exactly one node: pure, and the same for the same contract.
 * In mechanical mode nodes carry no target hints.
 */
export function compileCriteria(contract: Compiled, sha256: Sha256): CriterionGraph {
  const mode = contract.switches.intelligenceEngine === "off" ? "mechanical" : "criterion-graph";
  const nodes = nodesOf(contract, mode);
  const order = [...orderOf(nodes).order];
  const criterionDigest = digest("criterion-contract-v1", {
    acceptanceCriteria: contract.criteria.map((criterion) => criterion.text),
    scope: contract.scope,
    verifyCommands: contract.verifyCommands,
    changeMode: contract.changeMode,
  });
  const head = { schemaVersion: 1, compiler: COMPILER, mode, criterionDigest } as const;
  const graphDigest = digest("criterion-graph-v1", { ...head, nodes: nodes as never, order });
  return { ...head, graphDigest, nodes, order };

  function digest(domain: string, value: JsonValue): string {
    return sha256(`${domain}\0${canonicalText(value)}`);
  }
}

/** Whether a graph is what its contract says, as far as today's rules can tell. */
export function isCompiledFrom(graph: CriterionGraph, contract: Compiled, sha256: Sha256): boolean {
  if (graph.compiler !== COMPILER) return true; // Other rules made it, and it was pinned with its contract.
  return graph.graphDigest === compileCriteria(contract, sha256).graphDigest;
}

/** Why criteria can't be made a graph, or null. */
export function criteriaProblem(contract: Compiled): Refusal | null {
  return referenceProblem(contract.criteria) ?? orderProblem(nodesOf(contract, "criterion-graph"));
}

function nodesOf(contract: Compiled, mode: CriterionGraph["mode"]): CriterionNode[] {
  return contract.criteria.map((criterion, index) => nodeOf(contract, criterion, index, mode));
}

function nodeOf(
  contract: Compiled,
  criterion: Criterion,
  index: number,
  mode: CriterionGraph["mode"],
): CriterionNode {
  const { kind, proofKinds } = kindOf(criterion.text, contract.changeMode);
  const referred = referredTo(contract.criteria, index);
  const isWaitedFor = (id: string, position: number) =>
    referred.includes(id) || (kind === "verification" && position < index);
  return {
    id: criterion.id,
    criterionIndex: index,
    obligation: criterion.text,
    kind,
    proofKinds: [...proofKinds],
    targetHints: mode === "mechanical" ? [] : targetHints(criterion.text, contract.scope),
    dependsOn: contract.criteria.flatMap(({ id }, position) =>
      isWaitedFor(id, position) ? id : [],
    ),
  };
}

/** The scope entries that a criterion names, or else the first few. */
function targetHints(text: string, scope: readonly string[]): string[] {
  const named = scope.filter((entry) => {
    const basename = entry.split("/").at(-1) ?? "";
    const stem = basename.replace(/\.[^.]*$/, "");
    return (
      text.includes(entry) ||
      (basename.length >= BASENAME_MIN && text.includes(basename)) ||
      (stem.length >= STEM_MIN && text.includes(stem))
    );
  });
  return (named.length > 0 ? named : scope).slice(0, TARGET_HINTS_MAX);
}
