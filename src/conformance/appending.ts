import assert from "node:assert/strict";
import { EMPTY_HEAD, parseExport, verifyRows } from "../journal/index.ts";
import {
  anEvent,
  appendTo,
  elsewhere,
  fill,
  fixedPorts,
  hashOf,
  headAfter,
  openJournal,
  RUN,
  type Setting,
  type StoreTest,
  seqsOf,
  storeTest,
  uuidOf,
} from "./setting.ts";

/** A text comes back as it went in, and so does what is appended after it. */
async function assertKept(
  { one, journal }: Pick<Setting, "one" | "journal">,
  text: string,
): Promise<void> {
  const [large, next] = await appendTo(journal, anEvent({ text }), anEvent({ after: "it" }));
  const rows = await one.read(1, 10);
  assert.deepEqual(
    rows.map(({ hash }) => hash),
    [large?.hash, next?.hash],
  );
  // Not compared as a whole: what differs would be shown, and that is megabytes.
  const stored = (JSON.parse(rows[0]?.bodyText ?? "{}") as { readonly text?: string }).text ?? "";
  assert.equal(stored.length, text.length);
  assert.ok(stored === text, "The body has the length that was stored, but not the text.");
  assert.equal((await verifyRows(await one.read(0, 10), hashOf)).ok, true);
}

