import { expect, test } from "vitest";
import { Engine, type EnginePorts } from "../../src/engine/index.ts";
import { MemoryStore, portableSha256, type StoredEvent } from "../../src/journal/index.ts";
import { createRedactor } from "../../src/redaction/index.ts";
import { fixedPorts } from "../journal/makers.ts";
import { DRAFT, MapWorkspace, observed, openEngineOver } from "./makers.ts";

const ADA = { session: "ada" };
const BOB = { session: "bob" };

async function notes(engine: Engine, count: number, asking = ADA): Promise<void> {
  const events = Array.from(
    { length: count },
    (_, n) => ({ type: "x.noted", body: { n } }) as const,
  );
  await engine.journal.append(events, asking);
}

async function exported(engine: Engine): Promise<string> {
  let text = "";
  for await (const line of engine.journal.export()) text += line;
  return text;
}

async function eventsOf(engine: Engine): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of engine.journal.read()) events.push(event);
  return events;
}

/** A concluded run, notes, an open run, and notes again: 34 events. */
async function twoTasks() {
  const opened = await openEngineOver();
  const { engine } = opened;
  const { run: old } = await engine.startTask(DRAFT, ADA);
  await engine.conclude({ outcome: "partial", reason: "enough" }, ADA);
  await notes(engine, 10);
  const { run: open } = await engine.startTask({ ...DRAFT, taskId: "second" }, BOB);
  const openSeq = (await engine.task(open)).task.startedSeq;
  await notes(engine, 10, BOB);
  return { ...opened, old, open, openSeq };
}

test("events that stay keep their numbers and hashes, and the journal says what went", async () => {
  const { engine, old } = await twoTasks();
  const before = await eventsOf(engine);
  const headBefore = await engine.journal.head();
  const report = await engine.journal.compact({ ceiling: 20 }, ADA);
  expect(report).toMatchObject({ kept: 20, through: { seq: headBefore.seq - 19 }, purged: true });
  expect(report.removed).toBe(report.through?.seq);
  const after = await eventsOf(engine);
  expect(after.slice(0, -1)).toEqual(before.slice(report.removed));
  const anchor = after.at(-1);
  expect(anchor?.header).toMatchObject({ type: "journal.compacted", run: "-" });
  expect(anchor?.body).toMatchObject({
    journal: before[0]?.body?.journal,
    removed: report.removed,
    through: report.through,
    headBefore,
    tasks: [{ taskId: DRAFT.taskId, run: old, outcome: "partial", attempts: 1, maxAttempts: 3 }],
  });
  expect(report.tasks).toEqual(anchor?.body?.tasks);
  expect(await engine.journal.head()).toEqual(report.head);
  expect(await engine.journal.verify()).toMatchObject({
    ok: true,
    events: 20,
    removed: report.removed,
  });
});

test.each([[{}], [{ session: "" }], [{ session: "s", key: 5 }]])(
  "a compaction that %j asks for is refused before anything is removed",
  async (asking) => {
    const { engine } = await twoTasks();
    const before = await exported(engine);
    const compaction = engine.journal.compact({ ceiling: 20 }, asking as typeof ADA);
    await expect(compaction).rejects.toMatchObject({ code: "input/invalid" });
    expect(await exported(engine)).toBe(before);
  },
);

test("a journal at or below its ceiling is left as it is", async () => {
  const { engine } = await openEngineOver();
  await notes(engine, 9);
  const before = await exported(engine);
  const report = await engine.journal.compact({ ceiling: 10 });
  expect(report).toMatchObject({ removed: 0, kept: 10, through: null, tasks: [], heldBy: [] });
  expect(await engine.journal.compactIfAbove()).toBeNull();
  expect(await exported(engine)).toBe(before);
});

test("a dry run says what would go and leaves everything", async () => {
  const { engine } = await twoTasks();
  const before = await exported(engine);
  const dry = await engine.journal.compact({ ceiling: 20, dryRun: true });
  expect(await exported(engine)).toBe(before);
  const { removed, kept, through, tasks } = await engine.journal.compact({ ceiling: 20 });
  expect(dry).toMatchObject({ removed, kept, through, tasks, purged: false });
});

