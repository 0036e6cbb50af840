import type { Verification } from "../../journal/index.ts";
import type { Paint } from "../output.ts";
import { counted, labelled } from "../text.ts";
import { marked, SCREEN_WIDTH } from "./marks.ts";

export function verificationText(
  { ok, events, head, problems }: Verification,
  paint: Paint,
): string {
  if (ok) {
    return marked(
      "yes",
      `${counted(events, "event")}, all as they were written; head ${head.seq}:${head.hash}`,
      paint,
    );
  }
  return [
    marked(
      "no",
      `${counted(events, "event")} read, ${counted(problems.length, "problem")} found:`,
      paint,
    ),
    ...problems.map(({ seq, code, message }) =>
      labelled(`  event ${seq} ${code}: `, message, SCREEN_WIDTH),
    ),
  ].join("\n");
}
