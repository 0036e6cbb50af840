import { expect, test } from "vitest";
import { removeThrough } from "../../src/conformance/setting.ts";
import { EMPTY_HEAD, MemoryStore, parseExport } from "../../src/journal/index.ts";
import { anEvent, appendTo, fixedPorts, hashOf, openJournal } from "./makers.ts";
import { describeStore } from "./store-suite.ts";

describeStore(async () => {
  const store = new MemoryStore(fixedPorts().ids);
  return { one: store, other: store };
});

test("a memory store is empty until a journal is opened over it", async () => {
  const store = new MemoryStore(fixedPorts().ids);
  expect((await store.extent()).head).toEqual(EMPTY_HEAD);
  expect(await store.read(0, 10)).toEqual([]);
});

test("an import that is refused counts what is held, without what compaction removed", async () => {
  const store = new MemoryStore(fixedPorts().ids);
  const journal = await openJournal(store);
  await appendTo(journal, ...Array.from({ length: 12 }, () => anEvent()));
  const rows = await store.read(0, 100);
  await removeThrough(journal, rows.at(-2));
  await expect(store.importRows(parseExport([], hashOf))).rejects.toMatchObject({
    code: "journal/not-empty",
    message: expect.stringContaining("already holds 2 events"),
  });
});