test("an open run holds what comes after its beginning, and is named", async () => {
  const { engine, open, openSeq } = await twoTasks();
  const report = await engine.journal.compact({ ceiling: 3 });
  expect(report.through?.seq).toBe(openSeq - 1);
  expect(report.heldBy).toEqual([{ run: open, taskId: "second", why: expect.any(String) }]);
  const again = await engine.journal.compact({ ceiling: 3 });
  expect(again).toMatchObject({ removed: 0, through: null, heldBy: [{ run: open }] });
});

test("the state after a compaction is the one before, but for the runs that went", async () => {
  const { engine, store, workspace, old, open } = await twoTasks();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  const before = await other.engine.state();
  await engine.journal.compact({ ceiling: 20 });
  const after = await other.engine.state();
  expect(after).toEqual(await engine.state());
  expect(after.runs[open]).toEqual(before.runs[open]);
  expect(after.runs[old]).toBeUndefined();
  expect(after.evidence.trees).toEqual(before.evidence.trees);
  expect(await engine.gate(undefined, BOB)).toMatchObject({ decision: "pending" });
  expect((await engine.status(BOB)).journal).toMatchObject({ events: 20, damage: null });
  await expect(engine.task(old)).rejects.toMatchObject({ code: "task/removed" });
  const retried = await engine.startTask(DRAFT, ADA);
  expect(retried.attempt).toBe(2);
});

test("a head noted before is told from a foreign one after its event was removed", async () => {
  const { engine } = await twoTasks();
  const [, second] = await eventsOf(engine);
  const noted = { seq: 2, hash: second?.hash ?? "" };
  const whole = await engine.journal.head();
  const { through } = await engine.journal.compact({ ceiling: 20 });
  expect(await engine.journal.verify({ noted })).toMatchObject({
    ok: false,
    problems: [{ seq: 2, code: "removed", message: expect.stringContaining("by compaction") }],
  });
  expect(await engine.journal.verify({ noted: whole })).toMatchObject({ ok: true });
  expect(await engine.journal.verify({ noted: through ?? whole })).toMatchObject({ ok: true });
  expect(await engine.journal.verify({ to: (through?.seq ?? 0) + 2 })).toMatchObject({
    ok: true,
    events: 2,
  });
  const foreign = { seq: whole.seq, hash: "f".repeat(64) };
  expect(await engine.journal.verify({ noted: foreign })).toMatchObject({
    problems: [{ code: "foreign" }],
  });
});

test("an export of a compacted journal is taken in as such, and can be compacted again", async () => {
  const { engine, open } = await twoTasks();
  await engine.journal.compact({ ceiling: 20 });
  const other = await openEngineOver({ kind: 1 });
  const report = await other.engine.journal.import([await exported(engine)]);
  expect(report).toMatchObject({ imported: 20, head: await engine.journal.head() });
  expect((await other.engine.state()).runs[open]).toEqual((await engine.state()).runs[open]);
  await other.engine.conclude({ outcome: "partial", reason: "enough" }, BOB);
  const second = await other.engine.journal.compact({ ceiling: 2 });
  // The run goes whole, its last event among what goes.
  expect(second).toMatchObject({ kept: 1, heldBy: [] });
  expect(second.tasks.map(({ taskId }) => taskId)).toEqual([DRAFT.taskId, "second"]);
  const [first] = await eventsOf(engine);
  expect(first?.header.seq).toBeGreaterThan(1);
  const anchors = (await eventsOf(other.engine)).map(({ body }) => body?.journal);
  expect(anchors.at(-1)).toBe((await eventsOf(engine)).at(-1)?.body?.journal);
  expect(await other.engine.journal.verify()).toMatchObject({ ok: true, events: 1 });
});

test("bodies that were shed stay accounted for in what a compaction leaves", async () => {
  const { engine } = await twoTasks();
  await engine.journal.append({ type: "x.noted", body: { text: "TOP-SECRET" } }, BOB);
  await engine.journal.shed({ text: "TOP-SECRET", reason: "a key" });
  await engine.journal.compact({ ceiling: 20 });
  expect(await engine.journal.verify()).toMatchObject({ ok: true, shedCount: 1 });
  const other = await openEngineOver({ kind: 1 });
  await other.engine.journal.import([await exported(engine)]);
  expect(await other.engine.journal.verify()).toMatchObject({ ok: true, shedCount: 1 });
  // The name of a task stands in the anchor for good.
  await engine.journal.compact({ ceiling: 2 });
  const report = await engine.journal.shed({ text: String(DRAFT.taskId), reason: "a name" });
  expect(report.remaining.map(({ type }) => type)).toContain("journal.compacted");
});

