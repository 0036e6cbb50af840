import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import {
  EMPTY_HEAD,
  type EventRow,
  Journal,
  parseExport,
  storedEvent,
  verifyRows,
} from "../../src/journal/index.ts";
import { copiesBeforeUpgrades } from "../../src/journal-sqlite/index.ts";
import { storeVersion, upgrade } from "../../src/journal-sqlite/upgrade.ts";
import { fold } from "../../src/task/index.ts";
import { summaryOf } from "../engine/golden-summary.ts";
import { anEvent, appendTo, fixedPorts, hashOf, openJournal } from "../journal/makers.ts";
import { journalFileIn, openStoreIn, stateDirIn, tamper, temporaryFolder } from "./makers.ts";
import { FROZEN_V1, FROZEN_V1_HEAD, glanceAt, placeStore } from "./version-one.ts";

const GOLDEN = path.join(import.meta.dirname, "../golden");
const FROZEN_V2 = path.join(GOLDEN, "v2-store.sqlite");

/** A project whose journal is a copy of a frozen one. */
function aProjectWith(frozen: string): string {
  const folder = temporaryFolder();
  placeStore(frozen, journalFileIn(folder));
  return folder;
}

/** The history of both frozen stores, as its frozen export tells it. */
const HISTORY = [
  ...parseExport([readFileSync(path.join(GOLDEN, "v1-task.jsonl"), "utf8")], hashOf).rows,
];
const summarised = (rows: readonly EventRow[]) => summaryOf(fold(rows.map(storedEvent)));

test("the frozen store of version 1 opens, verifies and folds as it always did", async () => {
  const store = await openStoreIn(aProjectWith(FROZEN_V1));
  const rows = await store.read(0, 1_000);
  const { start, head } = await store.extent();
  expect([start, head]).toEqual([EMPTY_HEAD, FROZEN_V1_HEAD]);
  expect(await verifyRows(rows, hashOf, { storedHead: head })).toMatchObject({
    ok: true,
    events: 23,
  });
  expect(summarised(rows)).toEqual(summarised(HISTORY));
  const journal = await openJournal(store, fixedPorts(7));
  expect((await appendTo(journal, anEvent()))[0]?.header.seq).toBe(24);
});

test("the frozen store of version 2 opens and verifies, and what was shed from it stays so", async () => {
  const store = await openStoreIn(aProjectWith(FROZEN_V2));
  const rows = await store.read(0, 1_000);
  const { head, rewritten } = await store.extent();
  expect([head.seq, rewritten]).toEqual([24, 24]);
  expect(await verifyRows(rows, hashOf, { storedHead: head })).toMatchObject({
    ok: true,
    events: 24,
  });
  const shed = rows.filter(({ bodyText }) => bodyText === null).map(storedEvent);
  expect(shed).toEqual([expect.objectContaining({ shed: true, body: { by: "[SHED]", stars: 5 } })]);
  expect(rows.slice(0, 23).map(({ hash }) => hash)).toEqual(HISTORY.map(({ hash }) => hash));
  expect(summarised(rows.slice(0, 23))).toEqual(summarised(HISTORY));
});

test("an upgrade keeps a copy of what was there before, for the owner alone, until somebody deletes it", async () => {
  const folder = aProjectWith(FROZEN_V1);
  await (await openStoreIn(folder)).close();
  expect(copiesBeforeUpgrades(stateDirIn(folder))).toEqual(["journal.sqlite.before-v2"]);
  const copy = path.join(stateDirIn(folder), "journal.sqlite.before-v2");
  expect(glanceAt(copy)).toEqual({ version: 1, events: 23, head: FROZEN_V1_HEAD });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  await (await openStoreIn(folder)).close();
  expect(existsSync(copy)).toBe(true);
  expect(glanceAt(journalFileIn(folder)).version).toBe(2);

  const back = temporaryFolder();
  placeStore(copy, journalFileIn(back));
  const store = await openStoreIn(back);
  expect((await store.extent()).head).toEqual(FROZEN_V1_HEAD);
});

