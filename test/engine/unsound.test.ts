import { expect, test } from "vitest";
import { type EventRow, type JournalStore, MemoryStore } from "../../src/journal/index.ts";
import type { Command } from "../../src/task/index.ts";
import { anEvent, appendTo, fixedPorts, openJournal } from "../journal/makers.ts";
import { DRAFT, observed, openEngineOver, provedTask } from "./makers.ts";

async function rowsOf(store: JournalStore): Promise<readonly EventRow[]> {
  return store.read(0, 1_000);
}

async function storeWith(rows: readonly EventRow[]): Promise<JournalStore> {
  const store = new MemoryStore(fixedPorts(7).ids);
  await store.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({ rows }));
  return store;
}

const COMMANDS: readonly Command[] = [
  { type: "startTask", draft: DRAFT, intakeMode: "person" },
  observed(null),
  { type: "recordGate" },
  { type: "concludeTask", outcome: "completed" },
  { type: "pauseTask" },
  { type: "continueTask" },
  { type: "abandonTask", reason: "x" },
  { type: "retryTask" },
  { type: "appendExtension", events: [{ type: "x.noted", body: {} }] },
];

test("a journal with an event of a newer version is read, verified and exported, and not written", async () => {
  const source = await provedTask();
  const journal = await openJournal(source.store, fixedPorts(5));
  await appendTo(journal, anEvent({ to: "the moon" }, { type: "task.teleported" }));
  const lines: string[] = [];
  for await (const line of source.engine.journal.export()) lines.push(line);

  const { engine } = await openEngineOver({ workspace: source.workspace, kind: 2 });
  await engine.journal.import(lines);
  expect((await engine.state()).notUnderstood).toMatchObject({ type: "task.teleported" });
  expect((await engine.task(source.run)).task.status).toBe("open");
  expect(await engine.journal.verify()).toMatchObject({ ok: true, events: lines.length });
  const again: string[] = [];
  for await (const line of engine.journal.export()) again.push(line);
  expect(again).toEqual(lines);

  for (const command of COMMANDS) {
    await expect(engine.dispatch(command, { session: "ada" })).rejects.toMatchObject({
      code: "journal/unknown-event",
      message: expect.stringContaining("task.teleported"),
    });
  }
  expect(await engine.resume({ session: "ada" })).toMatchObject({
    decision: "blocked",
    safe: false,
  });
  expect((await engine.journal.head()).seq).toBe(lines.length);
});

test("an event of the journal's own that this version does not know stops all writing too", async () => {
  const { engine, store } = await openEngineOver();
  const journal = await openJournal(store, fixedPorts(5));
  await appendTo(journal, anEvent({ removed: 7 }, { type: "journal.pruned" }));
  await expect(
    engine.journal.append([{ type: "x.noted", body: {} }], { session: "s" }),
  ).rejects.toMatchObject({ code: "journal/unknown-event" });
});

test("events of other programs are no events of a newer version", async () => {
  const { engine } = await openEngineOver();
  await engine.journal.append([{ type: "x.anything.at-all:1", body: { n: 1 } }], { session: "s" });
  expect((await engine.state()).notUnderstood).toBeNull();
  await expect(
    engine.journal.append([{ type: "task.started" as "x.", body: {} }], { session: "s" }),
  ).rejects.toMatchObject({ code: "journal/type-reserved" });
});

test("on a damaged journal the status shows what is sound, and every write is refused (FR-026)", async () => {
  const source = await provedTask();
  const rows = await rowsOf(source.store);
  const at = rows.findIndex(({ header }) => header.type === "command.observed") + 1;
  const damaged = rows.map((row) =>
    row.header.seq === at
      ? { ...row, bodyText: row.bodyText?.replace('"exitCode":0', '"exitCode":1') ?? null }
      : row,
  );
  const store = await storeWith(damaged);
  const { engine } = await openEngineOver({ store, workspace: source.workspace, kind: 2 });

  expect(await engine.journal.verify()).toMatchObject({
    ok: false,
    problems: [{ seq: at, code: "content" }],
  });
  const status = await engine.status({ session: "ada" });
  expect(status).toMatchObject({
    state: "corrupt",
    task: { run: source.run },
    journal: { verifiedUpTo: at - 1, damage: expect.stringContaining(`event ${at}`) },
  });
  const corrupt = expect.objectContaining({ code: "journal/corrupt" });
  for (const command of COMMANDS) {
    await expect(engine.dispatch(command, { session: "ada" })).rejects.toEqual(corrupt);
  }
  await expect(engine.gate(source.run, { session: "ada" })).rejects.toEqual(corrupt);
  expect(await engine.resume({ session: "ada" })).toMatchObject({
    decision: "blocked",
    safe: false,
  });
  expect(await rowsOf(store)).toEqual(damaged);
});

test("taking the body of a failure out does not make the gate pass", async () => {
  const source = await provedTask();
  const { events } = await source.engine.dispatch(
    observed(source.workspace.digest, { exitCode: 1, call: "call-2" }),
    { session: "ada" },
  );
  const failed = events[0]?.header.seq;
  const rows = (await rowsOf(source.store)).map((row) =>
    row.header.seq === failed ? { ...row, bodyText: null } : row,
  );
  const store = await storeWith(rows);
  const { engine } = await openEngineOver({ store, workspace: source.workspace, kind: 2 });
  await expect(engine.gate(source.run, { session: "ada" })).rejects.toMatchObject({
    code: "journal/corrupt",
  });
});

test("events beyond the store's own head record show when the journal is verified", async () => {
  const source = await provedTask();
  const rows = await rowsOf(source.store);
  const third = { seq: 3, hash: rows[2]?.hash ?? "" };
  const store: JournalStore = {
    extent: async () => ({ ...(await source.store.extent()), head: third }),
    read: (after, limit) => source.store.read(after, limit),
    append: (known, keys, plan) => source.store.append(known, keys, plan),
    purge: () => source.store.purge(),
    importRows: (given) => source.store.importRows(given),
    commandKey: () => source.store.commandKey(),
    readSnapshot: () => source.store.readSnapshot(),
    writeSnapshot: (snapshot) => source.store.writeSnapshot(snapshot),
    close: () => source.store.close(),
  };
  const { engine } = await openEngineOver({ store, workspace: source.workspace, kind: 2 });
  expect(await engine.journal.verify()).toMatchObject({ ok: false });
});

test("a run that stands behind the damage is not said to be unknown", async () => {
  const source = await provedTask();
  const rows = await rowsOf(source.store);
  const damaged = rows.map((row) =>
    row.header.type === "task.started" ? { ...row, bodyText: `${row.bodyText} ` } : row,
  );
  const { engine } = await openEngineOver({ store: await storeWith(damaged), kind: 2 });
  await expect(engine.task()).rejects.toMatchObject({ code: "journal/corrupt" });
  await expect(engine.task(source.run)).rejects.toMatchObject({ code: "journal/corrupt" });
  expect(() => engine.journal.assertSound()).toThrow(/damaged at event 2/);
});
