import type { Refusal } from "../errors.ts";
import { criterionId, criterionOf } from "./draft.ts";
import { CRITERION_NUMBER_MAX } from "./limits.ts";
import type { CriteriaProposed, Criterion, ProposedCriteria, TaskDraft } from "./schemas.ts";
import type { ContractState } from "./view-schemas.ts";

type Difference = Pick<CriteriaProposed, "criteria" | "added" | "reworded" | "removed">;

/**
 * The criteria as they are proposed, and how they differ from those that the run is held to.
 *
 * One that is named by its id, or says word for word what one of today's says, is that one. Any other
 * is new and gets a number that no criterion of the run had before, so that an id in an old event
 * never means something else.
 */
export function amendedCriteria(
  task: ContractState,
  proposed: ProposedCriteria,
  redact: (text: string) => string,
): Difference | { readonly refused: Refusal } {
  const current = task.contract.criteria;
  const named = proposed.flatMap((given) =>
    typeof given === "object" && "id" in given ? given.id : [],
  );
  const unknown = named.find((id) => !current.some((known) => known.id === id));
  if (unknown !== undefined) {
    return refused(
      `The task has no criterion ${unknown}`,
      `Name one of ${current.map(({ id }) => id).join(", ")}, or leave the id out for a new one.`,
    );
  }
  const twice = named.find((id, index) => named.indexOf(id) !== index);
  if (twice !== undefined) return refused(`${twice} is given twice`, "Give each criterion once.");

  const taken = new Set(named);
  let number = lastNumber(task);
  const criteria = proposed.map((given): Criterion => {
    if (typeof given === "object" && "id" in given) {
      const known = current.find(({ id }) => id === given.id) as Criterion;
      return changedTo(known, { text: known.text, ...given }, redact);
    }
    const fresh = criterionOf(given, "", redact);
    const same = current.find((other) => other.text === fresh.text && !taken.has(other.id));
    if (same === undefined) return { ...fresh, id: criterionId(++number) };
    taken.add(same.id);
    return typeof given === "string" ? same : changedTo(same, given, redact);
  });
  if (number > CRITERION_NUMBER_MAX) {
    return refused(
      `A run has at most ${CRITERION_NUMBER_MAX} criteria in all, with those that were left out`,
      "Conclude this run and start a task with the criteria as they are now.",
    );
  }
  const ids = (of: readonly Criterion[]) => of.map(({ id }) => id);
  const isAmong = (of: readonly Criterion[], id: string) => of.some((other) => other.id === id);
  const isReworded = ({ id, text, kind }: Criterion) =>
    current.some((other) => other.id === id && (other.text !== text || other.kind !== kind));
  return {
    criteria,
    added: ids(criteria.filter(({ id }) => !isAmong(current, id))),
    reworded: ids(criteria.filter(isReworded)),
    removed: ids(current.filter(({ id }) => !isAmong(criteria, id))),
  };
}

/** What an amendment changes, in one clause. */
export function amendmentText({
  added,
  reworded,
  removed,
  scope,
}: Pick<CriteriaProposed, "added" | "reworded" | "removed" | "scope">): string {
  const parts = [
    ...(removed.length === 0 ? [] : [`${removed.join(", ")} removed`]),
    ...(reworded.length === 0 ? [] : [`${reworded.join(", ")} changed`]),
    ...(added.length === 0 ? [] : [`${added.join(", ")} added`]),
    ...(scope === null ? [] : [`scope ${scope.join(", ")}`]),
  ];
  return parts.length === 0 ? "priority, order or label changed" : parts.join("; ");
}

/** The event since which a run is held to a criterion in these words. */
export function heldSince({ amendments, startedSeq }: ContractState, criterion: string): number {
  const last = amendments.findLast(
    ({ added, reworded }) => added.includes(criterion) || reworded.includes(criterion),
  );
  return last?.seq ?? startedSeq;
}

/** One of today's criteria with what is said of it now; what is not said stays. */
function changedTo(
  known: Criterion,
  given: Exclude<TaskDraft["acceptanceCriteria"][number], string>,
  redact: (text: string) => string,
): Criterion {
  const { kind, priority } = known;
  const changed = criterionOf({ kind, priority, ...given }, known.id, redact);
  const isSameText = changed.text === known.text && given.label === undefined;
  return isSameText ? { ...changed, label: known.label } : changed;
}

/** The highest number that a criterion of the run has or had. */
function lastNumber({ contract, amendments }: ContractState): number {
  const ids = [
    ...contract.criteria.map(({ id }) => id),
    ...amendments.flatMap(({ removed }) => removed),
  ];
  return Math.max(...ids.map((id) => Number(id.slice("criterion-".length))));
}

function refused(what: string, remedy: string): { readonly refused: Refusal } {
  return { refused: { code: "contract/invalid", message: `${what}.`, remedy } };
}
