import type { CriterionStanding } from "../evidence/index.ts";
import type { Head } from "../journal/index.ts";
import type { RunState } from "../task/index.ts";

/** What was concluded, and on what proof. Ids and digests only, so it can be shown around. */
export interface CompletionReceipt {
  readonly run: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly reason: string | null;
  /** The tree it was concluded on, and the commits at the start and at the end. */
  readonly tree: string | null;
  readonly commits: { readonly base: string | null; readonly head: string | null };
  readonly changed: { readonly paths: readonly string[]; readonly count: number };
  /** Each verify command with the observation that proves it. */
  readonly verifiers: readonly { readonly command: string; readonly seq: number | null }[];
  readonly criteria: readonly Pick<CriterionStanding, "id" | "status" | "evidence">[];
  readonly warnings: readonly string[];
  readonly head: Head;
  readonly assurance: string;
}

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
