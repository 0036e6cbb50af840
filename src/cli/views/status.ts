import { isSettled } from "../../evidence/index.ts";
import type { ProjectStatus, TaskSummary } from "../../status/index.ts";
import type { Paint } from "../output.ts";
import { counted, oneLine } from "../text.ts";
import { field, LABEL_WIDTH, type Mark, marked, SCREEN_WIDTH, shortDigest } from "./marks.ts";

const TEXT_WIDTH = SCREEN_WIDTH - LABEL_WIDTH;

/** Lines of one list before the rest is only counted, so that all fits one screen. */
const LISTED_MAX = 6;

export function statusText(status: ProjectStatus, paint: Paint): string {
  const { task, gate, uncertain, otherOpenRuns, journal, tree, next } = status;
  return [
    ...(task === null ? [lineField("Task", "none")] : taskLines(task)),
    ...(gate === null
      ? []
      : [
          markedField(
            "Gate",
            gate.decision === "pass" ? "yes" : gate.decision === "fail" ? "no" : "open",
            gate.decision === "pass"
              ? "pass"
              : `${gate.decision}, ${counted(gate.missing.length, "thing")} to settle`,
            paint,
          ),
        ]),
    ...list("Criteria", status.criteria, (criterion) => [
      isSettled(criterion) ? "yes" : "open",
      `${criterion.id} ${criterion.status}: ${criterion.text}`,
    ]),
    ...list("Verify", status.verifiers, ({ command, currency, seq }) => [
      currency === "current" ? "yes" : currency === "failed" ? "no" : "open",
      `${currency}${seq === null ? "" : ` (event ${seq})`}: ${command}`,
    ]),
    ...list("Uncertain", uncertain, ({ seq, tool, input }) => [
      "open",
      `event ${seq}, never seen to end: ${tool} ${input}`,
    ]),
    ...list("Also open", otherOpenRuns, ({ taskId }) => ["open", taskId]),
    lineField("Tree", treeText(tree)),
    journal.damage === null
      ? lineField("Journal", journalText(journal))
      : markedField("Journal", "no", `damaged: ${journal.damage}`, paint),
    ...next.commands.map((command, index) => field(index === 0 ? "Next" : "", command)),
  ].join("\n");

  function list<T>(
    label: string,
    entries: readonly T[],
    line: (entry: T) => readonly [Mark, string],
  ): readonly string[] {
    const shown = entries.slice(0, LISTED_MAX).map((entry, index) => {
      const [mark, text] = line(entry);
      return markedField(index === 0 ? label : "", mark, text, paint);
    });
    const left = entries.length - shown.length;
    return left > 0 ? [...shown, lineField("", `… and ${left} more`)] : shown;
  }
}

function taskLines(task: TaskSummary): readonly string[] {
  const { taskId, attempt, maxAttempts, phase, open, ownedByThisSession } = task;
  const owner = ownedByThisSession ? "this session" : "another session";
  return [
    lineField("Task", taskId),
    lineField("", task.summary),
    lineField("Run", task.run),
    lineField("State", `${task.status}, attempt ${attempt} of ${maxAttempts}, phase ${phase}`),
    ...(open ? [lineField("Owner", owner)] : []),
  ];
}

function treeText({ digest, commit, operation, changed }: ProjectStatus["tree"]): string {
  const under = operation === null ? "" : `, ${operation} in progress`;
  return `${shortDigest(digest)} on commit ${shortDigest(commit)}, ${counted(changed, "file")} changed${under}`;
}

function journalText({ events, head, verifiedFrom }: ProjectStatus["journal"]): string {
  if (events === 0) return "none yet";
  const checked = verifiedFrom === 1 ? "checked" : `checked from ${verifiedFrom} on`;
  return `${counted(events, "event")}, ${checked}, head ${head.seq}:${shortDigest(head.hash)}…`;
}

/** Cut where it would not fit on one line, so that all of the status fits one screen. */
function lineField(label: string, text: string): string {
  return label.padEnd(LABEL_WIDTH) + oneLine(text, TEXT_WIDTH);
}

function markedField(label: string, mark: Mark, text: string, paint: Paint): string {
  return label.padEnd(LABEL_WIDTH) + marked(mark, oneLine(text, TEXT_WIDTH - 2), paint);
}
