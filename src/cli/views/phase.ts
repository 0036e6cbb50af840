import type { ShownPhase } from "../view-schemas.ts";
import { field } from "./marks.ts";

export function phaseText(shown: ShownPhase): string {
  const { phase, path, entered, spentMs, transitions, earlier } = shown;
  return [
    field("Task", shown.taskId),
    field("Run", `${shown.run}, ${shown.status}`),
    field("Phase", phase),
    field("Path", path.join(" → ")),
    ...Object.keys(entered).map((name, index) =>
      field(
        index === 0 ? "Spent" : "",
        `${name}: ${spentText(spentMs[name])}, entered ${entered[name]} ×`,
      ),
    ),
    ...(earlier === 0 ? [] : [field("Moves", `… and ${earlier} earlier`)]),
    ...transitions.map((transition, index) =>
      field(index === 0 && earlier === 0 ? "Moves" : "", moveText(transition)),
    ),
  ].join("\n");
}

function moveText({
  seq,
  at,
  from,
  to,
  cause,
  source,
  reason,
}: ShownPhase["transitions"][number]): string {
  const why = source === null ? cause : `${cause} by ${source}`;
  return `event ${seq}, ${at}: ${from} → ${to} (${why})${reason === null ? "" : `: ${reason}`}`;
}

/** A dash for what is not known: a phase that was not left yet, or a clock that went back. */
function spentText(ms: number | null | undefined): string {
  return ms == null ? "–" : `${(ms / 1_000).toFixed(1)} s`;
}
