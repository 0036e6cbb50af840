import type { GateReport } from "../../engine/index.ts";
import type { CompletionReceipt } from "../../status/index.ts";
import type { Paint } from "../output.ts";
import { counted, labelled, oneLine } from "../text.ts";
import { field, marked, SCREEN_WIDTH, shortDigest } from "./marks.ts";

export function gateText(report: GateReport, paint: Paint): string {
  const { decision, missing, warnings, tree } = report;
  if (decision === "pass") {
    return [
      marked("yes", `The gate passes on the tree ${shortDigest(tree)}.`, paint),
      ...warnings.map((warning) => labelled("! ", warning, SCREEN_WIDTH)),
      "Next: holdfast conclude --outcome completed",
    ].join("\n");
  }
  return [
    marked(
      decision === "fail" ? "no" : "open",
      `The gate says ${decision}: ${counted(missing.length, "thing")} to settle.`,
      paint,
    ),
    ...missing.flatMap(({ code, message, remedy }, index) => {
      const indent = `${index + 1}. `.padStart(5);
      return [
        paint("bold", `${indent}${code}`),
        labelled("     ", message, SCREEN_WIDTH),
        labelled("     → ", remedy, SCREEN_WIDTH),
      ];
    }),
    ...warnings.map((warning) => labelled("! ", warning, SCREEN_WIDTH)),
  ].join("\n");
}

export function receiptText(receipt: CompletionReceipt, paint: Paint): string {
  const { outcome, reason, changed, criteria, verifiers, head } = receipt;
  return [
    marked(
      outcome === "completed" ? "yes" : "no",
      `${oneLine(receipt.taskId, SCREEN_WIDTH - 30)} is concluded as ${outcome}.`,
      paint,
    ),
    field("Run", `${receipt.run}, attempt ${receipt.attempt}`),
    ...(reason === null ? [] : [field("Reason", reason)]),
    field("Tree", shortDigest(receipt.tree)),
    field(
      "Commits",
      `${shortDigest(receipt.commits.base)} at the start, ${shortDigest(receipt.commits.head)} now`,
    ),
    field(
      "Changed",
      changed.count === 0
        ? "nothing"
        : `${counted(changed.count, "file")}: ${changed.paths.join(", ")}`,
    ),
    ...verifiers.map(({ command, seq }) =>
      field("Verified", seq === null ? `not: ${command}` : `${command} (event ${seq})`),
    ),
    ...criteria.map(({ id, status, evidence }) =>
      field(
        "Criterion",
        `${id} ${status}${evidence.length === 0 ? "" : ` by event ${evidence.join(", ")}`}`,
      ),
    ),
    ...receipt.warnings.map((warning) => field("Warning", warning)),
    field("Head", `${head.seq}:${head.hash}`),
    field("Assurance", receipt.assurance),
  ].join("\n");
}
