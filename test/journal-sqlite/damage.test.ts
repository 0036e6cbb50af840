import { cpSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { expect, test } from "vitest";
import { type JournalStore, parseExport, verifyRows } from "../../src/journal/index.ts";
import {
  anEvent,
  appendTo,
  exportOf,
  fixedPorts,
  hashOf,
  openJournal,
  RUN,
  rowsOf,
} from "../journal/makers.ts";
import { journalFileIn, openStoreIn, stateDirIn, tamper, temporaryFolder } from "./makers.ts";

/** A closed journal with this many events, and where it is. */
async function closedJournal(events: number): Promise<string> {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder);
  const journal = await openJournal(store);
  for (let n = 2; n <= events; n++) {
    await appendTo(journal, anEvent({ n, verdict: "pass" }, { run: RUN, session: hashOf("s") }));
  }
  await store.close();
  return folder;
}

/** Gives events another type, up to their condition. */
const renamed = (type: string) =>
  `INSERT INTO names (name) VALUES ('${type}'); ` +
  `UPDATE events SET type = (SELECT id FROM names WHERE name = '${type}')`;

async function problemsOf(store: JournalStore) {
  const rows = await store.read(0, 1_000);
  const { problems } = await verifyRows(rows, hashOf, { storedHead: (await store.extent()).head });
  return problems.map(({ seq, code }) => `${seq} ${code}`);
}

test("a value changed deep inside a stored body is found at that event's number (FR-024)", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder);
  const journal = await openJournal(store);
  await appendTo(journal, anEvent({ list: [{ z: 1, a: { y: 1, x: 2 } }], "😀": 1 }));
  await appendTo(journal, anEvent());
  expect(await problemsOf(store)).toEqual([]);
  tamper(journalFileIn(folder), (database) => {
    database.exec(`UPDATE events SET body = replace(body, '"x":2', '"x":3') WHERE seq = 2`);
  });
  expect(await problemsOf(store)).toEqual(["2 content"]);
});

test("a verdict changed in one event of a hundred is named apart from a broken link (FR-026)", async () => {
  const folder = await closedJournal(100);
  tamper(journalFileIn(folder), (database) => {
    database.exec("UPDATE events SET body = replace(body, 'pass', 'fail') WHERE seq = 40");
  });
  const store = await openStoreIn(folder);
  expect(await problemsOf(store)).toEqual(["40 content"]);
  const journal = await openJournal(store, fixedPorts(2));
  expect(journal.head.seq).toBe(39);
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({ code: "journal/corrupt" });
  expect((await store.extent()).head.seq).toBe(100);
});

test.each([
  ["a type", `${renamed("x.other")} WHERE seq = 4`, "4 link"],
  ["a type with a quote", `${renamed('x."')} WHERE seq = 4`, "4 link"],
  ["a type that stands for nothing", "UPDATE events SET type = 999 WHERE seq = 4", "4 link"],
  ["a time", "UPDATE events SET at = at + 1 WHERE seq = 4", "4 link"],
  [
    "a time beyond all calendars",
    "UPDATE events SET at = 9000000000000000000 WHERE seq = 4",
    "4 link",
  ],
  ["a run", "UPDATE events SET run = NULL WHERE seq = 4", "4 link"],
  ["a position in a run", "UPDATE events SET run_seq = 9 WHERE seq = 4", "4 link"],
  ["an id cut short", "UPDATE events SET id = x'01' WHERE seq = 4", "4 link"],
  ["a cause", "UPDATE events SET cause = id WHERE seq = 4", "4 link"],
  ["a key", "UPDATE events SET key = zeroblob(32) WHERE seq = 4", "4 link"],
  ["a session", "UPDATE events SET session = NULL WHERE seq = 4", "4 link"],
  ["a digest", "UPDATE events SET body_digest = zeroblob(32) WHERE seq = 4", "4 content"],
  ["a body taken out", "UPDATE events SET body = NULL WHERE seq = 4", "4 content"],
  ["a body that is no JSON", "UPDATE events SET body = '{' WHERE seq = 4", "4 content"],
  [
    "a body that is no text",
    "UPDATE events SET body = CAST(x'ff00fe' AS TEXT) WHERE seq = 4",
    "4 content",
  ],
  ["an event taken out", "DELETE FROM events WHERE seq = 4", "5 gap"],
  ["the opening taken out", "DELETE FROM events WHERE seq = 1", "2 gap"],
  ["the end taken out", "DELETE FROM events WHERE seq > 4", "6 missing-tail"],
] as const)("%s in the database itself is found and stops all writing", async (_, sql, problem) => {
  const folder = await closedJournal(6);
  tamper(journalFileIn(folder), (database) => {
    database.pragma("foreign_keys = OFF");
    database.exec(sql);
  });
  const store = await openStoreIn(folder);
  expect(await problemsOf(store)).toEqual([problem]);
  const journal = await openJournal(store, fixedPorts(2));
  expect(journal.damage).not.toBeNull();
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({ code: "journal/corrupt" });
});

test("a head record that went back is found, and nothing is written over what is there", async () => {
  const folder = await closedJournal(6);
  tamper(journalFileIn(folder), (database) => {
    database.exec("UPDATE head SET (seq, hash) = (SELECT seq, hash FROM events WHERE seq = 3)");
  });
  const store = await openStoreIn(folder);
  const journal = await openJournal(store, fixedPorts(2));
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({ code: "journal/corrupt" });
  expect(await store.read(0, 10)).toHaveLength(6);
});

