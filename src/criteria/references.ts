import type { Criterion } from "../contract/index.ts";
import type { Refusal } from "../errors.ts";

/** A label that a criterion's text refers to. */
interface Mention {
  readonly label: string;
  /** Whether it stands in brackets: then it is meant as a reference and has to lead somewhere. */
  readonly isExplicit: boolean;
}

const MENTION = /\b(?:depends on|after)\s+(?:\[([A-Za-z][\w-]{0,20})\]|\[?([A-Za-z][\w-]{0,20}))/gi;

function mentionsIn(text: string): readonly Mention[] {
  return [...text.matchAll(MENTION)].map(([, explicit, plain = ""]) =>
    explicit === undefined
      ? { label: plain, isExplicit: false }
      : { label: explicit, isExplicit: true },
  );
}

const hasLabel = (criterion: Criterion, label: string) =>
  criterion.label?.toLowerCase() === label.toLowerCase();

/**
 * The ids of the criteria that one refers to. In plain words ("after Guard") only to an earlier one,
 * since that may be prose; in brackets ("depends on [Guard]") to any.
 */
export function referredTo(criteria: readonly Criterion[], index: number): readonly string[] {
  const mentions = mentionsIn(criteria[index]?.text ?? "");
  return criteria.flatMap((other, position) =>
    mentions.some(
      (mention) => hasLabel(other, mention.label) && (mention.isExplicit || position < index),
    )
      ? other.id
      : [],
  );
}

/** A reference in brackets that leads nowhere or to more than one criterion, or null. */
export function referenceProblem(criteria: readonly Criterion[]): Refusal | null {
  for (const { id, text } of criteria) {
    for (const { label, isExplicit } of mentionsIn(text)) {
      const named = criteria.filter((other) => hasLabel(other, label));
      if (!isExplicit || named.length === 1) continue;
      return invalid(
        named.length === 0
          ? `${id} refers to [${label}], and no criterion has this label`
          : `${id} refers to [${label}], which is the label of ${named.map((it) => it.id).join(" and ")}`,
        `Begin the criterion that is meant with [${label}], and no other one; in prose leave the brackets out.`,
      );
    }
  }
  return null;
}

interface Waiting {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/**
 * The ids in an order in which each comes after all that it depends on, otherwise as they stand. Those
 * that wait for each other are in `circle`, and at the end.
 */
export function orderOf(nodes: readonly Waiting[]): {
  readonly order: readonly string[];
  readonly circle: readonly string[];
} {
  const order: string[] = [];
  for (;;) {
    const left = nodes.filter(({ id }) => !order.includes(id));
    const next = left.find(({ dependsOn }) => dependsOn.every((id) => order.includes(id)));
    if (next === undefined) {
      const circle = left.map(({ id }) => id);
      return { order: [...order, ...circle], circle };
    }
    order.push(next.id);
  }
}

/** Why criteria can't be met in any order, or null. */
export function orderProblem(nodes: readonly Waiting[]): Refusal | null {
  const { circle } = orderOf(nodes);
  if (circle.length === 0) return null;
  const named = circle.filter((id) => reaches(nodes, id, id));
  return invalid(
    named.length === 1 ? `${named[0]} waits for itself` : `${named.join(", ")} wait for each other`,
    "Take one of the references in brackets away; a verification waits for all criteria before it.",
  );
}

/** Whether following dependencies from one leads to another. */
function reaches(nodes: readonly Waiting[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const next of nodes.find((node) => node.id === id)?.dependsOn ?? []) {
      if (next === to) return true;
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
  }
  return false;
}

function invalid(what: string, remedy: string): Refusal {
  return { code: "contract/criteria-invalid", message: `${what}.`, remedy };
}
