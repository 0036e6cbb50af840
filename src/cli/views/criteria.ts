import { isSettled } from "../../evidence/index.ts";
import type { CriterionView } from "../../status/index.ts";
import type { Paint } from "../output.ts";
import { field, marked } from "./marks.ts";

/** Each criterion with all that is known of it. */
export function criteriaText(criteria: readonly CriterionView[], paint: Paint): string {
  return criteria.map((criterion) => oneCriterion(criterion, paint)).join("\n\n");
}

function oneCriterion(criterion: CriterionView, paint: Paint): string {
  const { id, text, status, kind, planning, missing, dependsOn, evidence, judgement } = criterion;
  const settled = isSettled(criterion);
  const lines: readonly (readonly [label: string, value: string])[] = [
    ["Planning", settled ? "" : planning],
    ["Kind", kind],
    ["Lacks", settled ? "" : missing.join(", ")],
    ["Waits for", planning === "waiting" ? dependsOn.join(", ") : ""],
    ["Evidence", evidence.map((seq) => `event ${seq}`).join(", ")],
    ["Word", judgement === null ? "" : `${judgement.as} by a person: ${judgement.reason}`],
  ];
  return [
    marked(settled ? "yes" : "open", `${id} ${status}: ${text}`, paint),
    ...lines.filter(([, value]) => value !== "").map(([label, value]) => field(label, value)),
  ].join("\n");
}