test("a head record that went ahead while the journal was open is found under the lock", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder);
  const journal = await openJournal(store);
  tamper(journalFileIn(folder), (database) => {
    database.exec("UPDATE head SET seq = 5");
  });
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({ code: "journal/corrupt" });
  expect(await store.read(0, 10)).toHaveLength(1);
});

test.each([
  ["the head record", "DELETE FROM head"],
  ["the table of events", "DROP TABLE events"],
  ["the command key", "DELETE FROM meta"],
] as const)("a journal without %s is corrupt", async (_, sql) => {
  const folder = await closedJournal(3);
  tamper(journalFileIn(folder), (database) => {
    database.exec(sql);
  });
  const used = openStoreIn(folder).then(async (store) => {
    (await store.extent()).head;
    await store.commandKey();
  });
  await expect(used).rejects.toMatchObject({ code: "journal/corrupt" });
});

test("a journal whose head says that it is empty gets no second opening", async () => {
  const folder = await closedJournal(3);
  tamper(journalFileIn(folder), (database) => {
    database.exec("UPDATE head SET seq = 0, hash = zeroblob(32)");
  });
  const store = await openStoreIn(folder);
  await expect(openJournal(store, fixedPorts(2))).rejects.toMatchObject({
    code: "journal/corrupt",
  });
});

test("the main file alone is no copy, its missing end shows by a noted head; an export is one (FR-015)", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder);
  const journal = await openJournal(store);
  await appendTo(journal, anEvent({ n: 2 }));
  await appendTo(journal, anEvent({ n: 3 }));
  const noted = (await store.extent()).head;
  const copy = temporaryFolder();
  mkdirSync(stateDirIn(copy));
  cpSync(journalFileIn(folder), journalFileIn(copy));
  const copied = await openStoreIn(copy);
  const { ok, problems } = await verifyRows(await copied.read(0, 10), hashOf, { noted });
  expect(ok).toBe(false);
  expect(problems[0]?.message).toContain(`goes up to event 3 (${noted.hash})`);
  expect(problems[0]?.message).toContain("ends at event 1");
  // What is still in the log of the first journal was not touched by any of this.
  expect(statSync(`${journalFileIn(folder)}-wal`).size).toBeGreaterThan(0);
  expect(await rowsOf(journal)).toHaveLength(3);
  const exported = parseExport([await exportOf(journal)], hashOf).rows;
  expect(await verifyRows(exported, hashOf, { noted })).toMatchObject({ ok: true, events: 3 });
});

test("a journal cut to nothing is corrupt, and the log beside it is left as it is", async () => {
  const folder = temporaryFolder();
  const source = temporaryFolder();
  const journal = await openJournal(await openStoreIn(source));
  await appendTo(journal, anEvent({ only: "in the log" }));
  cpSync(stateDirIn(source), stateDirIn(folder), { recursive: true });
  truncateSync(journalFileIn(folder), 0);
  const log = `${journalFileIn(folder)}-wal`;
  const size = statSync(log).size;
  for (const create of ["never", "where-none-was", "new-after-loss"] as const) {
    await expect(openStoreIn(folder, { create })).rejects.toMatchObject({
      code: "journal/corrupt",
    });
  }
  expect(size).toBeGreaterThan(0);
  expect(statSync(log).size).toBe(size);
});

test.each([100, 4_096, 5_000, 10_000])("a journal cut to %d bytes is corrupt", async (size) => {
  const folder = await closedJournal(50);
  truncateSync(journalFileIn(folder), size);
  const used = openStoreIn(folder).then(async (store) => {
    const journal = await openJournal(store, fixedPorts(2));
    await appendTo(journal, anEvent());
  });
  await expect(used).rejects.toMatchObject({ code: "journal/corrupt" });
});

test("a file that is no database is left as it is", async () => {
  const folder = temporaryFolder();
  mkdirSync(stateDirIn(folder));
  const text = "Shopping list: bread, milk. ".repeat(100);
  writeFileSync(journalFileIn(folder), text, { mode: 0o644 });
  await expect(openStoreIn(folder)).rejects.toMatchObject({ code: "journal/not-a-journal" });
  expect(statSync(journalFileIn(folder))).toMatchObject({ size: text.length, mode: 0o100644 });
  expect(readdirSync(stateDirIn(folder))).toEqual(["journal.sqlite"]);
});

test.each([
  ["another application", (database: Database.Database) => database.pragma("application_id = 7")],
  ["nobody in particular", () => undefined],
] as const)("a database of %s is left as it is", async (_, mark) => {
  const folder = temporaryFolder();
  mkdirSync(stateDirIn(folder), { mode: 0o755 });
  const file = journalFileIn(folder);
  writeFileSync(file, "", { mode: 0o644 });
  tamper(file, (database) => {
    database.exec("CREATE TABLE theirs (a)");
    mark(database);
  });
  await expect(openStoreIn(folder)).rejects.toMatchObject({ code: "journal/not-a-journal" });
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(statSync(stateDirIn(folder)).mode & 0o777).toBe(0o755);
  expect(readdirSync(stateDirIn(folder))).toEqual([path.basename(file)]);
  tamper(file, (database) => {
    expect(database.pragma("journal_mode", { simple: true })).toBe("delete");
  });
});
