import type { CriterionStanding } from "../evidence/index.ts";
import type { Head } from "../journal/index.ts";
import type { RunState } from "../task/index.ts";
import type { CompletionReceipt } from "./view-schemas.ts";

const ASSURANCE =
  "runtime-observed: operational evidence of the same runtime, not an independent attestation or audit";

export function completionReceipt(
  { task }: RunState,
  gate: {
    readonly proof: CompletionReceipt["verifiers"];
    readonly warnings: readonly string[];
  },
  criteria: readonly CriterionStanding[],
  head: Head,
): CompletionReceipt {
  const { contract, conclusion } = task;
  return {
    run: contract.run,
    taskId: contract.taskId,
    attempt: contract.attempt,
    outcome: task.status,
    reason: conclusion?.reason ?? null,
    tree: conclusion?.tree ?? null,
    commits: { base: contract.baseline.commit, head: conclusion?.commit ?? null },
    changed: conclusion?.changed ?? { paths: [], count: 0 },
    verifiers: gate.proof,
    criteria: criteria.map(({ id, status, evidence }) => ({ id, status, evidence })),
    warnings: gate.warnings,
    head,
    assurance: ASSURANCE,
  };
}
