import type { ResumeDecision } from "../../handoff/index.ts";
import type { Paint } from "../output.ts";
import { counted, oneLine } from "../text.ts";
import { field, marked } from "./marks.ts";

const SENTENCES: Readonly<Record<ResumeDecision["decision"], string>> = {
  resume: "The task can be resumed.",
  retry: "The task can be attempted again.",
  paused: "The task is paused.",
  terminal: "The last task is concluded; there is nothing to resume.",
  blocked: "The task must not be worked on yet.",
  none: "There is no task to resume.",
};

export function resumeText(decided: ResumeDecision, paint: Paint): string {
  const { decision, safe, reasonCodes, instructions, uncertain, staleVerifiers, changed, next } =
    decided;
  const goesOn = decision === "resume" || decision === "retry";
  return [
    marked(
      goesOn ? "yes" : decision === "blocked" ? "no" : "open",
      `${decision}: ${SENTENCES[decision]}`,
      paint,
    ),
    ...(decided.taskId === null ? [] : [field("Task", decided.taskId)]),
    ...(decided.run === null ? [] : [field("Run", `${decided.run}, phase ${decided.phase}`)]),
    ...(reasonCodes.length === 0 ? [] : [field("Because", reasonCodes.join(", "))]),
    ...(goesOn && !safe ? [field("Careful", "nothing may be changed yet")] : []),
    ...instructions.newest.map(({ seq, by, text }) =>
      field("Told", `event ${seq} (${by}): ${oneLine(text, 200)}`),
    ),
    ...(instructions.count > instructions.newest.length
      ? [field("", "and more before: holdfast log --type instruction.given")]
      : []),
    ...uncertain.map(({ seq, tool, input }) =>
      field("Uncertain", `event ${seq}, never seen to end: ${tool} ${oneLine(input, 200)}`),
    ),
    ...staleVerifiers.map((command) => field("Stale", command)),
    ...(changed.count === 0
      ? []
      : [field("Changed", `${counted(changed.count, "file")}: ${changed.paths.join(", ")}`)]),
    ...next.commands.map((command, index) => field(index === 0 ? "Next" : "", command)),
  ].join("\n");
}
