import type { Experiment } from "../experiment.ts";
import type { Lab } from "../lab.ts";
import { median, sum } from "../timing.ts";

export const writers: Experiment = {
  name: "writers",
  how: "two processes for 15 seconds, each appending as fast as it can, synced; for the ratio also five times 2 seconds in turns with two that write the floor under a busy timeout of 5 seconds",
  rounds: 1,
  round: async (lab) => {
    const folder = lab.folder();
    const ours = await twoWriters(lab, "write", folder, lab.quick ? 3_000 : 15_000);
    const counted = await lab.measure("countWritten", { folder, subject: ours.stored.join(",") });
    lab.discard(folder);
    const { ratio, raw } = await besideRaw(lab);
    return {
      ...counted,
      errors: ours.errors,
      longestMs: ours.longestMs,
      ratio,
      fairness: Math.min(...ours.stored) / Math.max(...ours.stored),
      rawErrors: sum(raw.map(({ errors }) => errors)),
      rawLongestMs: Math.max(...raw.map(({ longestMs }) => longestMs)),
    };
  },
  lines: [
    { figure: "lost", label: "two writers: events lost", atMost: 0 },
    { figure: "doubled", label: "two writers: events doubled", atMost: 0 },
    { figure: "errors", label: "two writers: errors", atMost: 0 },
    { figure: "longestMs", label: "two writers: longest wait", unit: "ms", atMost: 100 },
    { figure: "ratio", label: "two writers: events, × the raw store's", atLeast: 0.9 },
    { figure: "fairness", label: "two writers: the slower one, × the faster one" },
    { figure: "rawErrors", label: "two writers of the raw store: errors" },
    { figure: "rawLongestMs", label: "two writers of the raw store: longest wait", unit: "ms" },
  ],
};

interface Written {
  readonly stored: readonly number[];
  readonly errors: number;
  readonly longestMs: number;
}

/** In turns, since what the disk does changes within seconds. */
async function besideRaw(
  lab: Lab,
): Promise<{ readonly ratio: number; readonly raw: readonly Written[] }> {
  const ratios: number[] = [];
  const raw: Written[] = [];
  for (let turn = 0; turn < (lab.quick ? 2 : 5); turn++) {
    const folder = lab.folder();
    const forMs = lab.quick ? 1_000 : 2_000;
    const theirs = await twoWriters(lab, "writePlainly", folder, forMs);
    const ours = await twoWriters(lab, "write", folder, forMs);
    lab.discard(folder);
    ratios.push(sum(ours.stored) / sum(theirs.stored));
    raw.push(theirs);
  }
  return { ratio: median(ratios), raw };
}

async function twoWriters(
  lab: Lab,
  how: "write" | "writePlainly",
  folder: string,
  forMs: number,
): Promise<Written> {
  // Opened once before, so that neither writer has to make the tables.
  await lab.measure(how, { folder, writer: 3, forMs: 0 });
  const startMs = Date.now() + 500;
  const found = await Promise.all(
    [1, 2].map((writer) => lab.measure(how, { folder, writer, startMs, forMs })),
  );
  return {
    stored: found.map(({ stored = 0 }) => stored),
    errors: sum(found.map(({ errors = 0 }) => errors)),
    longestMs: Math.max(...found.map(({ longestMs = 0 }) => longestMs)),
  };
}
