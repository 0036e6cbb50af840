import type { Paint } from "../output.ts";
import { labelled, wrapped } from "../text.ts";
import { marked, SCREEN_WIDTH } from "./marks.ts";

/** One thing that the doctor looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** What to do about it; null when nothing is to be done. */
  readonly remedy: string | null;
}

export function doctorText(checks: readonly Check[], paint: Paint): string {
  return checks
    .flatMap(({ name, ok, detail, remedy }) => [
      marked(ok ? "yes" : "no", `${name.padEnd(18)}${wrapped(detail, 10_000).join(" ")}`, paint),
      ...(remedy === null ? [] : [labelled("  → ", remedy, SCREEN_WIDTH)]),
    ])
    .join("\n");
}
