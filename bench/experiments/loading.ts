import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { type Experiment, long, over, tenth } from "../experiment.ts";
import { ROOT } from "../lab.ts";

export const load: Experiment = {
  name: "load",
  how: "100,000 events; both sides in fresh processes that do nothing else and have the library loaded",
  round: async (lab) => {
    const folder = await lab.made("makeEvents", long(lab));
    const plain = await lab.measure("plainLoad", { folder });
    const verified = await lab.measure("verifiedLoad", { folder });
    return { ...verified, ratio: over(verified, plain), plainMemoryMb: plain.memoryMb ?? 0 };
  },
  lines: [
    { figure: "ratio", label: "open, verify and hand out, × plain read and parse", atMost: 3 },
    { figure: "ms", label: "open, verify and hand out", unit: "ms" },
    { figure: "memoryMb", label: "resident memory of it", unit: "MB", atMost: 120 },
    { figure: "plainMemoryMb", label: "resident memory of plain read and parse", unit: "MB" },
  ],
};

export const open: Experiment = {
  name: "open",
  how: "one run of 100,000 events, folded state at hand; the median of 11 in one process after the first",
  round: async (lab) => {
    const few = await lab.measure("open", { folder: await lab.made("makeLongTail", 10_000) });
    const many = await lab.measure("open", { folder: await lab.made("makeLongTail", long(lab)) });
    return { ...many, fewMs: few.ms ?? 0, growth: over(many, few) };
  },
  lines: [
    { figure: "ms", label: "open from a snapshot and a tail of 999", unit: "ms", atMost: 15 },
    { figure: "fewMs", label: "the same in a journal of 10,000", unit: "ms" },
    { figure: "growth", label: "the long one, × the one of 10,000" },
    { figure: "firstMs", label: "the long one as the first in its process", unit: "ms" },
  ],
};

export const projections: Experiment = {
  name: "projections",
  how: "100,000 events of one run without a snapshot; both sides in fresh processes",
  round: async (lab) => {
    const folder = await lab.copied("makeRun", long(lab));
    await lab.measure("dropSnapshot", { folder });
    const plain = await lab.measure("plainLoad", { folder });
    const projected = await lab.measure("projectedLoad", { folder });
    lab.discard(folder);
    return { ...projected, ratio: over(projected, plain) };
  },
  lines: [
    { figure: "ratio", label: "load through all projections, × plain read", atMost: 4.5 },
    { figure: "ms", label: "load through all projections", unit: "ms" },
    { figure: "memoryMb", label: "resident memory of it", unit: "MB" },
  ],
};

export const status: Experiment = {
  name: "status",
  how: "the built command in a git project of 100 files and a run of 100,000 events, 20 times in turns with a bare Node",
  rounds: 3,
  round: async (lab) => {
    const folder = await lab.made("makeRun", long(lab));
    makeRepository(folder);
    const subject = path.join(ROOT, "dist", "bin", "holdfast.js");
    return lab.measure("status", { folder, count: tenth(lab, 20), subject });
  },
  lines: [
    { figure: "ratio", label: "holdfast status, × node -e 0", atMost: 3 },
    { figure: "ms", label: "holdfast status", unit: "ms" },
    { figure: "bareMs", label: "node -e 0", unit: "ms" },
  ],
};

/** A working tree with some files, as most projects are: its state is part of the answer. */
function makeRepository(folder: string): void {
  if (fs.existsSync(path.join(folder, ".git"))) return;
  for (let n = 0; n < 100; n++) fs.writeFileSync(path.join(folder, `file-${n}.ts`), `// ${n}\n`);
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
  for (const given of [
    ["init", "--quiet"],
    ["add", "."],
    ["commit", "--quiet", "-m", "Files"],
  ]) {
    const { status: code } = spawnSync("git", [...identity, ...given], { cwd: folder });
    if (code !== 0) throw new Error(`git ${given.join(" ")} ended with ${code}.`);
  }
}
