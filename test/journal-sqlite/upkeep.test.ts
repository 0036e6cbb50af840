import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { DEFAULT_SWITCHES, Engine } from "../../src/engine/index.ts";
import { type JournalStore, portableSha256 } from "../../src/journal/index.ts";
import { createRedactor } from "../../src/redaction/index.ts";
import { MapWorkspace } from "../engine/workspace.ts";
import { fixedPorts } from "../journal/makers.ts";
import { journalFileIn, openStoreIn, stateDirIn, tamper, temporaryFolder } from "./makers.ts";

const SECRET = "TOP-demo-SECRET-42";
const REASON = "a pasted key";
const ADA = { session: "ada" };

async function engineOver(store: JournalStore, kind = 0): Promise<Engine> {
  return Engine.open({
    ...fixedPorts(kind),
    store,
    workspace: new MapWorkspace({}),
    redactor: createRedactor(),
    switches: DEFAULT_SWITCHES,
  });
}

async function engineIn(folder: string, kind = 0): Promise<Engine> {
  return engineOver(await openStoreIn(folder, { lockWaitMs: 200 }), kind);
}

/** The files of a state folder that hold a text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(stateDirIn(folder)).filter((name) =>
    readFileSync(path.join(stateDirIn(folder), name)).includes(text),
  );
}

const note = (engine: Engine, text: string) =>
  engine.journal.append({ type: "x.noted", body: { text } }, ADA);

test("a shed text is in no byte of any file, wherever SQLite had put it", async () => {
  const folder = temporaryFolder();
  const engine = await engineIn(folder);
  // Large and small bodies in turn, so that pages are split and rows move.
  for (let n = 0; n < 60; n++) {
    await note(engine, `${"x".repeat(n % 3 === 0 ? 9_000 : 30)} ${n} ${SECRET}`);
    await note(engine, `kept ${n}`);
  }
  const notes = Array.from({ length: 1_000 }, () => ({ type: "x.noted", body: {} }) as const);
  await engine.journal.append(notes, ADA);
  await note(engine, SECRET);
  expect(filesWith(folder, SECRET)).not.toEqual([]);
  const report = await engine.journal.shed({ text: SECRET, reason: REASON });
  expect(report).toMatchObject({ purged: true, replaced: 61 });
  expect(filesWith(folder, SECRET)).toEqual([]);
  expect(filesWith(folder, "kept 59")).toEqual(["journal.sqlite"]);
  await engine.close();
  expect(filesWith(folder, SECRET)).toEqual([]);
});

test("another connection sees the shedding, folds anew and can't bring the text back", async () => {
  const folder = temporaryFolder();
  const one = await engineIn(folder);
  await note(one, SECRET);
  const store = await openStoreIn(folder, { lockWaitMs: 200 });
  const other = await engineOver(store, 1);
  const notes = Array.from({ length: 1_000 }, () => ({ type: "x.noted", body: {} }) as const);
  await one.journal.append(notes, ADA);
  await one.journal.append(notes.slice(0, 2), ADA);
  const stale = await store.readSnapshot();
  expect(stale).not.toBeNull();
  await one.journal.shed({ text: SECRET, reason: REASON });
  await store.writeSnapshot(stale);
  expect(await store.readSnapshot()).toBeNull();
  await note(other, "goes on");
  expect(await other.journal.shedBodies()).toMatchObject([{ seq: 2 }]);
  await other.close();
  await one.close();
  expect(filesWith(folder, SECRET)).toEqual([]);
});

test("a purge that another reader holds up stays pending, is told, and is made up for", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder, { lockWaitMs: 50 });
  const engine = await engineOver(store);
  await note(engine, SECRET);
  const reader = new Database(journalFileIn(folder));
  onTestFinished(() => void reader.close());
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM events").get();
  const report = await engine.journal.shed({ text: SECRET, reason: REASON });
  expect(report).toMatchObject({
    shed: [{ seq: 2 }],
    purged: false,
    purgeProblem: { code: "journal/busy", remedy: expect.any(String) },
  });
  expect(await store.describe()).toMatchObject({ purgePending: true });
  expect(await engine.journal.verify()).toMatchObject({ ok: true, shedCount: 1 });
  // Whoever opens the journal meanwhile can use it all the same.
  await note(await engineOver(await openStoreIn(folder, { lockWaitMs: 50 }), 1), "goes on");
  reader.exec("ROLLBACK");
  reader.close();
  const later = await openStoreIn(folder);
  await engineOver(later, 2);
  expect(await later.describe()).toMatchObject({ purgePending: false });
  expect(filesWith(folder, SECRET)).toEqual([]);
});

test("asking again for the same text finishes a purge that was held up", async () => {
  const folder = temporaryFolder();
  const engine = await engineIn(folder);
  await note(engine, SECRET);
  await engine.journal.shed({ text: SECRET, reason: REASON });
  tamper(journalFileIn(folder), (database) => database.exec("UPDATE head SET purge = 1"));
  const again = await engine.journal.shed({ text: SECRET, reason: REASON });
  expect(again).toMatchObject({ shed: [], purged: true });
});

test("a purge leaves the mark of what another process takes out while it is at work", async () => {
  const folder = temporaryFolder();
  const engine = await engineIn(folder);
  await note(engine, SECRET);
  const { pragma } = Database.prototype;
  const checkpoint = vi.spyOn(Database.prototype, "pragma").mockImplementation(function (
    this: Database.Database,
    ...args
  ) {
    const result = pragma.apply(this, args);
    if (args[0].startsWith("wal_checkpoint")) {
      tamper(journalFileIn(folder), (other) => other.exec("UPDATE head SET purge = 99"));
    }
    return result;
  });
  await engine.journal.shed({ text: SECRET, reason: REASON });
  checkpoint.mockRestore();
  const purge = () => {
    let pending: unknown;
    tamper(journalFileIn(folder), (database) => {
      pending = database.prepare("SELECT purge FROM head").pluck().get();
    });
    return pending;
  };
  expect(purge()).toBe(99);
  await engine.journal.shed({ text: SECRET, reason: REASON });
  expect(purge()).toBe(0);
});

test("a damaged journal is opened without a purge: its file stays as it is", async () => {
  const folder = temporaryFolder();
  const engine = await engineIn(folder);
  await note(engine, "one");
  await engine.close();
  tamper(journalFileIn(folder), (database) => {
    database.exec("UPDATE head SET purge = 1; UPDATE events SET body = '{}' WHERE seq = 2");
  });
  const store = await openStoreIn(folder);
  await engineOver(store, 1);
  expect(await store.describe()).toMatchObject({ purgePending: true });
});

test("a compacted journal takes less room", async () => {
  const folder = temporaryFolder();
  const engine = await engineIn(folder);
  const body = { text: "x".repeat(2_000) };
  const notes = Array.from({ length: 1_000 }, () => ({ type: "x.noted", body }) as const);
  await engine.journal.append(notes, ADA);
  const size = () => statSync(journalFileIn(folder)).size;
  const sizeOfLog = () => statSync(`${journalFileIn(folder)}-wal`).size;
  await engine.journal.shed({ text: "nobody said this", reason: REASON });
  const before = size() + sizeOfLog();
  const report = await engine.journal.compact({ ceiling: 100 });
  expect(report).toMatchObject({ removed: 902, kept: 100, purged: true });
  expect(size() + sizeOfLog()).toBeLessThan(before / 5);
  expect(await engine.journal.verify()).toMatchObject({ ok: true, events: 100 });
  await engine.close();
  const again = await engineIn(folder, 1);
  expect(again.journal.damage).toBeNull();
  expect((await note(again, "goes on"))[0]?.header.seq).toBe(1_003);
});

test("names that only removed events had are in no byte of any file", async () => {
  const folder = temporaryFolder();
  const engine = await engineIn(folder);
  const gone = { session: "a session that goes" };
  const hash = portableSha256(gone.session);
  await engine.journal.append({ type: "x.type-that-goes", body: {} }, gone);
  for (let n = 0; n < 5; n++) await note(engine, `kept ${n}`);
  expect(filesWith(folder, "x.type-that-goes")).not.toEqual([]);
  expect(filesWith(folder, hash)).not.toEqual([]);
  expect(await engine.journal.compact({ ceiling: 3 }, ADA)).toMatchObject({ purged: true });
  expect(filesWith(folder, "x.type-that-goes")).toEqual([]);
  expect(filesWith(folder, hash)).toEqual([]);
  expect(await engine.journal.verify()).toMatchObject({ ok: true, events: 3 });
});

test("another connection reads right what a name's number is given to anew", async () => {
  const folder = temporaryFolder();
  const one = await engineIn(folder);
  const other = await engineIn(folder, 1);
  const append = (engine: Engine, type: `x.${string}`, session: string) =>
    engine.journal.append({ type, body: {} }, { session });
  for (let n = 0; n < 5; n++) await note(one, `${n}`);
  await one.journal.compact({ ceiling: 3 }, ADA);
  // The newest names, so that their numbers are the next to be given.
  await append(one, "x.z-old", "old");
  await append(other, "x.z-older", "older");
  for (let n = 0; n < 5; n++) await note(one, `${n}`);
  const numbers = () => {
    const rows: unknown[] = [];
    tamper(journalFileIn(folder), (database) => {
      rows.push(...database.prepare("SELECT id FROM names WHERE name GLOB 'x.z-*'").all());
    });
    return rows;
  };
  expect((await other.state()).notUnderstood).toBeNull();
  const before = numbers();
  await one.journal.compact({ ceiling: 3 }, ADA);
  expect(numbers()).toEqual([]);
  await append(one, "x.z-new", "new");
  await append(other, "x.z-newer", "newer");
  expect(numbers()).toEqual(expect.arrayContaining([before[0]]));
  for (const engine of [one, other]) {
    const types: string[] = [];
    for await (const { header } of engine.journal.rows()) types.push(header.type);
    expect(types.slice(-2)).toEqual(["x.z-new", "x.z-newer"]);
    await engine.state();
    expect(engine.journal.damage).toBeNull();
    expect(await engine.journal.verify()).toMatchObject({ ok: true });
  }
});
