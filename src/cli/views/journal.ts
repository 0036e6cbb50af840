import type { Verification } from "../../journal/index.ts";
import type { Paint } from "../output.ts";
import { counted, labelled } from "../text.ts";
import { marked, SCREEN_WIDTH } from "./marks.ts";

export function verificationText(verification: Verification, paint: Paint): string {
  const { ok, events, head, problems, problemCount } = verification;
  if (ok) {
    const text = `${counted(events, "event")}, all as they were written; head ${head.seq}:${head.hash}`;
    return [marked("yes", text, paint), ...takenOut(verification)].join("\n");
  }
  return [
    marked(
      "no",
      `${counted(events, "event")} read, ${counted(problemCount, "problem")} found:`,
      paint,
    ),
    ...problems.map(({ seq, code, message }) =>
      labelled(`  event ${seq} ${code}: `, message, SCREEN_WIDTH),
    ),
    ...furtherOnes(problemCount - problems.length),
    ...takenOut(verification),
  ].join("\n");
}

/** What is not there any more, and was taken out as the journal itself tells. */
function takenOut({ removed, shed, shedCount }: Verification): readonly string[] {
  return [
    ...(removed === 0 ? [] : [`Compaction removed the first ${counted(removed, "event")}.`]),
    ...(shedCount === 0 ? [] : [`${counted(shedCount, "event")} shed:`]),
    ...shed.map(({ seq, by, at, reason }) =>
      labelled(`  event ${seq}: `, `${at}, event ${by}: ${reason}`, SCREEN_WIDTH),
    ),
    ...furtherOnes(shedCount - shed.length),
  ];
}

/** Those that are counted and not listed. */
const furtherOnes = (count: number) => (count > 0 ? [`  … and ${count} more`] : []);
