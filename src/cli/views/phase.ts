import type { ShownPhase } from "../view-schemas.ts";
import { field } from "./marks.ts";

export function phaseText(shown: ShownPhase): string {
  const { phase, path, entered, spentMs, transitions, earlier, tools } = shown;
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
    field(
      "Tools",
      tools.allowed === null
        ? "nothing is enforced, since the phase is unknown"
        : `${tools.allowed.join(", ") || "none"} (${TOOLS_MODE[tools.mode]})`,
    ),
    ...tools.differences.map(({ seq, tool, phase: then, refusal, enforced }, index) =>
      field(
        index === 0 ? "Differed" : "",
        `event ${seq}: ${tool} in ${then}: ${refusal}${enforced ? ", refused" : ""}`,
      ),
    ),
    ...(earlier === 0 ? [] : [field("Moves", `… and ${earlier} earlier`)]),
    ...transitions.map((transition, index) =>
      field(index === 0 && earlier === 0 ? "Moves" : "", moveText(transition)),
    ),
  ].join("\n");
}

const TOOLS_MODE: Readonly<Record<ShownPhase["tools"]["mode"], string>> = {
  off: "not judged",
  shadow: "differences are recorded",
  on: "others are refused",
};

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
