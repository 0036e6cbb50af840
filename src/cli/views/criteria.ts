import type { ContractState, Criterion } from "../../contract/index.ts";
import { isSettled } from "../../evidence/index.ts";
import type { CriterionView } from "../../status/index.ts";
import type { Paint } from "../output.ts";
import { oneLine, plain } from "../text.ts";
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

/** What a proposal would change, one line for each change, and why. */
export function amendmentLines(
  { contract }: Pick<ContractState, "contract">,
  { criteria, scope, reason }: NonNullable<ContractState["proposal"]>,
): readonly string[] {
  const before = contract.criteria.map(criterionLine);
  const after = criteria.map(criterionLine);
  const lines = [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    ...(scope === null
      ? []
      : [`- scope ${JSON.stringify(contract.scope)}`, `+ scope ${JSON.stringify(scope)}`]),
  ];
  const changes = lines.length === 0 ? ["Only the order changes."] : lines;
  return [...changes, `Reason: ${reason}`].map((line) => oneLine(line, Number.POSITIVE_INFINITY));
}

/** All of a criterion that counts, on one line: a text can't pass for another line. */
function criterionLine({ id, text, kind, priority, label }: Criterion): string {
  const marks = [kind, priority, ...(label === null ? [] : [`label ${label}`])];
  return `${id} (${marks.join(", ")}) ${JSON.stringify(text)}`;
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
    marked(settled ? "yes" : "open", plain(`${id} ${status}: ${text}`), paint),
    ...lines.filter(([, value]) => value !== "").map(([label, value]) => field(label, value)),
  ].join("\n");
}
