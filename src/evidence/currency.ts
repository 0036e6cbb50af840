import type { ContractState } from "../contract/index.ts";
import { SHED } from "../journal/index.ts";
import type { EvidenceState, LatestObservation, RecordedObservation } from "./projection.ts";
import { type Currency, FOLDER_UNKNOWN } from "./terms.ts";
import { changedPaths, entriesOf, listed, type ObservedTree } from "./tree.ts";
import type { VerifierStanding } from "./view-schemas.ts";

/** The keyed hash of an exact command, and which key makes it. */
export interface CommandHashing {
  readonly keyId: string;
  readonly hashOf: (command: string) => string;
}

/** Of a task, what decides on whether an observation can count for it. */
export type CountedFor = Pick<ContractState, "contract" | "startedSeq">;

/** Why an observation says nothing of a task, whatever came out and whatever the tree is. */
export type WhyNotCounted = "before-task" | "folder-unknown" | "other-folder" | "other-journal";

/**
 * The first reason why an observation can't count for a task, or null: what was seen before the
 * task began, in another folder or under another journal's key proves nothing for it.
 */
export function whyNotCounted(
  observation: RecordedObservation,
  { contract, startedSeq }: CountedFor,
  { keyId }: CommandHashing,
): WhyNotCounted | null {
  if (observation.seq <= startedSeq) return "before-task";
  if (observation.folder === FOLDER_UNKNOWN) return "folder-unknown";
  if (observation.folder !== contract.folder) return "other-folder";
  return observation.keyId === keyId ? null : "other-journal";
}

/** Where observations are judged: all that was seen, the task, the tree as it is, this journal's key. */
export interface Judged {
  readonly evidence: EvidenceState;
  readonly task: CountedFor;
  readonly tree: ObservedTree;
  readonly hashing: CommandHashing;
}

/** Whether an observation shows for a task that something holds on the tree as it is. */
export function proves(observation: RecordedObservation, judged: Judged): boolean {
  const { evidence, task, tree, hashing } = judged;
  return (
    observation.verdict === "pass" &&
    whyNotCounted(observation, task, hashing) === null &&
    isOnThisTree(evidence, observation, tree)
  );
}

/**
 * The observation of a command that decides for a task, or null: the newest at this place. Without
 * one, a run in another working tree of the same repository that saw the very same content.
 */
export function decidingObservation(
  commandHash: string,
  { evidence, task, tree, hashing }: Judged,
): LatestObservation | null {
  const counted = (evidence.latest[commandHash] ?? []).filter(
    (observation) => whyNotCounted(observation, task, hashing) === null,
  );
  const here = counted.find(({ place }) => place === tree.place);
  return here ?? counted.findLast((other) => isOnThisTree(evidence, other, tree)) ?? null;
}

/** Whether an observation began and ended on the tree as it is, and nothing moved it since. */
function isOnThisTree(
  evidence: EvidenceState,
  observation: RecordedObservation,
  tree: ObservedTree,
): boolean {
  return observation.treeBefore === tree.digest && isAsLeft(evidence, observation, tree);
}

/** Whether the tree is the one that an observation left, and nothing moved it since. */
function isAsLeft(
  evidence: EvidenceState,
  { place, treeAfter, seq }: RecordedObservation,
  tree: ObservedTree,
): boolean {
  return isUnmoved(evidence, { place, tree: treeAfter, seq }, tree);
}

/** Whether the tree is the one that was there at an event, and nothing moved it since. */
export function isUnmoved(
  { trees }: EvidenceState,
  {
    place,
    tree: then,
    seq,
  }: { readonly place: string; readonly tree: string | null; readonly seq: number },
  tree: ObservedTree,
): boolean {
  const seen = Object.hasOwn(trees, place) ? trees[place] : undefined;
  return (
    tree.digest !== null && then === tree.digest && (seen === undefined || seen.movedSeq <= seq)
  );
}

/** How each verify command of a run stands. */
export function verifierStandings(judged: Judged): readonly VerifierStanding[] {
  const { task, tree, hashing } = judged;
  return task.contract.verifyCommands.map((command) => {
    if (command === SHED) return { ...nothing, command, currency: "shed" };
    const observation = decidingObservation(hashing.hashOf(command), judged);
    if (observation === null) return { ...nothing, command, ...notCounted(command, judged) };
    const currency = currencyOf(observation, judged);
    return {
      command,
      currency,
      seq: observation.seq,
      reason: observation.reason,
      changed: currency === "current" ? nothing.changed : changedSince(observation, tree),
      elsewhere: observation.place === tree.place ? null : observation.place,
      failures: currency === "current" || currency === "flaky" ? observation.failures : 0,
    };
  });
}

const nothing = {
  currency: "missing",
  seq: null,
  reason: null,
  changed: { paths: [], count: 0 },
  elsewhere: null,
  failures: 0,
} as const;

/** What was seen of a verify command that nothing counts of, and why it does not. */
function notCounted(
  command: string,
  { evidence, task, hashing }: Judged,
): { currency: Currency; seq: number | null } {
  const seen = evidence.recent.filter(
    (observation) => observation.command === command && observation.verifierOf !== null,
  );
  for (const observation of seen.toReversed()) {
    const why = whyNotCounted(observation, task, hashing);
    if (why === "other-journal" || why === "folder-unknown") {
      return { currency: why, seq: observation.seq };
    }
  }
  return { currency: "missing", seq: null };
}

function currencyOf(observation: LatestObservation, { evidence, task, tree }: Judged): Currency {
  const { verdict, treeBefore, treeAfter, failures } = observation;
  if (verdict === "inconclusive") return "inconclusive";
  // A failure that changed the tree itself still speaks of what it left.
  if (verdict === "fail") {
    return isAsLeft(evidence, observation, tree) ? "failed" : "failed-before";
  }
  if (isOnThisTree(evidence, observation, tree)) {
    return failures > 0 && task.contract.flaky === "refuse" ? "flaky" : "current";
  }
  return treeBefore !== treeAfter && treeAfter === tree.digest ? "changed-tree" : "stale";
}

function changedSince(
  observation: RecordedObservation,
  tree: ObservedTree,
): { paths: readonly string[]; count: number } {
  const { changes } = observation;
  if (changes === null || changes.base !== tree.base || tree.dirtyTruncated) return nothing.changed;
  return listed(changedPaths(entriesOf(changes.entries), tree.dirty));
}
