import { expect } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { acknowledged, jobIn, labelsOf } from "./appended.ts";
import { storedIn } from "./journals.ts";
import { runWorker } from "./processes.ts";
import { seededRandom } from "./seed.ts";

/** Kills go on side by side in so many journals. */
const LANES = 4;

/**
 * Kills a process that appends as fast as it can, so many times, each at a random moment: no
 * acknowledged event is lost or doubled.
 */
export async function expectNothingLostIn(kills: number): Promise<void> {
  const random = seededRandom("kills at random moments");
  const moments = Array.from({ length: kills }, () => ({
    after: random.below(8),
    microseconds: random.below(3_000),
  }));

  async function lane(first: number): Promise<void> {
    const folder = temporaryFolder();
    const all = new Map<string, number>();
    const durability = first % 2 === 0 ? "full" : "process";
    await runWorker("append-worker", jobIn(folder, { writer: "first" }));
    for (let kill = first; kill < kills; kill += LANES) {
      const { after, microseconds } = moments[kill] ?? { after: 0, microseconds: 0 };
      let lines = 0;
      const job = jobIn(folder, { writer: `w${kill}`, durability, appends: 60, lingers: true });
      const { said, complaints, signal } = await runWorker("append-worker", job, (_, child) => {
        // `ready` is the first line, so `after` is the number of acknowledged events.
        if (lines++ !== after) return;
        const until = performance.now() + microseconds / 1_000;
        while (performance.now() < until); // A timer is too coarse to hit the middle of an append.
        child.kill("SIGKILL");
      });
      expect([signal, complaints]).toEqual(["SIGKILL", ""]);
      for (const [label, seq] of acknowledged(said)) all.set(label, seq);
      const labels = labelsOf(await storedIn(folder));
      expect(new Set(labels).size).toBe(labels.length);
      for (const [label, seq] of all) expect(labels[seq - 2]).toBe(label);
    }
    expect(all.size).toBeGreaterThan(0);
  }
  await Promise.all(Array.from({ length: LANES }, (_, first) => lane(first)));
}
