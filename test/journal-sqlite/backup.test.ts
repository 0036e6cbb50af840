import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { verifyRows } from "../../src/journal/index.ts";
import { anEvent, appendTo, fixedPorts, hashOf, openJournal } from "../journal/makers.ts";
import { journalFileIn, openStoreIn, tamper, temporaryFolder } from "./makers.ts";
import { placeStore } from "./version-one.ts";

/** A journal with two more events, which stand in its write-ahead log only. */
async function openJournalIn(folder: string) {
  const store = await openStoreIn(folder);
  const journal = await openJournal(store);
  for (const n of [2, 3]) await appendTo(journal, anEvent({ n }));
  return { store, journal };
}

test("a backup holds what is in the write-ahead log only, in one file, and verifies (FR-015)", async () => {
  const { store, journal } = await openJournalIn(temporaryFolder());
  const noted = (await store.extent()).head;
  const folder = temporaryFolder();
  const file = path.join(folder, "backup.sqlite");
  expect(await store.backup(file)).toEqual({ path: file, events: 3, head: noted });
  expect(readdirSync(folder)).toEqual(["backup.sqlite"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const back = temporaryFolder();
  placeStore(file, journalFileIn(back));
  const restored = await openStoreIn(back);
  const rows = await restored.read(0, 10);
  expect(await verifyRows(rows, hashOf, { noted })).toMatchObject({ ok: true, events: 3 });
  expect(await restored.commandKey()).toBe(await store.commandKey());
  // The journal went on as if nothing had been.
  expect((await appendTo(journal, anEvent()))[0]?.header.seq).toBe(4);
});

test("a backup is made while others write, and holds a whole commit", async () => {
  const folder = temporaryFolder();
  const { store } = await openJournalIn(folder);
  const other = await openJournal(await openStoreIn(folder), fixedPorts(2));
  const file = path.join(temporaryFolder(), "backup.sqlite");
  const write = async () => {
    for (let n = 0; n < 20; n++) await appendTo(other, anEvent({ n }), anEvent({ n }));
  };
  const writing = write();
  for (let count = 0; count < 5; count++) {
    const { events, head } = await store.backup(file, { replace: true });
    expect(events).toBe(head.seq);
    expect(events % 2).toBe(1);
  }
  await writing;
});

test("a backup takes the place of nothing, unless it is told to", async () => {
  const { store } = await openJournalIn(temporaryFolder());
  const folder = temporaryFolder();
  const file = path.join(folder, "mine");
  writeFileSync(file, "precious");
  await expect(store.backup(file)).rejects.toMatchObject({ code: "input/exists" });
  expect(readFileSync(file, "utf8")).toBe("precious");
  expect(await store.backup(file, { replace: true })).toMatchObject({ events: 3 });
  await expect(store.backup(path.join(folder, "no", "where"))).rejects.toMatchObject({
    code: "input/not-writable",
  });
  expect(readdirSync(folder)).toEqual(["mine"]);
});

test("a journal whose end is not where its head says gives no backup", async () => {
  const folder = temporaryFolder();
  const { store } = await openJournalIn(folder);
  tamper(journalFileIn(folder), (database) => database.exec("DELETE FROM events WHERE seq = 3"));
  const target = temporaryFolder();
  const made = store.backup(path.join(target, "backup.sqlite"));
  await expect(made).rejects.toMatchObject({ code: "journal/corrupt" });
  expect(readdirSync(target)).toEqual([]);
});

test.each([
  ["full", "full"],
  ["process", "normal"],
] as const)(
  "a journal that is opened with durability %s is synced as SQLite's %s (FR-018)",
  async (durability, synchronous) => {
    const store = await openStoreIn(temporaryFolder(), { durability });
    expect(await store.describe()).toMatchObject({ journalMode: "wal", synchronous });
  },
);
