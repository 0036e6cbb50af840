import { spawnSync } from "node:child_process";
import type { Figures, Measure } from "../figures.ts";
import { readPlainly } from "../floor.ts";
import { median, microseconds, peakMemoryMb } from "../timing.ts";
import { engineOver, journalFile, openEngine, openStore, openUnread } from "../world.ts";

/** Reads and parses the rows of a journal, and hands each to a trivial reducer. */
export const plainLoad: Measure = ({ folder }) =>
  loading(async (each) => readPlainly(journalFile(folder), each));

/** Opens a journal, verifies its whole chain, and hands each event to a trivial reducer. */
export const verifiedLoad: Measure = ({ folder }) =>
  loading(async (each) => {
    const journal = await openUnread(folder, "process");
    await journal.catchUp(({ body }) => each(body));
    journal.assertSound();
    await journal.close();
  });

/** Opens an engine on a journal without a snapshot: every event goes through every projection. */
export const projectedLoad: Measure = async ({ folder }) => {
  const us = await microseconds(async () => {
    const engine = await openEngine(folder, "process");
    await engine.state();
  });
  return { ms: us / 1_000, memoryMb: peakMemoryMb() };
};

async function loading(load: (each: (body: unknown) => void) => Promise<void>): Promise<Figures> {
  let events = 0;
  let failures = 0;
  const us = await microseconds(() =>
    load((body) => {
      events++;
      if ((body as { readonly exitCode?: number }).exitCode === 1) failures++;
    }),
  );
  return { ms: us / 1_000, memoryMb: peakMemoryMb(), events, failures };
}

/** From a snapshot and its tail to a usable state: for the first time in a process, and again. */
export const open: Measure = async ({ folder }) => {
  const opened = () =>
    microseconds(async () => {
      const store = await openStore(folder, "full");
      const engine = await engineOver(store);
      await engine.state();
      await store.close(); // The engine would cache the state, and the next one had no tail.
    });
  const firstUs = await opened();
  const laterUs: number[] = [];
  for (let round = 0; round < 11; round++) laterUs.push(await opened());
  return { firstMs: firstUs / 1_000, ms: median(laterUs) / 1_000 };
};

/** `holdfast status` as a whole process, over a bare Node. `subject` is the command's file. */
export const status: Measure = async ({ folder, count, subject = "" }) => {
  const run = (...given: readonly string[]) =>
    microseconds(() => {
      const { status: code } = spawnSync(process.execPath, given, { cwd: folder, stdio: "ignore" });
      if (code !== 0) throw new Error(`node ${given.join(" ")} ended with ${code}.`);
    });
  const bareUs: number[] = [];
  const statusUs: number[] = [];
  for (let round = 0; round < count; round++) {
    bareUs.push(await run("-e", "0"));
    statusUs.push(await run(subject, "--session", "bench", "status"));
  }
  const ratios = statusUs.map((us, round) => us / (bareUs[round] ?? Number.NaN));
  return { ratio: median(ratios), ms: median(statusUs) / 1_000, bareMs: median(bareUs) / 1_000 };
};
