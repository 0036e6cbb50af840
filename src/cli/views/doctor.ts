import type { Paint } from "../output.ts";
import { labelled, oneLine } from "../text.ts";
import type { Check } from "../view-schemas.ts";
import { marked, SCREEN_WIDTH } from "./marks.ts";

/** Characters of one detail; a path in it should stay whole. */
const DETAIL_MAX = 500;

export function doctorText(checks: readonly Check[], paint: Paint): string {
  return checks
    .flatMap(({ name, ok, detail, remedy }) => [
      marked(ok ? "yes" : "no", `${name.padEnd(18)}${oneLine(detail, DETAIL_MAX)}`, paint),
      ...(remedy === null ? [] : [labelled("  → ", remedy, SCREEN_WIDTH)]),
    ])
    .join("\n");
}
