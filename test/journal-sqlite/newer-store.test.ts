import { expect, test } from "vitest";
import { removeThrough } from "../../src/conformance/setting.ts";
import { STORE_VERSION } from "../../src/journal-sqlite/limits.ts";
import { anEvent, appendTo, openJournal } from "../journal/makers.ts";
import { journalFileIn, openStoreIn, tamper, temporaryFolder } from "./makers.ts";

/** A journal of four events, two of them removed, whose tables a newer version has made. */
async function newerStore(change = "") {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder);
  const journal = await openJournal(store);
  for (const n of [2, 3]) await appendTo(journal, anEvent({ n }));
  const [, second] = await store.read(0, 10);
  await removeThrough(journal, second);
  const stored = {
    extent: await store.extent(),
    rows: await store.read(0, 10),
    key: await store.commandKey(),
  };
  await store.close();
  tamper(journalFileIn(folder), (database) =>
    database.exec(`PRAGMA user_version = ${STORE_VERSION + 1}; ${change}`),
  );
  return { newer: await openStoreIn(folder), stored };
}

test("tables of a newer version are read as those of today are", async () => {
  const { newer, stored } = await newerStore();
  expect(newer.readOnly).toMatchObject({ code: "journal/newer-format" });
  expect(await newer.extent()).toEqual(stored.extent);
  expect(await newer.read(0, 10)).toEqual(stored.rows);
  expect(await newer.read(3, 10)).toEqual(stored.rows.slice(1));
  expect(await newer.commandKey()).toBe(stored.key);
  expect(await newer.describe()).toMatchObject({ storeVersion: STORE_VERSION + 1 });
});

test("a store that was closed says so, whichever version made its tables", async () => {
  const { newer } = await newerStore();
  const today = await openStoreIn(temporaryFolder());
  for (const store of [today, newer]) {
    await store.close();
    await store.close();
    for (const access of [
      () => store.extent(),
      () => store.read(0, 1),
      () => store.commandKey(),
      () => store.describe(),
    ]) {
      await expect(access()).rejects.toMatchObject({ code: "journal/closed" });
    }
  }
});

test("a newer journal without a command key is damaged, and none is made up for it", async () => {
  const { newer } = await newerStore("DELETE FROM meta");
  await expect(newer.commandKey()).rejects.toMatchObject({ code: "journal/corrupt" });
});
