import type { ContractState, Criterion } from "../../contract/index.ts";
import { isSettled } from "../../evidence/index.ts";
import type { CriterionView } from "../../status/index.ts";
import type { Paint } from "../output.ts";
import { plain } from "../text.ts";
import { field, marked } from "./marks.ts";

/** Each criterion with all that is known of it, and the files to look at first. */
export function criteriaText(
  criteria: readonly CriterionView[],
  files: readonly string[],
  paint: Paint,
): string {
  const parts = criteria.map((criterion) => oneCriterion(criterion, paint));
  const look = files.map((file, index) => field(index === 0 ? "Look at" : "", file));
  return [...parts, ...(look.length === 0 ? [] : [look.join("\n")])].join("\n\n");
}

/** What a proposal would change, one line for each change. */
export function amendmentLines(
  { contract }: Pick<ContractState, "contract">,
  { criteria, added, reworded, removed, scope }: NonNullable<ContractState["proposal"]>,
): readonly string[] {
  const textIn = (of: readonly Criterion[], id: string) => of.find((it) => it.id === id)?.text;
  const lines = [
    ...removed.map((id) => `- ${id} ${textIn(contract.criteria, id)}`),
    ...reworded.flatMap((id) => [
      `- ${id} ${textIn(contract.criteria, id)}`,
      `+ ${id} ${textIn(criteria, id)}`,
    ]),
    ...added.map((id) => `+ ${id} ${textIn(criteria, id)}`),
    ...(scope === null
      ? []
      : [`- scope ${contract.scope.join(", ")}`, `+ scope ${scope.join(", ")}`]),
  ];
  return lines.length === 0 ? ["Only priority, order or labels change."] : lines.map(plain);
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
