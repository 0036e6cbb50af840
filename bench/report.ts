import type { Experiment, Line } from "./experiment.ts";
import type { Figures } from "./figures.ts";
import { median } from "./timing.ts";

/** One number with the rounds that it is the median of. */
export interface Finding {
  readonly experiment: string;
  readonly how: string;
  readonly figure: string;
  readonly label: string;
  readonly unit: string;
  readonly goal: string;
  /** Null where there is no goal. */
  readonly met: boolean | null;
  readonly median: number;
  readonly rounds: readonly number[];
}

export function findingsOf(
  { name: experiment, how, lines }: Experiment,
  rounds: readonly Figures[],
): readonly Finding[] {
  return lines.map((line) => {
    const values = rounds.map((figures) => figures[line.figure] ?? Number.NaN);
    const { figure, label, unit = "x" } = line;
    const value = median(values);
    const goal = goalOf(line);
    const met = isMet(line, value);
    return { experiment, how, figure, label, unit, goal, met, median: value, rounds: values };
  });
}

function goalOf({ atMost, atLeast }: Line): string {
  if (atMost !== undefined) return `at most ${atMost}`;
  return atLeast === undefined ? "" : `at least ${atLeast}`;
}

function isMet({ atMost, atLeast }: Line, value: number): boolean | null {
  if (atMost !== undefined) return value <= atMost;
  return atLeast === undefined ? null : value >= atLeast;
}

/** One line of the table for the terminal. */
export function textOf(finding: Finding): string {
  const verdict = finding.met === null ? "    " : finding.met ? "met " : "MISS";
  return [
    verdict,
    finding.experiment.padEnd(14),
    finding.label.padEnd(50),
    measured(finding).padStart(12),
    spreadOf(finding).padEnd(18),
    finding.goal,
  ]
    .join("  ")
    .trimEnd();
}

/** A table of `docs/performance.md`. */
export function markdownOf(title: string, findings: readonly Finding[]): string {
  const rows = findings.map((finding, index) => {
    const verdict = finding.met === false ? " (missed)" : "";
    const isSame = findings[index - 1]?.experiment === finding.experiment;
    const how = isSame ? "" : finding.how;
    return [finding.label, finding.goal, measured(finding) + verdict, spreadOf(finding), how];
  });
  const head = ["number", "goal", "measured", "rounds", "how"];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `## ${title}\n\n${lines.join("\n")}\n`;
}

function measured({ median: value, unit }: Finding): string {
  return unit === "x" ? short(value) : `${short(value)} ${unit}`;
}

/** The smallest and the largest of the rounds: how much the machine disturbed them. */
function spreadOf({ rounds }: Finding): string {
  if (rounds.length < 2) return "";
  return `${short(Math.min(...rounds))} to ${short(Math.max(...rounds))}`;
}

function short(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}
