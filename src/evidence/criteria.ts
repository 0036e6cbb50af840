import { type ContractState, heldSince } from "../contract/index.ts";
import type { CriterionGraph, ProofKind } from "../criteria/index.ts";
import { type CommandHashing, decidingObservation, isUnmoved, proves } from "./currency.ts";
import type { Binding, EvidenceState } from "./projection.ts";
import { forbiddenChanges, type ObservedTree } from "./tree.ts";
import type { CriterionStanding, Judgement, VerifierStanding } from "./view-schemas.ts";

/** What the gate looks at. */
export interface GateInput {
  readonly task: ContractState;
  readonly graph: CriterionGraph;
  readonly evidence: EvidenceState;
  readonly tree: ObservedTree;
  readonly hashing: CommandHashing;
}

/** How each criterion stands. A verifier or a change counts for every criterion that asks for it. */
export function criterionStandings(
  input: GateInput,
  standings: readonly VerifierStanding[],
  changes: readonly string[],
): readonly CriterionStanding[] {
  const { task, graph, evidence } = input;
  const bindings = evidence.bindings[task.contract.run] ?? [];
  const judgements = evidence.judgements[task.contract.run] ?? [];
  const isFailing = standings.some(({ currency }) => currency === "failed");
  return graph.nodes.map((node) => {
    const criterion = task.contract.criteria[node.criterionIndex];
    const isHuman = criterion?.kind === "human";
    const proofs = node.proofKinds.map((kind) => ({ kind, seqs: proofOf(node.id, kind) }));
    // What a person judges nothing else can show; what was seen helps to judge it.
    const missing = isHuman
      ? []
      : proofs.filter(({ seqs }) => seqs === null).map(({ kind }) => kind);
    const judgement = judgements.find((said) => said.criterion === node.id) ?? null;
    const isApproved = judgement?.as === "approved" && isUnmoved(evidence, judgement, input.tree);
    const isProved = isHuman ? isApproved : missing.length === 0;
    const seqs = [
      ...proofs.flatMap((proof) => proof.seqs ?? []),
      ...(judgement === null ? [] : [judgement.seq]),
    ];
    return {
      id: node.id,
      text: node.obligation,
      status: statusOf(judgement, isProved, isFailing && missing.includes("exact-verifier")),
      missing,
      evidence: [...new Set(seqs)],
      judgement,
      since: heldSince(task, node.id),
    };
  });

  /** The events that prove it, or null. */
  function proofOf(criterion: string, kind: ProofKind): readonly number[] | null {
    if (kind === "exact-verifier") {
      const since = heldSince(task, criterion);
      const proved = standings.every((s) => s.currency === "current" && (s.seq ?? 0) > since);
      return proved && standings.length > 0 ? standings.flatMap(({ seq }) => seq ?? []) : null;
    }
    if (kind === "scoped-diff") {
      const { guarded, outside } = forbiddenChanges(task.contract, changes);
      const inScope = changes.length > 0 && guarded.length === 0 && outside.length === 0;
      return inScope ? [task.startedSeq] : null;
    }
    const current = bindings.filter(
      (binding) =>
        binding.criterion === criterion && binding.kind === kind && isProof(binding, input),
    );
    return current.length > 0 ? current.map(({ seq }) => seq) : null;
  }
}

/** Whether nothing is left to do for a criterion. */
export function isSettled({ status }: Pick<CriterionStanding, "status">): boolean {
  return status !== "pending" && status !== "blocked";
}

/** A person's word on what is asked for goes before what was seen. */
function statusOf(
  judgement: Judgement | null,
  isProved: boolean,
  isBlocked: boolean,
): CriterionStanding["status"] {
  if (judgement?.as === "waived" || judgement?.as === "deferred") return judgement.as;
  if (isProved) return "satisfied";
  return isBlocked ? "blocked" : "pending";
}

/** Whether a binding shows what it is bound to on the tree as it is, seen since it is asked for in these words. */
function isProof({ criterion, reference, observation }: Binding, input: GateInput): boolean {
  const { files } = input.tree;
  const since = heldSince(input.task, criterion);
  switch (reference.type) {
    case "path":
      return Object.hasOwn(files, reference.path) && files[reference.path] === reference.digest;
    case "observation":
      return (
        observation !== null &&
        reference.seq > since &&
        proves({ ...observation, seq: reference.seq }, input)
      );
    case "command": {
      const deciding = decidingObservation(reference.commandHash, input);
      return deciding !== null && deciding.seq > since && proves(deciding, input);
    }
  }
}
