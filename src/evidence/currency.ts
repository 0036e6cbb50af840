import type { ContractState } from "../contract/index.ts";
import type { EvidenceState, Observation } from "./projection.ts";
import { changedPaths, entriesOf, listed, type ObservedTree } from "./tree.ts";

/** The keyed hash of an exact command, and which key makes it. */
export interface CommandHashing {
  readonly keyId: string;
  readonly hashOf: (command: string) => string;
}

/**
 * How one verify command stands.
 *
 * - `current`: the newest run passed on the very tree that is there now
 * - `stale`: it passed, but on another tree (or the tree was changed and put back since)
 * - `changed-tree`: it passed and changed the tree itself, so it proved another one
 * - `failed`: it failed on the tree that is there now
 * - `failed-before`: it failed, on another tree
 * - `inconclusive`: its end says nothing
 * - `other-journal`: it was observed under another journal's key
 * - `missing`: it was never seen to end
 */
export type Currency =
  | "current"
  | "stale"
  | "changed-tree"
  | "failed"
  | "failed-before"
  | "inconclusive"
  | "other-journal"
  | "missing";

export interface VerifierStanding {
  readonly command: string;
  readonly currency: Currency;
  /** The observation that decides, or null. */
  readonly seq: number | null;
  readonly reason: string | null;
  /** What changed since the observation, as far as it is known. */
  readonly changed: { readonly paths: readonly string[]; readonly count: number };
  /** Where it ran, if that is another working tree of the repository. */
  readonly elsewhere: string | null;
}

/** Whether an observation speaks for the tree as it is: nothing moved it since, and the bytes are the same. */
export function isOnThisTree(
  state: EvidenceState,
  observation: Observation,
  tree: ObservedTree,
): boolean {
  const { trees } = state;
  const seen = Object.hasOwn(trees, observation.place) ? trees[observation.place] : undefined;
  return (
    tree.digest !== null &&
    observation.treeAfter === tree.digest &&
    observation.treeBefore === tree.digest &&
    (seen === undefined || seen.movedSeq <= observation.seq)
  );
}

/** How each verify command of a run stands. Only what was seen since the run began counts. */
export function verifierStandings(
  state: EvidenceState,
  task: Pick<ContractState, "contract" | "startedSeq">,
  tree: ObservedTree,
  hashing: CommandHashing,
): readonly VerifierStanding[] {
  return task.contract.verifyCommands.map((command) => {
    const observation = deciding(state, task, tree, hashing.hashOf(command));
    if (observation === null) {
      return { ...nothing, command, ...otherJournal(state, task, command, hashing) };
    }
    const currency = currencyOf(state, observation, tree);
    return {
      command,
      currency,
      seq: observation.seq,
      reason: observation.reason,
      changed: currency === "current" ? nothing.changed : changedSince(observation, tree),
      elsewhere: observation.place === tree.place ? null : observation.place,
    };
  });
}

const nothing = {
  currency: "missing",
  seq: null,
  reason: null,
  changed: { paths: [], count: 0 },
  elsewhere: null,
} as const;

/**
 * The newest observation at this place decides. Without one, a run in another working tree of the
 * same repository counts if it saw the very same content in the same folder.
 */
function deciding(
  state: EvidenceState,
  { contract, startedSeq }: Pick<ContractState, "contract" | "startedSeq">,
  tree: ObservedTree,
  commandHash: string,
): Observation | null {
  const inFolder = (state.latest[commandHash] ?? []).filter(
    ({ folder, seq }) => folder === contract.folder && seq > startedSeq,
  );
  const here = inFolder.find(({ place }) => place === tree.place);
  return here ?? inFolder.findLast((other) => isOnThisTree(state, other, tree)) ?? null;
}

function otherJournal(
  state: EvidenceState,
  { startedSeq }: Pick<ContractState, "startedSeq">,
  command: string,
  { keyId }: CommandHashing,
): { currency: Currency; seq: number | null } {
  const other = state.recent.findLast(
    (observation) =>
      observation.command === command &&
      observation.verifierOf !== null &&
      observation.seq > startedSeq &&
      observation.keyId !== keyId,
  );
  return { currency: other === undefined ? "missing" : "other-journal", seq: other?.seq ?? null };
}

function currencyOf(state: EvidenceState, observation: Observation, tree: ObservedTree): Currency {
  const { verdict, treeBefore, treeAfter } = observation;
  if (verdict === "inconclusive") return "inconclusive";
  const here = isOnThisTree(state, observation, tree);
  if (verdict === "fail") return here ? "failed" : "failed-before";
  if (here) return "current";
  return treeBefore !== treeAfter && treeAfter === tree.digest ? "changed-tree" : "stale";
}

function changedSince(
  observation: Observation,
  tree: ObservedTree,
): { paths: readonly string[]; count: number } {
  const { changes } = observation;
  if (changes === null || changes.base !== tree.base || tree.dirtyTruncated) return nothing.changed;
  return listed(changedPaths(entriesOf(changes.entries), tree.dirty));
}
