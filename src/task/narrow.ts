import { type Contract, isNarrower, resolved } from "../contract/index.ts";
import { compileCriteria } from "../criteria/index.ts";
import { pathInProject, realChanges, verifierStandings } from "../evidence/index.ts";
import { moveAtNewWishes, moveAtStart } from "../trajectory/index.ts";
import {
  accept,
  type DecidedEvent,
  type Decision,
  phasesEntered,
  refuse,
  refused,
} from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState, RunState } from "./projection.ts";
import type { NarrowScope } from "./schemas.ts";
import { whyNotAgreed } from "./start.ts";
import { agreementUnknown, ownRun } from "./which.ts";

/**
 * Binds a run to fewer paths. Only before anything was changed or verified: afterwards it would say
 * anew what was shown before. To widen it takes an amendment, which a person accepts.
 */
export function narrowScope(state: ProjectState, command: NarrowScope, facts: Facts): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const unknown = agreementUnknown(own);
  if (unknown !== null) return refused(unknown);
  const { tree, hashing } = facts;
  if (tree === null) throw new Error("A scope is narrowed on a working tree.");
  const { task } = own;
  const { contract } = task;
  const standings = verifierStandings({ evidence: state.evidence, task, tree, hashing });
  const isVerified = standings.some(({ currency }) => currency !== "missing");
  if (isVerified || tree.digest === null || realChanges(contract, tree).length > 0) {
    return refuse(
      "contract/scope-fixed",
      "Something was changed or verified already, so the scope stays as it is.",
      "Propose another scope, which a person can accept: holdfast criterion propose --file F --reason …",
    );
  }
  const redact = (text: string) => facts.redact(text).text;
  const { scope = contract.scope, outOfScope = [], protectedPaths = [], reason } = command;
  const paths = tree.paths?.flatMap((path) => pathInProject(contract, path) ?? []) ?? null;
  const asked = { scope, outOfScope, protectedPaths };
  const resolution = resolved(asked, paths, true);
  if ("refused" in resolution) return refused(resolution.refused);
  const { contract: meant } = resolution;
  const files = new Set(paths);
  const wider = meant.scope.find(
    (entry) => !isNarrower(entry, contract.scope, (path) => files.has(path)),
  );
  if (wider !== undefined) {
    return refuse(
      "contract/scope-invalid",
      `${JSON.stringify(wider)} may cover what the scope does not (${contract.scope.join(", ")}).`,
      "Name paths or globs within an entry of the scope; a wider one is proposed to a person: holdfast criterion propose",
    );
  }
  const narrowed = {
    scope: meant.scope.map(redact),
    outOfScope: joined(contract.outOfScope, meant.outOfScope.map(redact)),
    protectedPaths: joined(contract.protectedPaths, meant.protectedPaths.map(redact)),
  };
  const bound = { ...contract, ...narrowed };
  const problem = whyNotAgreed(bound, facts);
  if (problem !== null) return refused(problem);
  if (JSON.stringify(bound) === JSON.stringify(contract)) {
    return refuse(
      "contract/invalid",
      "The run is bound to these paths already.",
      "Say what is to be left out: --scope, --out-of-scope or --protect.",
    );
  }
  const graph = compileCriteria(bound, facts.sha256);
  const { run } = contract;
  return accept(
    { run, type: "scope.narrowed", body: { ...narrowed, reason, graph } },
    ...phasesOnceBound(own, bound),
  );
}

/** Where a run goes once it is bound otherwise: on from its start, or back to changing what was verified. */
export function phasesOnceBound(
  { task, trajectory }: RunState,
  bound: Contract,
): readonly DecidedEvent[] {
  const { phase } = trajectory;
  const move =
    phase === "intake"
      ? moveAtStart({ ...bound, plan: [...task.plan] })
      : moveAtNewWishes(phase, bound);
  return phasesEntered(bound.run, move === null ? [] : [move], "task-state");
}

function joined(there: readonly string[], more: readonly string[]): string[] {
  return [...new Set([...there, ...more])];
}