test("a compaction by its key is carried out once", async () => {
  const { engine } = await twoTasks();
  const asked = { ...ADA, key: "once" };
  const first = await engine.journal.compact({ ceiling: 20 }, asked);
  const head = await engine.journal.head();
  const again = await engine.journal.compact({ ceiling: 20 }, asked);
  expect(again).toMatchObject({ removed: first.removed, through: first.through, head });
  const note = engine.journal.append({ type: "x.noted", body: {} }, asked);
  await expect(note).rejects.toMatchObject({ code: "journal/key-reused" });
});

test("the key of a compaction stands for no other ceiling, as far as that can be told", async () => {
  const { engine } = await openEngineOver();
  await notes(engine, 39);
  const asked = { ...ADA, key: "once" };
  const first = await engine.journal.compact({ ceiling: 20 }, asked);
  await notes(engine, 5);
  for (const ceiling of [5, 40, 1_000]) {
    const other = engine.journal.compact({ ceiling }, asked);
    await expect(other).rejects.toMatchObject({ code: "journal/key-reused" });
  }
  const { kept, removed, through, tasks, heldBy, head } = first;
  const told = { kept, removed, through, tasks, heldBy, head };
  expect(await engine.journal.compact({ ceiling: 20 }, asked)).toMatchObject(told);
  await engine.journal.compact({ ceiling: 10 }, ADA);
  expect(await engine.journal.compact({ ceiling: 20 }, asked)).toMatchObject(told);
});

test("a repeated compaction names again what held it, until that has ended", async () => {
  const { engine } = await twoTasks();
  const asked = { ...ADA, key: "once" };
  const first = await engine.journal.compact({ ceiling: 3 }, asked);
  expect(first.heldBy).toHaveLength(1);
  expect(await engine.journal.compact({ ceiling: 3 }, asked)).toEqual(first);
  await engine.conclude({ outcome: "partial", reason: "enough" }, BOB);
  const later = await engine.journal.compact({ ceiling: 3 }, asked);
  expect(later).toEqual({ ...first, heldBy: [] });
});

test("where nothing can be removed, nothing is read for it", async () => {
  const { engine, store } = await twoTasks();
  await engine.journal.compact({ ceiling: 3 });
  const read = store.read.bind(store);
  const asked: number[] = [];
  store.read = (afterSeq, limit) => {
    asked.push(afterSeq);
    return read(afterSeq, limit);
  };
  expect(await engine.journal.compact({ ceiling: 3 })).toMatchObject({
    removed: 0,
    heldBy: [{ taskId: "second" }],
  });
  expect(asked).toEqual([]);
});

test("a compaction that is overtaken again and again ends as busy", async () => {
  const { engine, store, workspace } = await openEngineOver();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  await notes(engine, 60);
  const append = store.append.bind(store);
  let ceiling = 60;
  store.append = async (known, keys, plan) => {
    store.append = append;
    await other.engine.journal.compact({ ceiling: ceiling-- });
    await notes(other.engine, 1);
    store.append = overtaken;
    return append(known, keys, plan);
  };
  const overtaken = store.append;
  const compacted = engine.journal.compact({ ceiling: 5 });
  await expect(compacted).rejects.toMatchObject({ code: "journal/busy" });
  store.append = append;
  expect(await engine.journal.verify()).toMatchObject({ ok: true });
});

test("commands that another engine has in hand are decided on the compacted journal", async () => {
  const { engine, store, workspace } = await twoTasks();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  await engine.journal.compact({ ceiling: 20 });
  const { events } = await other.engine.dispatch(observed(workspace.digest), BOB);
  expect(events[0]?.header.seq).toBe((await engine.journal.head()).seq);
  expect(await other.engine.journal.verify()).toMatchObject({ ok: true });
  expect(await engine.journal.verify()).toMatchObject({ ok: true });
});