test("the copy holds what stood in the write-ahead log only", async () => {
  const folder = aProjectWith(FROZEN_V1);
  const writer = new Database(journalFileIn(folder));
  onTestFinished(() => void writer.close());
  writer.pragma("wal_autocheckpoint = 0");
  writer.exec("INSERT INTO meta VALUES ('only-in-the-log', x'01')");
  await openStoreIn(folder);
  tamper(path.join(stateDirIn(folder), "journal.sqlite.before-v2"), (copy) => {
    const select = copy.prepare("SELECT count(*) FROM meta WHERE name = 'only-in-the-log'");
    expect(select.pluck().get()).toBe(1);
  });
});

test("tables that nothing upgrades stay as they are, and are not called newer than they are", () => {
  const file = path.join(temporaryFolder(), "journal.sqlite");
  const database = new Database(file);
  onTestFinished(() => void database.close());
  const alone = { type: "exclusive", why: "of the test" } as const;
  expect(() => upgrade(Database, database, file, alone)).toThrow("the tables of version 0");
  expect(storeVersion(database)).toBe(0);
  expect(database.inTransaction).toBe(false);
});

test("a store of today is not upgraded, and nothing is copied", async () => {
  const folder = temporaryFolder();
  await (await openStoreIn(folder)).close();
  await (await openStoreIn(folder)).close();
  expect(readdirSync(stateDirIn(folder)).sort()).toEqual([".gitignore", "journal.sqlite"]);
});

test("a journal with a copy that is in the way of the upgrade's is upgraded all the same", async () => {
  const folder = aProjectWith(FROZEN_V1);
  const copy = path.join(stateDirIn(folder), "journal.sqlite.before-v2");
  writeFileSync(copy, "what an upgrade left that was killed before it committed");
  await (await openStoreIn(folder)).close();
  expect(glanceAt(copy)).toMatchObject({ version: 1, events: 23 });
});

test("while one process upgrades, another waits, and is told in the end (FR-087)", async () => {
  const folder = aProjectWith(FROZEN_V1);
  const upgrading = new Database(journalFileIn(folder));
  onTestFinished(() => void upgrading.close());
  upgrading.exec("BEGIN IMMEDIATE");
  await expect(openStoreIn(folder, { lockWaitMs: 30 })).rejects.toMatchObject({
    code: "journal/busy",
  });
  const waiting = openStoreIn(folder, { lockWaitMs: 30_000 });
  upgrading.exec("ROLLBACK");
  expect((await (await waiting).extent()).head).toEqual(FROZEN_V1_HEAD);
});

test("drafts that were left by killed processes go after an hour, and nothing else does", async () => {
  const folder = temporaryFolder();
  await (await openStoreIn(folder)).close();
  const state = stateDirIn(folder);
  const uuid = "01234567-89ab-4def-8123-456789abcdef";
  const old = [`new-${uuid}`, `new-${uuid}-wal`, `before-v2.new-${uuid}`];
  const kept = ["before-v2", `lost-${uuid}`, "new-mine", "old"];
  for (const name of [...old, ...kept]) {
    const file = path.join(state, `journal.sqlite.${name}`);
    copyFileSync(journalFileIn(folder), file);
    utimesSync(file, 0, 0);
  }
  writeFileSync(path.join(state, `journal.sqlite.new-${uuid}-shm`), ""); // At work right now.
  await (await openStoreIn(folder)).close();
  const left = readdirSync(state).filter((name) => name.startsWith("journal.sqlite."));
  expect(left.sort()).toEqual(
    [...kept, `new-${uuid}-shm`].map((name) => `journal.sqlite.${name}`).sort(),
  );
});

test("an upgraded journal is read from its beginning, whatever its snapshot was", async () => {
  const folder = aProjectWith(FROZEN_V1);
  const journal = await Journal.open(await openStoreIn(folder), fixedPorts(8));
  await journal.catchUp(() => {});
  expect([journal.damage, journal.head]).toEqual([null, FROZEN_V1_HEAD]);
});
