import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type JournalStore, verifyRows } from "../../src/journal/index.ts";
import { MapWorkspace, openEngineOver } from "../engine/makers.ts";
import { anEvent, appendTo, exportOf, memoryJournal, openJournal } from "../journal/makers.ts";
import { openStoreIn, stateDirIn, temporaryFolder } from "../journal-sqlite/makers.ts";
import { CREATION_STEPS } from "./creation-steps.ts";
import type { CreationJob } from "./creation-worker.ts";
import type { EngineJob } from "./engine-worker.ts";
import type { ImportJob } from "./import-worker.ts";
import { REAL_PORTS } from "./ports.ts";
import { runWorker } from "./processes.ts";

const placeOf = (folder: string) => ({
  projectDir: folder,
  stateDir: stateDirIn(folder),
  create: "where-none-was" as const,
});

async function expectSound(store: JournalStore, events: number): Promise<void> {
  const rows = await store.read(0, 10_000);
  const verified = await verifyRows(rows, REAL_PORTS.sha256, {
    storedHead: (await store.extent()).head,
  });
  expect(verified).toMatchObject({ ok: true, events });
}

const PLACES: readonly (readonly [where: string, EngineJob["dieAt"], events: number])[] = [
  ["after the first of its three rows", { table: "events", seq: 5 }, 4],
  ["after the second of its three rows", { table: "events", seq: 6 }, 4],
  ["after the third of its three rows", { table: "events", seq: 7 }, 4],
  ["after the head was written", { table: "head", seq: 7 }, 4],
  ["after the commit and before the answer", "answer", 7],
];

test.each(PLACES)(
  "a process that is killed %s leaves all events of a command or none (FR-004)",
  async (_, dieAt, events) => {
    const folder = temporaryFolder();
    const job: EngineJob = { ...placeOf(folder), dieAt };
    const { said, complaints, signal } = await runWorker("engine-worker", job);
    expect([said, complaints, signal]).toEqual([["begun"], "", "SIGKILL"]);

    const store = await openStoreIn(folder, { ports: REAL_PORTS });
    await expectSound(store, events);
    const workspace = new MapWorkspace({ "src/cart.js": "v1" });
    const { engine } = await openEngineOver({ store, workspace });
    const tasks = await engine.tasks({ session: "ada" });
    expect(tasks.map(({ phase }) => phase)).toEqual(events === 4 ? [] : ["plan"]);
    const [next] = await engine.journal.append([{ type: "x.noted", body: {} }], { session: "ada" });
    expect(next?.header.seq).toBe(events + 1);
  },
  30_000,
);

test.each(CREATION_STEPS)(
  "a process that is killed while it makes a journal (%s) leaves a whole one or none",
  async (dieAt) => {
    const folder = temporaryFolder();
    const job: CreationJob = { ...placeOf(folder), dieAt };
    const { complaints, signal } = await runWorker("creation-worker", job);
    expect([complaints, signal]).toEqual(["", "SIGKILL"]);

    const isWhole = dieAt === "linked" || dieAt === "hide";
    expect(readdirSync(stateDirIn(folder)).includes("journal.sqlite")).toBe(isWhole);
    const store = await openStoreIn(folder, { ports: REAL_PORTS });
    await expectSound(store, 1);
    await appendTo(await openJournal(store), anEvent({ after: "the kill" }));
    await expectSound(store, 2);
    expect(readdirSync(stateDirIn(folder))).toContain(".gitignore");
  },
  30_000,
);

test("a process that is killed in the middle of an import leaves the journal empty", async () => {
  const folder = temporaryFolder();
  const exportFile = path.join(folder, "export.jsonl");
  const events = Array.from({ length: 50 }, (_, n) => anEvent({ n }));
  const source = await memoryJournal(...events);
  writeFileSync(exportFile, await exportOf(source));
  const job: ImportJob = { ...placeOf(folder), exportFile, dieAtSeq: 40 };
  const { complaints, signal } = await runWorker("import-worker", job);
  expect([complaints, signal]).toEqual(["", "SIGKILL"]);
  await expectSound(await openStoreIn(folder, { ports: REAL_PORTS }), 1);
}, 30_000);
