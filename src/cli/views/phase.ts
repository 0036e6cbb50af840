import type { ShownPhase } from "../view-schemas.ts";
import { field } from "./marks.ts";

export function phaseText(shown: ShownPhase): string {
  const { phase, path, entered, spentMs, transitions, earlier } = shown;
  return [
    field("Phase", phase),
    field("Path", path.join(" → ")),
    ...Object.keys(entered).map((name, index) =>
      field(
        index === 0 ? "Spent" : "",
        `${name}: ${spentText(spentMs[name])}, entered ${entered[name]} ×`,
      ),
    ),
    ...(earlier === 0 ? [] : [field("Moves", `… and ${earlier} earlier`)]),
    ...transitions.map(({ seq, from, to, cause, reason }, index) =>
      field(
        index === 0 && earlier === 0 ? "Moves" : "",
        `event ${seq}: ${from} → ${to} (${cause})${reason === null ? "" : `: ${reason}`}`,
      ),
    ),
  ].join("\n");
}

/** A dash for what is not known: a phase that was not left yet, or a clock that went back. */
function spentText(ms: number | null | undefined): string {
  return ms == null ? "–" : `${(ms / 1_000).toFixed(1)} s`;
}