/** Reading, appending, keys, closing, and several writers. */
export const appending: readonly StoreTest[] = [
  storeTest("a new journal holds its opening and nothing else", async ({ one }) => {
    const rows = await one.read(0, 10);
    assert.deepEqual(
      rows.map(({ header }) => header.type),
      ["journal.opened"],
    );
    assert.equal(rows[0]?.header.prev, EMPTY_HEAD.hash);
    const extent = { start: EMPTY_HEAD, head: headAfter(rows[0]), rewritten: 0 };
    assert.deepEqual(await one.extent(), extent);
  }),

  storeTest("rows are read back as they were appended", async ({ one, journal }) => {
    const body = JSON.parse(
      '{"__proto__":{"x":1},"😀":"naïve \\u0000 \\u2028","n":[1e-7,1e21,-0.5]}',
    );
    const session = hashOf("session");
    const command = await appendTo(
      journal,
      anEvent(body, { run: RUN, session, key: hashOf("key") }),
      anEvent({}, { run: RUN, session }),
      anEvent({ text: "" }, { cause: uuidOf(7) }),
    );
    const rows = await one.read(1, 10);
    assert.deepEqual(
      rows.map(({ header, hash }) => ({ header, hash })),
      command.map(({ header, hash }) => ({ header, hash })),
    );
    const [first, second, third] = rows.map(({ header }) => header);
    assert.deepEqual([first?.runSeq, second?.runSeq, third?.runSeq], [1, 2, 2]);
    assert.deepEqual([first?.key, second?.key], [hashOf("key"), null]);
    assert.deepEqual([second?.cause, third?.cause], [first?.id, uuidOf(7)]);
    assert.deepEqual([first?.session, third?.session], [session, null]);
    assert.deepEqual(JSON.parse(rows[0]?.bodyText ?? ""), body);
    assert.equal((await verifyRows(await one.read(0, 10), hashOf)).ok, true);
  }),

  storeTest("a body of a megabyte is read back whole", async ({ other, journal }) => {
    await assertKept({ one: other, journal }, "0123456789abcdef".repeat(65_536));
  }),

  storeTest(
    "a body of three megabytes in characters of two, three and four bytes is read back whole",
    async ({ other, journal }) => {
      await assertKept({ one: other, journal }, "é€😀".repeat(349_525));
    },
  ),

  storeTest("reading begins after a position and ends at a limit", async (setting) => {
    await fill(setting, 6);
    const seqs = async (after: number, limit: number) =>
      seqsOf(await setting.one.read(after, limit));
    assert.deepEqual(await seqs(0, 2), [1, 2]);
    assert.deepEqual(await seqs(2, 3), [3, 4, 5]);
    assert.deepEqual(await seqs(5, 10), [6]);
    assert.deepEqual(await seqs(6, 10), []);
  }),

  storeTest("a plan sees what stands after the head that its caller knows", async (setting) => {
    const rows = await fill(setting, 4);
    const seen: unknown[] = [];
    for (const known of [rows[1], rows[3]]) {
      await setting.one.append(headAfter(known), [], ({ tail, head, start, rewritten }) => {
        seen.push(seqsOf(tail), head, start, rewritten);
        return { rows: [] };
      });
    }
    const head = headAfter(rows[3]);
    assert.deepEqual(seen, [[3, 4], head, EMPTY_HEAD, 0, [], head, EMPTY_HEAD, 0]);
    assert.deepEqual((await setting.one.extent()).head, head);
  }),

  storeTest(
    "a known head that is not in the journal is refused, and no plan asked",
    async (setting) => {
      const rows = await fill(setting, 3);
      const { hash } = headAfter(rows[2]);
      const strangers = [
        { seq: 3, hash: "f".repeat(64) },
        { seq: 2, hash },
        { seq: 9, hash },
      ];
      for (const known of strangers) {
        const asked = setting.one.append(known, [], () => {
          throw new Error("The plan was asked.");
        });
        await assert.rejects(asked, { code: "journal/replaced" });
      }
    },
  ),

  storeTest(
    "a plan that throws stores nothing, and the next finds all as it was",
    async (setting) => {
      const { one, journal } = setting;
      const rows = await fill(setting, 3);
      const cause = new Error("thought better of it");
      const failing = journal.append([], (append) => {
        append.add([anEvent({ lost: true })]);
        throw cause;
      });
      await assert.rejects(failing, cause);
      assert.deepEqual(await one.read(0, 100), rows);
      const [next] = await appendTo(journal, anEvent({ kept: true }));
      assert.equal(next?.header.seq, 4);
      assert.equal((await verifyRows(await one.read(0, 100), hashOf)).ok, true);
    },
  ),

  storeTest(
    "a command with an event that can't be stored leaves the others of its commit",
    async ({ one, journal }) => {
      await journal.append([], (append) => {
        append.add([anEvent({ n: 1 })]);
        assert.throws(() => append.add([anEvent({ n: 2 }), anEvent({ n: Number.NaN })]));
        append.add([anEvent({ n: 3 })]);
      });
      const bodies = (await one.read(1, 10)).map(({ bodyText }) => bodyText);
      assert.deepEqual(bodies, ['{"n":1}', '{"n":3}']);
    },
  ),

  storeTest(
    "a used key gives the events of its command and no others",
    async ({ one, journal }) => {
      const key = hashOf("the key");
      await appendTo(journal, anEvent({ before: true }, { key: hashOf("before") }));
      const command = await appendTo(journal, anEvent({ n: 1 }, { key }), anEvent({ n: 2 }));
      const cause = command[0]?.header.id ?? null;
      await appendTo(journal, anEvent({ after: true }, { key: hashOf("after"), cause }));
      await appendTo(journal, anEvent({ without: true }));
      await one.append(EMPTY_HEAD, [key, hashOf("never used")], ({ existing }) => {
        assert.deepEqual([...existing.keys()], [key]);
        assert.deepEqual(
          existing.get(key)?.map(({ hash }) => hash),
          command.map(({ hash }) => hash),
        );
        return { rows: [] };
      });
    },
  ),

  storeTest("the key of the last command gives its events too", async ({ one, journal }) => {
    const key = hashOf("last");
    await appendTo(journal, anEvent({ n: 1 }, { key }), anEvent({ n: 2 }), anEvent({ n: 3 }));
    await one.append(EMPTY_HEAD, [key], ({ existing }) => {
      assert.deepEqual(seqsOf(existing.get(key) ?? []), [2, 3, 4]);
      return { rows: [] };
    });
  }),

  storeTest("appends that overlap on one handle come one after the other", async ({ one }) => {
    const journals = await Promise.all(
      Array.from({ length: 8 }, (_, kind) => openJournal(one, fixedPorts(kind + 1))),
    );
    await Promise.all(
      journals.map(async (journal, writer) => {
        for (let n = 0; n < 5; n++) await appendTo(journal, anEvent({ writer, n }));
      }),
    );
    const rows = await one.read(0, 100);
    const { ok, events } = await verifyRows(rows, hashOf);
    assert.deepEqual([ok, events], [true, 41]);
    assert.equal(new Set(rows.map(({ bodyText }) => bodyText)).size, 41);
  }),

  storeTest("two handles on one store see what the other appended", async ({ journal, other }) => {
    const second = await openJournal(other, fixedPorts(9));
    await appendTo(journal, anEvent({ by: "one" }));
    await appendTo(second, anEvent({ by: "other" }));
    const [third] = await journal.append([], (append) => {
      assert.deepEqual(
        append.tail.map(({ body }) => body),
        [{ by: "other" }],
      );
      append.add([anEvent({ by: "one again" })]);
    });
    assert.deepEqual([third?.header.seq, third?.header.runSeq], [4, 4]);
    const seen: unknown[] = [];
    await second.catchUp(({ body }) => seen.push(body));
    assert.deepEqual(seen, [{ by: "one again" }]);
    assert.deepEqual((await other.extent()).head, second.head);
  }),

  storeTest("after close every call is refused, and closing again is none", async (setting) => {
    const { one } = setting;
    const rows = await fill(setting, 2);
    const { text } = await elsewhere(anEvent());
    await one.close();
    await one.close();
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      extent: () => one.extent(),
      read: () => one.read(0, 10),
      append: () => one.append(headAfter(rows[1]), [], () => ({ rows: [] })),
      purge: () => one.purge(),
      importRows: () => one.importRows(parseExport([text], hashOf)),
      readSnapshot: () => one.readSnapshot(),
      writeSnapshot: () => one.writeSnapshot(null),
      commandKey: () => one.commandKey(),
    };
    for (const [name, call] of Object.entries(calls)) {
      await assert.rejects(call, { code: "journal/closed" }, name);
    }
  }),

  storeTest("the command key is random text that stays the same", async ({ one, other }) => {
    assert.match(await one.commandKey(), /^[0-9a-f]{64}$/);
    assert.equal(await other.commandKey(), await one.commandKey());
  }),
];
