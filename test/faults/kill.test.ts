import { expect, test } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import { acknowledged, jobIn, labelsOf } from "./appended.ts";
import { storedIn } from "./journals.ts";
import { runWorker } from "./processes.ts";
import { expectNothingLostIn } from "./random-kills.ts";

test("no acknowledged event is lost or doubled when its process is killed, again and again", async () => {
  await expectNothingLostIn(40);
}, 60_000);

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
