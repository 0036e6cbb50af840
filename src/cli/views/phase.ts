import type { TrajectoryState } from "../../trajectory/index.ts";
import { field } from "./marks.ts";

interface ShownPhase extends Pick<TrajectoryState, "phase" | "entered" | "spentMs"> {
  readonly run: string;
  readonly taskId: string;
  readonly status: string;
  readonly path: readonly string[];
  readonly transitions: readonly ShownTransition[];
  /** Transitions before those that are shown. */
  readonly earlier: number;
}

interface ShownTransition extends Omit<TrajectoryState["recent"][number], "source"> {
  /** What observed it; null where that was not recorded. */
  readonly source: string | null;
}

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

function moveText({ seq, at, from, to, cause, source, reason }: ShownTransition): string {
  const why = source === null ? cause : `${cause} by ${source}`;
  return `event ${seq}, ${at}: ${from} → ${to} (${why})${reason === null ? "" : `: ${reason}`}`;
}

/** A dash for what is not known: a phase that was not left yet, or a clock that went back. */
function spentText(ms: number | null | undefined): string {
  return ms == null ? "–" : `${(ms / 1_000).toFixed(1)} s`;
}
