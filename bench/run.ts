/**
 * Measures the journal and the engine beside what they can't do without, each in a process of its
 * own. Read the ratios, not the microseconds: see `docs/performance.md`.
 *
 * `npm run bench -- [--quick] [--only NAME]... [--json FILE] [--markdown]`
 */
import fs from "node:fs";
import os from "node:os";
import { parseArgs } from "node:util";
import type { Experiment } from "./experiment.ts";
import { missingPeers } from "./experiments/peers.ts";
import { SECTIONS } from "./experiments.ts";
import { Lab } from "./lab.ts";
import { type Finding, findingsOf, markdownOf, textOf } from "./report.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    /** The beginning of a name. */
    only: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
    /** Prints the tables of `docs/performance.md` at the end. */
    markdown: { type: "boolean", default: false },
  },
});

const isAll = values.only.length === 0;
assertKnown(values.only);
const lab = await Lab.open(values.quick);
process.on("SIGINT", () => process.exit(130));
process.on("exit", () => lab.close());
console.log(machine());
const tables: string[] = [];
const findings: Finding[] = [];
for (const { title, experiments } of SECTIONS) {
  const found: Finding[] = [];
  for (const experiment of experiments.filter(isAsked)) {
    const some = findingsOf(experiment, await roundsOf(experiment));
    for (const finding of some) console.log(textOf(finding));
    found.push(...some);
  }
  if (found.length > 0) tables.push(markdownOf(title, found));
  findings.push(...found);
}
const met = findings.filter((finding) => finding.met === true).length;
const goals = findings.filter((finding) => finding.met !== null).length;
console.log(`${machine()}; ${met} of ${goals} goals met`);
if (isAll && !values.quick && missingPeers.length > 0) {
  console.log(`Not measured: ${missingPeers.join(", ")}; \`npm run bench:peers\` installs them.`);
}
if (values.markdown) console.log(`\n${tables.join("\n")}`);
if (values.json !== undefined) {
  fs.writeFileSync(values.json, `${JSON.stringify({ machine: machine(), findings }, null, 2)}\n`);
}

async function roundsOf({ rounds = 5, round }: Experiment) {
  const results = [];
  for (let n = 0; n < (values.quick ? Math.min(3, rounds) : rounds); n++) {
    results.push(await round(lab));
  }
  return results;
}

/** Those whose names begin with one of the given texts; where none is given, all that there is time for. */
function isAsked({ name, isSlow = false }: Experiment): boolean {
  return isAll ? !(isSlow && values.quick) : values.only.some((begin) => name.startsWith(begin));
}

function assertKnown(beginnings: readonly string[]): void {
  const names = SECTIONS.flatMap(({ experiments }) => experiments.map(({ name }) => name));
  const unknown = beginnings.find((begin) => !names.some((name) => name.startsWith(begin)));
  if (unknown === undefined) return;
  console.error(`There is no experiment ${unknown}; there are ${names.join(", ")}.`);
  process.exit(2);
}

function machine(): string {
  const load = os.loadavg().map((value) => value.toFixed(1));
  return `Node ${process.version}, ${os.cpus().length} cores, load ${load.join(" ")}`;
}
