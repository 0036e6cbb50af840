import { expect, test } from "vitest";
import { HoldfastError } from "../../src/errors.ts";
import { type JournalStore, MemoryStore, type SnapshotRow } from "../../src/journal/index.ts";
import { fixedPorts } from "../journal/makers.ts";
import { MapWorkspace, openEngineOver, provedTask } from "./makers.ts";

/** A task that is proved, followed by so many notes that its state has been cached. */
async function longJournal() {
  const made = await provedTask();
  const notes = Array.from(
    { length: 1_000 },
    (_, n) => ({ type: "x.noted", body: { n } }) as const,
  );
  await made.engine.journal.append(notes, { session: "ada" });
  await made.engine.journal.append([{ type: "x.noted", body: { last: true } }], { session: "ada" });
  const snapshot = await made.store.readSnapshot();
  if (snapshot === null) throw new Error("No snapshot was taken.");
  return { ...made, snapshot };
}

/** The same store, which notes from where on it was read. */
function watched(store: JournalStore): { readonly store: JournalStore; readonly reads: number[] } {
  const reads: number[] = [];
  const watching: JournalStore = {
    extent: () => store.extent(),
    read: (after, limit) => {
      reads.push(after);
      return store.read(after, limit);
    },
    append: (known, keys, plan) => store.append(known, keys, plan),
    purge: () => store.purge(),
    importRows: (given) => store.importRows(given),
    commandKey: () => store.commandKey(),
    readSnapshot: () => store.readSnapshot(),
    writeSnapshot: (snapshot) => store.writeSnapshot(snapshot),
    close: async () => {}, // What it holds is looked at afterwards.
  };
  return { store: watching, reads };
}

const reopened = async (store: JournalStore, workspace: MapWorkspace) =>
  openEngineOver({ store, workspace, kind: 3 });

test("with a snapshot only what follows it is read, and the state is the same (FR-092)", async () => {
  const { engine, store, workspace, snapshot } = await longJournal();
  const { store: watching, reads } = watched(store);
  const again = await reopened(watching, workspace);
  expect(await again.engine.state()).toEqual(await engine.state());
  expect(Math.min(...reads)).toBe(snapshot.seq - 1);
  const added = await again.engine.journal.append([{ type: "x.noted", body: {} }], {
    session: "s",
  });
  expect(added[0]?.header).toMatchObject({ seq: snapshot.seq + 2, run: "-" });
  expect(await again.engine.journal.verify()).toMatchObject({ ok: true });
});

test.each<[string, (snapshot: SnapshotRow) => SnapshotRow | null]>([
  ["deleted", () => null],
  ["changed by one character", (it) => ({ ...it, text: it.text.replace("main", "mail") })],
  ["of another event", (it) => ({ ...it, seq: it.seq - 1 })],
  ["of another journal's event", (it) => ({ ...it, hash: "0".repeat(64) })],
  ["beyond the end", (it) => ({ ...it, seq: it.seq + 1_000 })],
  ["of another fold", (it) => ({ ...it, foldVersion: it.foldVersion + 1 })],
])("a snapshot that is %s is noticed, and the state is the same", async (_, change) => {
  const { engine, store, workspace, snapshot } = await longJournal();
  await store.writeSnapshot(change(snapshot));
  const { store: watching, reads } = watched(store);
  const again = await reopened(watching, workspace);
  expect(await again.engine.state()).toEqual(await engine.state());
  expect(reads).toContain(0);
  await again.engine.close();
  expect(await store.readSnapshot()).toMatchObject({ seq: snapshot.seq + 1 });
});

test.each<[string, (bodyText: string) => string | null]>([
  ["changed", (text) => text.replace('"exitCode":0', '"exitCode":1')],
  ["taken out", () => null],
])(
  "an event %s behind a snapshot blocks going on and concluding, and is told",
  async (_, change) => {
    const { run, store, workspace, snapshot } = await longJournal();
    const rows = (await store.read(0, 2_000)).map((row) =>
      row.header.type === "command.observed"
        ? { ...row, bodyText: change(row.bodyText ?? "") }
        : row,
    );
    const damaged = new MemoryStore(fixedPorts(7).ids);
    await damaged.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({ rows }));
    await damaged.writeSnapshot(snapshot);
    const { engine } = await reopened(damaged, workspace);
    expect(await engine.status({ session: "ada" })).toMatchObject({
      state: "active",
      journal: { verifiedFrom: snapshot.seq + 1, damage: null },
    });
    const concluded = engine.conclude({ run, outcome: "completed" }, { session: "ada" });
    await expect(concluded).rejects.toMatchObject({ code: "journal/corrupt" });
    expect(await engine.resume({ session: "ada" })).toMatchObject({
      decision: "blocked",
      safe: false,
      reasonCodes: expect.arrayContaining(["journal-damaged"]),
    });
    expect(await engine.status({ session: "ada" })).toMatchObject({ state: "corrupt" });
  },
);

test("what a run was held to is checked behind a snapshot before it is agreed on again", async () => {
  const { engine, run, store, workspace, snapshot } = await longJournal();
  await engine.dispatch({ type: "abandonTask", reason: "the wrong way" }, { session: "ada" });
  const rows = (await store.read(0, 2_000)).map((row) =>
    row.header.type === "task.started"
      ? { ...row, bodyText: row.bodyText?.replace("quantities", "quantitiez") ?? null }
      : row,
  );
  const damaged = new MemoryStore(fixedPorts(7).ids);
  await damaged.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({ rows }));
  await damaged.writeSnapshot(snapshot);
  const { engine: again } = await reopened(damaged, workspace);
  const retried = again.dispatch({ type: "retryTask", run }, { session: "ada" });
  await expect(retried).rejects.toMatchObject({ code: "journal/corrupt" });
});

test("a snapshot that can't be written is done without", async () => {
  const { store } = watched(new MemoryStore(fixedPorts().ids));
  const full = new HoldfastError("journal/storage-full", "There is no room left.", "Free some.");
  const { engine } = await reopened(
    { ...store, writeSnapshot: () => Promise.reject(full) },
    new MapWorkspace({}),
  );
  const notes = Array.from(
    { length: 1_000 },
    (_, n) => ({ type: "x.noted", body: { n } }) as const,
  );
  expect(await engine.journal.append(notes, { session: "s" })).toHaveLength(1_000);
  expect(await engine.journal.append(notes, { session: "s" })).toHaveLength(1_000);
  await engine.close();
});
