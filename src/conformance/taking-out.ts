import assert from "node:assert/strict";
import { EMPTY_HEAD, type Head, snapshotOf, verifyRows } from "../journal/index.ts";
import {
  anEvent,
  appendTo,
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
} from "./setting.ts";

const snapshotAt = (head: Head) => snapshotOf(head, 1, '{"n":1}', hashOf);

/** Bodies that are shed, and a beginning that is removed. */
export const takingOut: readonly StoreTest[] = [
  storeTest(
    "a body that is taken out leaves its header, its hash and what stands for it",
    async (setting) => {
      const { one, other, journal } = setting;
      const [first, second, third] = await fill(setting, 4);
      await shed(journal, [second], { seq: 0 });
      await shed(journal, [third], null);
      const stored = await other.read(0, 10);
      assert.deepEqual(stored[0], first);
      assert.deepEqual(
        stored.slice(1, 3).map(({ header, hash }) => ({ header, hash })),
        [second, third].map((row) => ({ header: row?.header, hash: row?.hash })),
      );
      assert.deepEqual(
        stored.slice(1, 3).map(({ bodyText, replacement }) => [bodyText, replacement]),
        [
          [null, '{"seq":0}'],
          [null, null],
        ],
      );
      const { start, head } = await one.extent();
      assert.deepEqual(start, EMPTY_HEAD);
      assert.equal((await verifyRows(stored, hashOf, { storedHead: head })).ok, true);
    },
  ),

  storeTest("what stands for a body can be taken out in its turn", async (setting) => {
    const [, second] = await fill(setting, 2);
    await shed(setting.journal, [second], { seq: 0 });
    await shed(setting.journal, [second], null);
    const [stored] = await setting.other.read(1, 1);
    assert.deepEqual([stored?.bodyText, stored?.replacement], [null, null]);
  }),

  storeTest(
    "a beginning that is taken out is where the journal begins from then on",
    async (setting) => {
      const { one, other, journal } = setting;
      const key = hashOf("of the beginning");
      await appendTo(journal, anEvent({ seq: 2 }, { key }));
      const rows = await fill(setting, 4);
      await removeThrough(journal, rows[2]);
      const { start, head, rewritten } = await other.extent();
      assert.deepEqual(
        [start, head.seq, rewritten],
        [headAfter(rows[2]), rows.length + 1, head.seq],
      );
      const left = await other.read(0, 100);
      assert.deepEqual(left.slice(0, -1), rows.slice(3));
      assert.deepEqual(await other.read(2, 1), rows.slice(3, 4));
      assert.equal((await verifyRows(left, hashOf, { start, storedHead: head })).ok, true);
      await one.append(head, [key], ({ existing }) => {
        assert.equal(existing.size, 0);
        return { rows: [] };
      });
    },
  ),

  storeTest(
    "who knows a head that was taken out sees no tail, and that all was rewritten",
    async (setting) => {
      const rows = await fill(setting, 5);
      await removeThrough(setting.journal, rows[2]);
      const seen: unknown[] = [];
      for (const known of [headAfter(rows[1]), headAfter(rows[2])]) {
        await setting.other.append(known, [], ({ tail, start, rewritten }) => {
          seen.push([seqsOf(tail), start.seq, rewritten]);
          return { rows: [] };
        });
      }
      assert.deepEqual(seen, [
        [[], 3, 6],
        [[4, 5, 6], 3, 6],
      ]);
      const stranger = setting.other.append({ seq: 3, hash: hashOf("?") }, [], () => ({
        rows: [],
      }));
      await assert.rejects(stranger, { code: "journal/replaced" });
    },
  ),

  storeTest("a journal whose beginning was taken out goes on like any other", async (setting) => {
    const rows = await fill(setting, 4);
    await removeThrough(setting.journal, rows[1]);
    const journal = await openJournal(setting.other, fixedPorts(7));
    assert.equal(journal.damage, null);
    assert.equal((await appendTo(journal, anEvent()))[0]?.header.seq, 6);
    const { start, head } = await setting.one.extent();
    const left = await setting.one.read(0, 100);
    assert.equal((await verifyRows(left, hashOf, { start, storedHead: head })).ok, true);
  }),

  storeTest(
    "a change that takes something out drops the snapshot, and one from before it is not kept",
    async (setting) => {
      const { one, other, journal } = setting;
      const rows = await fill(setting, 3);
      for (const takeOut of [
        () => shed(journal, [rows[2]], null),
        () => removeThrough(journal, rows[1]),
      ]) {
        const before = (await one.extent()).head;
        await one.writeSnapshot(snapshotAt(before));
        await takeOut();
        assert.equal(await other.readSnapshot(), null);
        await other.writeSnapshot(snapshotAt(before));
        assert.equal(await one.readSnapshot(), null);
        const { head } = await one.extent();
        await other.writeSnapshot(snapshotAt(head));
        assert.deepEqual(await one.readSnapshot(), snapshotAt(head));
      }
    },
  ),

  storeTest("a plan that takes something out and throws leaves all as it was", async (setting) => {
    const { one, other, journal } = setting;
    const rows = await fill(setting, 3);
    const extent = await one.extent();
    await one.writeSnapshot(snapshotAt(extent.head));
    const cause = new Error("thought better of it");
    const failing = journal.append([], (append) => {
      append.takeOut({ shed: [{ seq: 2, text: null }], removeThrough: 2 });
      throw cause;
    });
    await assert.rejects(failing, cause);
    assert.deepEqual(await other.read(0, 10), rows);
    assert.deepEqual(await other.extent(), extent);
    assert.deepEqual(await other.readSnapshot(), snapshotAt(extent.head));
  }),

  storeTest(
    "a purge changes nothing that is read, and may be asked for at any time",
    async (setting) => {
      const { one, other, journal } = setting;
      await one.purge();
      const rows = await fill(setting, 3);
      await shed(journal, [rows[1]], { seq: 0 });
      const before = [await one.read(0, 10), await one.extent()];
      await one.purge();
      await one.purge();
      await other.purge();
      assert.deepEqual([await other.read(0, 10), await other.extent()], before);
      assert.equal((await appendTo(journal, anEvent()))[0]?.header.seq, 5);
    },
  ),
];