test("a compaction that another one overtakes begins again", async () => {
  const { engine, store, workspace } = await twoTasks();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  const append = store.append.bind(store);
  let isFirst = true;
  store.append = async (known, keys, plan) => {
    if (isFirst) {
      isFirst = false;
      await other.engine.journal.compact({ ceiling: 25 });
    }
    return append(known, keys, plan);
  };
  const report = await engine.journal.compact({ ceiling: 20 });
  expect(report.kept).toBe(20);
  expect(await engine.journal.verify()).toMatchObject({ ok: true, events: 20 });
});

test("a damaged journal is never compacted, wherever the damage is", async () => {
  const { store, workspace } = await twoTasks();
  const rows = await store.read(0, 100);
  for (const seq of [2, 12, rows.length - 1]) {
    const damaged = new MemoryStore(fixedPorts(7).ids);
    await damaged.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({
      rows: rows.map((row) => (row.header.seq === seq ? { ...row, bodyText: '{"n":77}' } : row)),
    }));
    const { engine } = await openEngineOver({ store: damaged, workspace, kind: 3 });
    const compacted = engine.journal.compact({ ceiling: 5 });
    await expect(compacted).rejects.toMatchObject({ code: "journal/corrupt" });
    expect(await damaged.read(0, 100)).toHaveLength(rows.length);
  }
});

test("damage that a snapshot hides is found before anything is removed", async () => {
  const { engine, store, workspace } = await openEngineOver();
  await notes(engine, 1_000);
  await notes(engine, 5);
  const snapshot = await store.readSnapshot();
  if (snapshot === null) throw new Error("No snapshot was taken.");
  const rows = await store.read(0, 2_000);
  const damaged = new MemoryStore(fixedPorts(7).ids);
  await damaged.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({
    rows: rows.map((row) => (row.header.seq === 500 ? { ...row, bodyText: "{}" } : row)),
  }));
  await damaged.writeSnapshot(snapshot);
  const other = await openEngineOver({ store: damaged, workspace, kind: 3 });
  expect(other.engine.journal.damage).toBeNull();
  const compacted = other.engine.journal.compact({ ceiling: 900 });
  await expect(compacted).rejects.toMatchObject({
    code: "journal/corrupt",
    message: expect.stringContaining("event 500"),
  });
});

test("a changed beginning that a snapshot hides is damage, and no error of the program", async () => {
  const { engine, store, workspace } = await openEngineOver();
  await notes(engine, 1_000);
  await notes(engine, 5);
  const snapshot = await store.readSnapshot();
  const rows = await store.read(0, 2_000);
  const damaged = new MemoryStore(fixedPorts(7).ids);
  await damaged.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({
    rows: rows.map((row) => (row.header.seq === 1 ? { ...row, bodyText: "no JSON" } : row)),
  }));
  await damaged.writeSnapshot(snapshot);
  const other = await openEngineOver({ store: damaged, workspace, kind: 3 });
  const compacted = other.engine.journal.compact({ ceiling: 900 });
  await expect(compacted).rejects.toMatchObject({
    code: "journal/corrupt",
    message: expect.stringContaining("event 1"),
  });
});

test.each([0, -1, 1.5, Number.NaN])("the ceiling %d is refused", async (ceiling) => {
  const { engine } = await openEngineOver();
  const compacted = engine.journal.compact({ ceiling });
  await expect(compacted).rejects.toMatchObject({ code: "input/invalid" });
});

test("the ceiling can be set for an engine, and a session that begins goes by it", async () => {
  const ports = fixedPorts();
  const engine = await Engine.open({
    ...ports,
    sha256: portableSha256,
    store: new MemoryStore(ports.ids),
    workspace: new MapWorkspace({}),
    redactor: createRedactor(),
    switches: { autoRecovery: "on", phaseTools: "shadow", intelligenceEngine: "on" },
    compactionCeiling: 10,
  } satisfies EnginePorts);
  await notes(engine, 20);
  expect(await engine.journal.compactIfAbove(ADA)).toMatchObject({ kept: 10 });
  expect(await engine.journal.compactIfAbove(ADA)).toBeNull();
});
