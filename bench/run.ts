/**
 * Measures the journal and the engine beside their floor, each in a process of its own:
 * `npm run bench` or `npm run bench -- --quick`. Read the ratios, not the microseconds.
 */
import { spawnSync } from "node:child_process";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

interface Row {
  readonly measure: string;
  readonly count: number;
  readonly quickCount: number;
  /** What the figure is, and how large it may be. */
  readonly figure: string;
  readonly goal: number;
  /** Where more is better. */
  readonly isFloor?: boolean;
}

const ROWS: readonly Row[] = [
  { measure: "append-full", count: 4_000, quickCount: 1_000, figure: "ratio", goal: 1.25 },
  { measure: "append-process", count: 20_000, quickCount: 4_000, figure: "ratio", goal: 2 },
  {
    measure: "append-process",
    count: 20_000,
    quickCount: 4_000,
    figure: "bytesPerEvent",
    goal: 680,
  },
  { measure: "dispatch", count: 2_000, quickCount: 500, figure: "ratio", goal: 1.5 },
  { measure: "group", count: 4_000, quickCount: 1_000, figure: "ratio", goal: 8, isFloor: true },
  { measure: "growth", count: 100_000, quickCount: 10_000, figure: "ratio", goal: 1.1 },
  { measure: "load", count: 100_000, quickCount: 10_000, figure: "ratio", goal: 3 },
  { measure: "open", count: 100_000, quickCount: 10_000, figure: "ms", goal: 15 },
  { measure: "projections", count: 100_000, quickCount: 10_000, figure: "ratio", goal: 4.5 },
  { measure: "status", count: 100_000, quickCount: 10_000, figure: "ratio", goal: 3 },
];

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
console.log(
  `Node ${process.version}, load ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores`,
);
const known = new Map<string, Readonly<Record<string, number>>>();
for (const { measure, count, quickCount, figure, goal, isFloor = false } of ROWS) {
  const n = values.quick ? quickCount : count;
  const result = known.get(measure) ?? measured(measure, n);
  known.set(measure, result);
  const value = result[figure] ?? Number.NaN;
  const isMet = isFloor ? value >= goal : value <= goal;
  const bound = `${isFloor ? "at least" : "at most"} ${goal}`;
  console.log(
    `${isMet ? "met " : "MISS"} ${measure.padEnd(15)} ${figure.padEnd(13)} ${value.toFixed(2).padStart(8)} (${bound}, ${n} events)`,
  );
}

function measured(measure: string, count: number): Readonly<Record<string, number>> {
  const script = path.join(import.meta.dirname, "measures.ts");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, measure, String(count)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The measure ${measure} failed:\n${stderr}`);
  return JSON.parse(stdout);
}
