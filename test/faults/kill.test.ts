import { expect, test } from "vitest";
import { type EventRow, verifyRows } from "../../src/journal/index.ts";
import { openStoreIn, stateDirIn, temporaryFolder } from "../journal-sqlite/makers.ts";
import type { AppendJob } from "./append-worker.ts";
import { REAL_PORTS } from "./ports.ts";
import { runWorker } from "./processes.ts";
import { seededRandom } from "./seed.ts";

const KILLS = 200;
/** Kills go on side by side in so many journals. */
const LANES = 4;

const jobIn = (folder: string, job: Partial<AppendJob>): AppendJob => ({
  projectDir: folder,
  stateDir: stateDirIn(folder),
  create: "where-none-was",
  writer: "w",
  appends: 1,
  ...job,
});

/** Everything that is stored, by a process that finds the journal as the killed one left it. */
async function storedIn(folder: string): Promise<readonly EventRow[]> {
  const store = await openStoreIn(folder, { ports: REAL_PORTS });
  const rows = await store.read(0, 1_000_000);
  const verified = await verifyRows(rows, REAL_PORTS.sha256, {
    storedHead: (await store.extent()).head,
  });
  await store.close();
  expect(verified.problems).toEqual([]);
  return rows;
}

const labelsOf = (rows: readonly EventRow[]) =>
  rows.slice(1).map(({ bodyText }) => (JSON.parse(bodyText ?? "") as { label: string }).label);

/** What a worker said of its events: label and seq. */
function acknowledged(said: readonly string[]): readonly (readonly [string, number])[] {
  return said.flatMap((line) => {
    const [, label, seq] = /^(\S+-\d+) (\d+)$/.exec(line) ?? [];
    return label === undefined ? [] : [[label, Number(seq)] as const];
  });
}

test(`no acknowledged event is lost or doubled when its process is killed, ${KILLS} times`, async () => {
  const random = seededRandom("kills at random moments");
  const moments = Array.from({ length: KILLS }, () => ({
    after: random.below(8),
    microseconds: random.below(3_000),
  }));

  async function lane(first: number): Promise<void> {
    const folder = temporaryFolder();
    const all = new Map<string, number>();
    const durability = first % 2 === 0 ? "full" : "process";
    await runWorker("append-worker", jobIn(folder, { writer: "first" }));
    for (let kill = first; kill < KILLS; kill += LANES) {
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
}, 120_000);

test("all that was acknowledged up to a kill is there, and the next append goes on behind it (FR-003)", async () => {
  const folder = temporaryFolder();
  const { said } = await runWorker(
    "append-worker",
    jobIn(folder, { appends: 50 }),
    (line, child) => {
      if (line.startsWith("w-37 ")) child.kill("SIGKILL");
    },
  );
  const rows = await storedIn(folder);
  const labels = labelsOf(rows);
  expect(labels.length).toBeGreaterThanOrEqual(acknowledged(said).length);
  expect(acknowledged(said).length).toBeGreaterThanOrEqual(37);
  expect(labels).toEqual(labels.map((_, index) => `w-${index + 1}`));
  const next = await runWorker("append-worker", jobIn(folder, { writer: "n" }));
  expect(next.said).toEqual(["ready", `n-1 ${rows.length + 1}`, "done"]);
}, 60_000);

test("eight processes that append to one journal at once lose and double nothing", async () => {
  const folder = temporaryFolder();
  const [writers, appends] = [8, 50];
  const ended = await Promise.all(
    Array.from({ length: writers }, (_, writer) =>
      runWorker(
        "append-worker",
        jobIn(folder, { writer: `w${writer}`, appends, lockWaitMs: 60_000 }),
      ),
    ),
  );
  for (const { complaints, code } of ended) expect([complaints, code]).toEqual(["", 0]);
  const labels = labelsOf(await storedIn(folder));
  expect(labels).toHaveLength(writers * appends);
  for (const [label, seq] of ended.flatMap(({ said }) => acknowledged(said))) {
    expect(labels[seq - 2]).toBe(label);
  }
}, 60_000);

test("two processes that append as fast as they can never see each other's lock as an error (FR-011)", async () => {
  const folder = temporaryFolder();
  const ended = await Promise.all(
    ["a", "b"].map((writer) =>
      runWorker("append-worker", jobIn(folder, { writer, appends: 200, lockWaitMs: 60_000 })),
    ),
  );
  for (const { said, complaints } of ended) expect([said.at(-1), complaints]).toEqual(["done", ""]);
  const rows = await storedIn(folder);
  expect(rows.map(({ header }) => header.seq)).toEqual(rows.map((_, index) => index + 1));
  expect(rows).toHaveLength(401);
}, 60_000);

test("eight processes that begin a journal at once begin one, and each that succeeds is in it (FR-010)", async () => {
  const folder = temporaryFolder();
  const ended = await Promise.all(
    Array.from({ length: 8 }, (_, writer) =>
      runWorker("append-worker", jobIn(folder, { writer: `w${writer}` })),
    ),
  );
  const succeeded = ended.filter(({ code }) => code === 0);
  for (const { code, said, complaints } of ended) {
    expect(complaints).toBe("");
    if (code !== 0) expect(said.at(-1)).toBe("failed journal/busy busy");
  }
  const labels = labelsOf(await storedIn(folder));
  expect(labels.toSorted()).toEqual(
    succeeded.flatMap(({ said }) => acknowledged(said).map(([label]) => label)).toSorted(),
  );
  expect(succeeded.length).toBeGreaterThan(0);
}, 60_000);
