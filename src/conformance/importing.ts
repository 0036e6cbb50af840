import assert from "node:assert/strict";
import { MemoryStore, parseExport, snapshotOf } from "../journal/index.ts";
import {
  anEvent,
  appendTo,
  elsewhere,
  fill,
  fixedPorts,
  hashOf,
  headAfter,
  openJournal,
  removeThrough,
  type StoreTest,
  seqsOf,
  shed,
  storeTest,
  textOf,
} from "./setting.ts";

/** Taking an export in, and the cached fold. */
export const importing: readonly StoreTest[] = [
  storeTest(
    "an import takes the place of an empty journal, with a command key of its own",
    async ({ one }) => {
      const key = await one.commandKey();
      const { rows, text } = await elsewhere(
        anEvent({ n: 1 }, { session: hashOf("s"), key: hashOf("k") }),
        anEvent(),
      );
      const head = headAfter(rows.at(-1));
      assert.deepEqual(await one.importRows(parseExport([text], hashOf)), head);
      assert.deepEqual((await one.extent()).head, head);
      assert.deepEqual(await one.read(0, 10), rows);
      assert.match(await one.commandKey(), /^[0-9a-f]{64}$/);
      assert.notEqual(await one.commandKey(), key);
      await one.append(head, [hashOf("k")], ({ existing }) => {
        assert.deepEqual(seqsOf(existing.get(hashOf("k")) ?? []), [2]);
        return { rows: [] };
      });
      const journal = await openJournal(one, fixedPorts(5));
      assert.equal((await appendTo(journal, anEvent()))[0]?.header.seq, 4);
    },
  ),

  storeTest(
    "whoever read the journal before an import finds that it was rewritten",
    async ({ one }) => {
      const { rows, text } = await elsewhere(anEvent());
      await one.importRows(parseExport([text], hashOf));
      assert.equal((await one.extent()).rewritten, headAfter(rows.at(-1)).seq);
    },
  ),

  storeTest("an import that breaks off leaves the journal as it was", async (setting) => {
    const { one } = setting;
    const rows = await fill(setting, 1);
    const key = await one.commandKey();
    const { text } = await elsewhere(anEvent({ n: 1 }), anEvent({ n: 2 }));
    const damaged = text.replace('{"n":2}', '{"n":3}');
    const imported = one.importRows(parseExport([damaged], hashOf));
    await assert.rejects(imported, { code: "journal/import-damaged" });
    assert.deepEqual(await one.read(0, 10), rows);
    assert.deepEqual((await one.extent()).head, headAfter(rows[0]));
    assert.equal(await one.commandKey(), key);
  }),

  storeTest("an import into a journal that holds events is refused", async (setting) => {
    const rows = await fill(setting, 2);
    const { text } = await elsewhere(anEvent());
    const imported = setting.one.importRows(parseExport([text], hashOf));
    await assert.rejects(imported, { code: "journal/not-empty" });
    assert.deepEqual(await setting.one.read(0, 10), rows);
  }),

  storeTest(
    "an import into a journal whose beginning was taken out is refused",
    async (setting) => {
      const { one, journal } = setting;
      const rows = await fill(setting, 3);
      await removeThrough(journal, rows[2]);
      const left = await one.read(0, 10);
      assert.deepEqual(seqsOf(left), [4]);
      const { text } = await elsewhere(anEvent());
      const imported = one.importRows(parseExport([text], hashOf));
      await assert.rejects(imported, { code: "journal/not-empty" });
      assert.deepEqual(await one.read(0, 10), left);
    },
  ),

  storeTest("an import brings what stands for bodies that were taken out", async ({ one }) => {
    const source = new MemoryStore(fixedPorts(0xe).ids);
    const journal = await openJournal(source, fixedPorts(0xe));
    for (const n of [2, 3]) await appendTo(journal, anEvent({ n }));
    const [, second, third] = await source.read(0, 10);
    await shed(journal, [second], { n: 0 });
    await shed(journal, [third], null);
    await one.importRows(parseExport([textOf(await source.read(0, 10))], hashOf));
    const stored = await one.read(1, 2);
    assert.deepEqual(
      stored.map(({ bodyText, replacement }) => [bodyText, replacement]),
      [
        [null, '{"n":0}'],
        [null, null],
      ],
    );
  }),

  storeTest("an import of a journal that begins later begins there, too", async ({ one }) => {
    const source = new MemoryStore(fixedPorts(0xe).ids);
    const journal = await openJournal(source, fixedPorts(0xe));
    for (const n of [2, 3]) await appendTo(journal, anEvent({ n }));
    const [, second] = await source.read(0, 10);
    await removeThrough(journal, second);
    const rows = await source.read(0, 10);
    await one.importRows(parseExport([textOf(rows)], hashOf));
    assert.deepEqual((await one.extent()).start, headAfter(second));
    assert.deepEqual(await one.read(0, 10), rows);
  }),

  storeTest(
    "a snapshot is kept until another one, none, or an import takes its place",
    async ({ one, other }) => {
      assert.equal(await one.readSnapshot(), null);
      const first = snapshotOf({ seq: 1, hash: hashOf("1") }, 1, '{"n":1}', hashOf);
      const second = snapshotOf({ seq: 2, hash: hashOf("2") }, 7, '{"n":"ü"}', hashOf);
      await one.writeSnapshot(first);
      assert.deepEqual(await other.readSnapshot(), first);
      await other.writeSnapshot(second);
      assert.deepEqual(await one.readSnapshot(), second);
      await one.writeSnapshot(null);
      assert.equal(await one.readSnapshot(), null);
      await one.writeSnapshot(first);
      await one.importRows(parseExport([(await elsewhere()).text], hashOf));
      assert.equal(await one.readSnapshot(), null);
    },
  ),
];
