import { AMENDMENTS_MAX, amendedCriteria, type Contract, hasEnded } from "../contract/index.ts";
import { compileCriteria, criteriaProblem } from "../criteria/index.ts";
import { accept, type Decision, refuse, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import { phasesOnceBound } from "./narrow.ts";
import type { ProjectState } from "./projection.ts";
import type { AcceptCriteria, ProposeCriteria } from "./schemas.ts";
import { whyNotAgreed } from "./start.ts";
import { agreementUnknown, amendmentUnknown, namedRun, notOpen, ownRun } from "./which.ts";

/**
 * Records that somebody would have other criteria, or another scope. Anybody may: the run is held to
 * what it was held to until a person accepts it. A later proposal takes the place of an earlier one.
 */
export function proposeCriteria(
  state: ProjectState,
  command: ProposeCriteria,
  facts: Facts,
): Decision {
  const run = namedRun(state, facts, command.run);
  if ("refused" in run) return refused(run.refused);
  const { task } = run;
  if (hasEnded(task.status)) return refused(notOpen(run));
  const unknown = agreementUnknown(run);
  if (unknown !== null) return refused(unknown);
  if (task.amendments.length >= AMENDMENTS_MAX) {
    return refuse(
      "contract/amendments-used",
      `A run is amended at most ${AMENDMENTS_MAX} times.`,
      "Conclude this run, and start a task that asks for what is wanted now.",
    );
  }
  const redact = (text: string) => facts.redact(text).text;
  const amended = amendedCriteria(task, command.acceptanceCriteria, redact);
  if ("refused" in amended) return refused(amended.refused);
  const scope = command.scope?.map(redact) ?? null;
  const contract = withAmendment(task.contract, { ...amended, scope });
  const problem = whyNotAgreed(contract, facts) ?? criteriaProblem(contract);
  if (problem !== null) return refused(problem);
  // To accept the scope as it is again is something to say: it settles what was said since.
  if (scope === null && isSame(contract.criteria, task.contract.criteria)) {
    return refuse(
      "contract/invalid",
      "This is what the run is held to already.",
      "Say what is to be otherwise: other criteria, other words, or another scope.",
    );
  }
  const number = String(task.proposals + 1).padStart(2, "0");
  return accept({
    run: contract.run,
    type: "criteria.proposed",
    body: { amendment: `amendment-${number}`, ...amended, scope, reason: command.reason },
  });
}

/**
 * Holds the run to what was proposed, as a person said. What was shown or said of criteria that say
 * something else now counts no more.
 */
export function acceptCriteria(
  state: ProjectState,
  command: AcceptCriteria,
  facts: Facts,
): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const unknown = agreementUnknown(own);
  if (unknown !== null) return refused(unknown);
  const { contract, proposal } = own.task;
  const { proposed = proposal?.seq } = command;
  if (proposal?.amendment !== command.amendment || proposal.seq !== proposed) {
    return refused(amendmentUnknown(own.task, command.amendment));
  }
  const { seq: _, at: __, ...amendment } = proposal;
  const bound = withAmendment(contract, amendment);
  const graph = compileCriteria(bound, facts.sha256);
  const { reason, by } = command;
  return accept(
    { run: contract.run, type: "criteria.amended", body: { ...amendment, reason, by, graph } },
    ...phasesOnceBound(own, bound),
  );
}

function isSame(one: Contract["criteria"], other: Contract["criteria"]): boolean {
  const partsOf = (criteria: Contract["criteria"]) =>
    JSON.stringify(criteria.map((it) => [it.id, it.text, it.label, it.kind, it.priority]));
  return partsOf(one) === partsOf(other);
}

function withAmendment(
  contract: Contract,
  { criteria, scope }: Pick<Contract, "criteria"> & { readonly scope: readonly string[] | null },
): Contract {
  return { ...contract, criteria, scope: scope ?? contract.scope };
}
