import { expect, test } from "vitest";
import {
  EMPTY_HEAD,
  type EventRow,
  type Head,
  type JournalStore,
  parseExport,
  snapshotOf,
  verifyRows,
} from "../../src/journal/index.ts";
import {
  anEvent,
  appendTo,
  exportOf,
  fixedPorts,
  hashOf,
  memoryJournal,
  openJournal,
  RUN,
  rowsOf,
  uuidOf,
} from "./makers.ts";

/** Two handles on one store that holds nothing but the journal's opening. */
export interface TwoHandles {
  readonly one: JournalStore;
  readonly other: JournalStore;
}

const headOf = (row: EventRow | undefined): Head =>
  row === undefined ? EMPTY_HEAD : { seq: row.header.seq, hash: row.hash };

/** What every store promises, whatever it keeps its rows in. `open` begins a new journal each time. */
export function describeStore(open: () => Promise<TwoHandles>): void {
  async function opened() {
    const handles = await open();
    const journal = await openJournal(handles.one);
    return { ...handles, journal };
  }

  /** A journal with events numbered from 2, each with its number as body. */
  async function holding(last: number) {
    const made = await opened();
    for (let seq = 2; seq <= last; seq++) await appendTo(made.journal, anEvent({ seq }));
    return { ...made, rows: await made.one.read(0, 100) };
  }

  test("a new journal holds its opening and nothing else", async () => {
    const { one } = await opened();
    const rows = await one.read(0, 10);
    expect(rows.map(({ header }) => header.type)).toEqual(["journal.opened"]);
    expect(rows[0]?.header.prev).toBe(EMPTY_HEAD.hash);
    expect((await one.extent()).head).toEqual(headOf(rows[0]));
  });

  test("rows are read back as they were appended", async () => {
    const { one, journal } = await opened();
    const body = JSON.parse(
      '{"__proto__":{"x":1},"😀":"naïve \\u0000 \\u2028","n":[1e-7,1e21,-0.5]}',
    );
    const session = hashOf("session");
    await appendTo(
      journal,
      anEvent(body, { run: RUN, session, key: hashOf("key") }),
      anEvent({}, { run: RUN, session }),
      anEvent({ text: "" }, { cause: uuidOf(7) }),
    );
    const rows = await one.read(1, 10);
    expect(rows.map(({ header }) => header)).toEqual(
      (await rowsOf(journal)).slice(1).map(({ header }) => header),
    );
    const [first, second, third] = rows.map(({ header }) => header);
    expect(first).toMatchObject({ run: RUN, runSeq: 1, session, key: hashOf("key"), cause: null });
    expect(second).toMatchObject({ run: RUN, runSeq: 2, session, key: null, cause: first?.id });
    expect(third).toMatchObject({ run: "-", runSeq: 2, session: null, cause: uuidOf(7) });
    expect(JSON.parse(rows[0]?.bodyText ?? "")).toEqual(body);
    expect(await verifyRows(await one.read(0, 10), hashOf)).toMatchObject({ ok: true, events: 4 });
  });

  test("reading begins after a position and ends at a limit", async () => {
    const { one } = await holding(6);
    const seqs = async (after: number, limit: number) =>
      (await one.read(after, limit)).map(({ header }) => header.seq);
    expect(await seqs(0, 2)).toEqual([1, 2]);
    expect(await seqs(2, 3)).toEqual([3, 4, 5]);
    expect(await seqs(5, 10)).toEqual([6]);
    expect(await seqs(6, 10)).toEqual([]);
  });

  test("a plan sees what stands after the head that its caller knows", async () => {
    const { one, rows } = await holding(4);
    let seen: readonly number[] = [];
    await one.append(headOf(rows[1]), [], (view) => {
      seen = view.tail.map(({ header }) => header.seq);
      expect(view.head).toEqual(headOf(rows[3]));
      return { rows: [] };
    });
    expect(seen).toEqual([3, 4]);
    await one.append(headOf(rows[3]), [], (view) => {
      expect(view.tail).toEqual([]);
      return { rows: [] };
    });
    expect((await one.extent()).head).toEqual(headOf(rows[3]));
  });

  test("a known head that is not part of the journal is refused, and no plan is asked", async () => {
    const { one, rows } = await holding(3);
    const strangers: readonly Head[] = [
      { seq: 3, hash: "f".repeat(64) },
      { seq: 2, hash: headOf(rows[2]).hash },
      { seq: 9, hash: headOf(rows[2]).hash },
    ];
    for (const known of strangers) {
      const asked = one.append(known, [], () => {
        throw new Error("The plan was asked.");
      });
      await expect(asked).rejects.toMatchObject({ code: "journal/replaced" });
    }
  });

  test("a plan that throws stores nothing, and the next one finds all as it was", async () => {
    const { one, journal, rows } = await holding(3);
    const cause = new Error("thought better of it");
    const failing = journal.append([], (append) => {
      append.add([anEvent({ lost: true })]);
      throw cause;
    });
    await expect(failing).rejects.toBe(cause);
    expect(await one.read(0, 100)).toEqual(rows);
    const [next] = await appendTo(journal, anEvent({ kept: true }));
    expect(next?.header.seq).toBe(4);
    expect(await verifyRows(await one.read(0, 100), hashOf)).toMatchObject({ ok: true, events: 4 });
  });

  test("a command with one event that can't be stored leaves the others of its commit", async () => {
    const { one, journal } = await opened();
    await journal.append([], (append) => {
      append.add([anEvent({ n: 1 })]);
      expect(() => append.add([anEvent({ n: 2 }), anEvent({ n: Number.NaN })])).toThrow(
        "can't be stored exactly",
      );
      append.add([anEvent({ n: 3 })]);
    });
    const bodies = (await one.read(1, 10)).map(({ bodyText }) => bodyText);
    expect(bodies).toEqual(['{"n":1}', '{"n":3}']);
  });

  test("a used key gives the events of its command and no others", async () => {
    const { one, journal } = await opened();
    const key = hashOf("the key");
    await appendTo(journal, anEvent({ before: true }, { key: hashOf("before") }));
    const command = await appendTo(journal, anEvent({ n: 1 }, { key }), anEvent({ n: 2 }));
    const cause = command[0]?.header.id ?? null;
    await appendTo(journal, anEvent({ after: true }, { key: hashOf("after"), cause }));
    await appendTo(journal, anEvent({ without: true }));
    await one.append(EMPTY_HEAD, [key, hashOf("never used")], ({ existing }) => {
      expect([...existing.keys()]).toEqual([key]);
      expect(existing.get(key)?.map(({ header }) => header.id)).toEqual(
        command.map(({ header }) => header.id),
      );
      return { rows: [] };
    });
  });

  test("the key of the last command gives its events too", async () => {
    const { one, journal } = await opened();
    const key = hashOf("last");
    await appendTo(journal, anEvent({ n: 1 }, { key }), anEvent({ n: 2 }), anEvent({ n: 3 }));
    await one.append(EMPTY_HEAD, [key], ({ existing }) => {
      expect(existing.get(key)?.map(({ header }) => header.seq)).toEqual([2, 3, 4]);
      return { rows: [] };
    });
  });

  test("appends that overlap on one handle are carried out one after the other", async () => {
    const { one } = await opened();
    const journals = await Promise.all(
      Array.from({ length: 8 }, (_, kind) => openJournal(one, fixedPorts(kind + 1))),
    );
    await Promise.all(
      journals.map(async (journal, writer) => {
        for (let n = 0; n < 5; n++) await appendTo(journal, anEvent({ writer, n }));
      }),
    );
    const rows = await one.read(0, 100);
    expect(await verifyRows(rows, hashOf)).toMatchObject({ ok: true, events: 41 });
    expect(new Set(rows.map(({ bodyText }) => bodyText)).size).toBe(41);
  });

  test("two handles on one store see what the other appended", async () => {
    const { journal, other } = await opened();
    const second = await openJournal(other, fixedPorts(9));
    await appendTo(journal, anEvent({ by: "one" }));
    await appendTo(second, anEvent({ by: "other" }));
    const [third] = await journal.append([], (append) => {
      expect(append.tail.map(({ body }) => body)).toEqual([{ by: "other" }]);
      append.add([anEvent({ by: "one again" })]);
    });
    expect(third?.header).toMatchObject({ seq: 4, runSeq: 4 });
    const seen: unknown[] = [];
    await second.catchUp(({ body }) => seen.push(body));
    expect(seen).toEqual([{ by: "one again" }]);
    expect((await other.extent()).head).toEqual(second.head);
  });

  test("an import takes the place of an empty journal, with a command key of its own", async () => {
    const { one } = await opened();
    const key = await one.commandKey();
    const source = await memoryJournal(anEvent({ n: 1 }, { session: hashOf("s") }), anEvent());
    const head = await one.importRows(parseExport([await exportOf(source)], hashOf));
    expect(head).toEqual(source.head);
    expect((await one.extent()).head).toEqual(source.head);
    expect(await one.read(0, 10)).toEqual(await rowsOf(source));
    expect(await one.commandKey()).toMatch(/^[0-9a-f]{64}$/);
    expect(await one.commandKey()).not.toBe(key);
    const journal = await openJournal(one, fixedPorts(5));
    expect((await appendTo(journal, anEvent()))[0]?.header.seq).toBe(4);
  });

  test("an import that breaks off leaves the journal as it was", async () => {
    const { one, rows } = await holding(1);
    const key = await one.commandKey();
    const text = await exportOf(await memoryJournal(anEvent({ n: 1 }), anEvent({ n: 2 })));
    const damaged = text.replace('{"n":2}', '{"n":3}');
    const imported = one.importRows(parseExport([damaged], hashOf));
    await expect(imported).rejects.toMatchObject({ code: "journal/import-damaged" });
    expect(await one.read(0, 10)).toEqual(rows);
    expect((await one.extent()).head).toEqual(headOf(rows[0]));
    expect(await one.commandKey()).toBe(key);
  });

  test("an import into a journal that holds events is refused", async () => {
    const { one, rows } = await holding(2);
    const text = await exportOf(await memoryJournal(anEvent()));
    const imported = one.importRows(parseExport([text], hashOf));
    await expect(imported).rejects.toMatchObject({ code: "journal/not-empty" });
    expect(await one.read(0, 10)).toEqual(rows);
  });

  test("a snapshot is kept until another one, none, or an import takes its place", async () => {
    const { one, other } = await opened();
    expect(await one.readSnapshot()).toBeNull();
    const first = snapshotOf({ seq: 1, hash: hashOf("1") }, 1, '{"n":1}', hashOf);
    const second = snapshotOf({ seq: 2, hash: hashOf("2") }, 7, '{"n":"ü"}', hashOf);
    await one.writeSnapshot(first);
    expect(await other.readSnapshot()).toEqual(first);
    await other.writeSnapshot(second);
    expect(await one.readSnapshot()).toEqual(second);
    await one.writeSnapshot(null);
    expect(await one.readSnapshot()).toBeNull();
    await one.writeSnapshot(first);
    await one.importRows(parseExport([await exportOf(await memoryJournal())], hashOf));
    expect(await one.readSnapshot()).toBeNull();
  });

  test("the command key is random text that stays the same", async () => {
    const { one, other } = await opened();
    expect(await one.commandKey()).toMatch(/^[0-9a-f]{64}$/);
    expect(await other.commandKey()).toBe(await one.commandKey());
  });
}
