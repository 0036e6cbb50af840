import { expect, test } from "vitest";
import {
  EMPTY_HEAD,
  type EventRow,
  Journal,
  type JournalStore,
  MemoryStore,
  parseExport,
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

test("positions are counted for the journal and for each run", async () => {
  const journal = await memoryJournal();
  const events = await appendTo(
    journal,
    anEvent({}, { run: RUN }),
    anEvent(),
    anEvent({}, { run: RUN }),
  );
  expect(events.map(({ header }) => [header.seq, header.run, header.runSeq])).toEqual([
    [2, RUN, 1],
    [3, "-", 2],
    [4, RUN, 2],
  ]);
});

test("the first event of a command carries its key, and the others name the first as their cause", async () => {
  const journal = await memoryJournal();
  const key = hashOf("k");
  const [first, second, third] = await appendTo(
    journal,
    anEvent({}, { key }),
    anEvent(),
    anEvent({}, { cause: uuidOf(99) }),
  );
  expect([first?.header.key, first?.header.cause]).toEqual([key, null]);
  expect([second?.header.key, second?.header.cause]).toEqual([null, first?.header.id]);
  expect(third?.header.cause).toBe(uuidOf(99));
});

test.each([
  ["a type with a capital", { type: "X.noted" }],
  ["a type with a quote", { type: 'x."' }],
  ["a type of 161 characters", { type: "x".repeat(161) }],
  ["a type with a line end", { type: "x.noted\n" }],
  ["a run that is no UUID", { run: "run-1" }],
  ["a session that is no hash", { session: "someone" }],
  ["a key that is no hash", { key: "again" }],
  ["a cause that is no UUID", { cause: "2" }],
] as const)("%s never gets into a header", async (_, rest) => {
  const journal = await memoryJournal();
  await expect(appendTo(journal, anEvent({}, rest))).rejects.toMatchObject({
    code: "input/invalid",
  });
  expect(await rowsOf(journal)).toHaveLength(1);
});

test.each([
  ["ids", { ids: { ...fixedPorts().ids, uuid: () => "id-1" } }],
  ["clock", { clock: { now: () => Date.UTC(12_026, 0) } }],
] as const)(
  "a port (%s) that gives what no header can hold is found before anything is stored",
  async (_, port) => {
    const store = new MemoryStore(fixedPorts().ids);
    const opened = Journal.open(store, { ...fixedPorts(), ...port });
    await expect(opened).rejects.toMatchObject({ code: "input/invalid" });
    expect(await store.read(0, 10)).toEqual([]);
  },
);

test("a body of 4 MiB is taken, and of one byte more refused", async () => {
  const journal = await memoryJournal();
  const frame = '{"text":""}'.length;
  const text = "é".repeat((4 * 1024 * 1024 - frame - 1) / 2);
  await appendTo(journal, anEvent({ text: `${text}x` }));
  await expect(appendTo(journal, anEvent({ text: `${text}xy` }))).rejects.toMatchObject({
    code: "journal/body-too-large",
  });
});

test("numbers at the edges come back from an import with equal hashes (FR-021)", async () => {
  const bodies = [{ n: -0 }, { n: 0 }, { n: 1e21 }, { n: 1e-7 }, { n: 0.1 }];
  const journal = await memoryJournal(...bodies.map((body) => anEvent(body)));
  const [, minusZero, zero] = await rowsOf(journal);
  expect(minusZero?.header.bodyDigest).toBe(zero?.header.bodyDigest);
  const copy = new MemoryStore(fixedPorts().ids);
  await copy.importRows(parseExport([await exportOf(journal)], hashOf));
  expect(await copy.read(0, 10)).toEqual(await rowsOf(journal));
});

test("half of a surrogate pair is refused, and the rest of the journal stays readable (FR-022)", async () => {
  const journal = await memoryJournal();
  for (const text of ["x\ud99cy", "cut 😀".slice(0, -1)]) {
    await expect(appendTo(journal, anEvent({ text }))).rejects.toMatchObject({
      code: "journal/not-canonical",
    });
    await appendTo(journal, anEvent({ text: text.toWellFormed() }));
  }
  const text = await exportOf(journal);
  expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
  expect([...parseExport([text], hashOf).rows]).toHaveLength(3);
});

test.each(["__proto__", "constructor", "toString"])(
  "a member named %s is hashed and read back like any other (FR-023)",
  async (name) => {
    const a = JSON.parse(`{"${name}":{"x":1},"b":2}`);
    const b = JSON.parse(`{"b":2,"${name}":{"x":1}}`);
    const journal = await memoryJournal(anEvent(a), anEvent(b), anEvent({ b: 2 }));
    const [, rowA, rowB, rowC] = await rowsOf(journal);
    expect(rowA?.header.bodyDigest).toBe(rowB?.header.bodyDigest);
    expect(rowC?.header.bodyDigest).not.toBe(rowA?.header.bodyDigest);
    const bodies: unknown[] = [];
    const again = await Journal.open(storeOf(await rowsOf(journal)), fixedPorts());
    await again.catchUp(({ body }) => bodies.push(body));
    const read = bodies[1] as object;
    expect(Object.hasOwn(read, name)).toBe(true);
    expect(Object.getOwnPropertyDescriptor(read, name)?.value).toEqual({ x: 1 });
    expect(({} as { x?: unknown }).x).toBeUndefined();
  },
);

test("two orders of building one object give one hash, in the order of UTF-16 units (FR-024)", async () => {
  const inner = { z: 1, a: { y: 1, x: 2 } };
  const innerOther = { a: { x: 2, y: 1 }, z: 1 };
  const one = { "10": 1, "9": 2, b: 3, "\ufb33": 4, "😀": 5, list: [inner] };
  const other = { list: [innerOther], "😀": 5, "\ufb33": 4, b: 3, "9": 2, "10": 1 };
  const [, first, second] = await rowsOf(await memoryJournal(anEvent(one), anEvent(other)));
  expect(first?.header.bodyDigest).toBe(second?.header.bodyDigest);
  expect(first?.bodyText).toBe(
    '{"10":1,"9":2,"b":3,"list":[{"a":{"x":2,"y":1},"z":1}],"😀":5,"\ufb33":4}',
  );
});

test("reading stops at damage, gives what is before it, and nothing is appended from then on", async () => {
  const rows = await rowsOf(await memoryJournal(...[2, 3, 4, 5].map((n) => anEvent({ n }))));
  const damaged = rows.map((row) =>
    row.header.seq === 4 ? { ...row, bodyText: '{"n":40}' } : row,
  );
  const journal = await Journal.open(storeOf(damaged), fixedPorts(3));
  const seen: number[] = [];
  await journal.catchUp(({ header }) => seen.push(header.seq));
  expect(seen).toEqual([1, 2, 3]);
  expect(journal.damage).toMatchObject({ seq: 4, code: "content" });
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({
    code: "journal/corrupt",
    message: expect.stringContaining("The last sound event is 3."),
  });
});

test("damage in what another writer appended is found under the lock, and nothing is appended to it", async () => {
  const rows = await rowsOf(await memoryJournal(anEvent({ n: 2 }), anEvent({ n: 3 })));
  const store = storeOf(rows.slice(0, 1));
  const journal = await openJournal(store, fixedPorts(3));
  const [, second, third] = rows as [EventRow, EventRow, EventRow];
  await store.append(journal.head, [], () => ({
    rows: [second, { ...third, bodyText: '{"n":30}' }],
  }));
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({ code: "journal/corrupt" });
  expect(await store.read(0, 10)).toHaveLength(3);
});

test("a body that is absent from what another writer appended is found under the lock", async () => {
  const rows = await rowsOf(await memoryJournal(anEvent({ n: 2 })));
  const store = storeOf(rows.slice(0, 1));
  const journal = await openJournal(store, fixedPorts(3));
  await store.append(journal.head, [], () => ({
    rows: [{ ...(rows[1] as EventRow), bodyText: null }],
  }));
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({ code: "journal/corrupt" });
  expect(await store.read(0, 10)).toHaveLength(2);
});

test("a body that is absent without a reason stops every writing", async () => {
  const rows = await rowsOf(await memoryJournal(anEvent({ n: 2 }), anEvent({ n: 3 })));
  const without = rows.map((row) => (row.header.seq === 2 ? { ...row, bodyText: null } : row));
  const journal = await openJournal(storeOf(without), fixedPorts(3));
  expect(journal.damage).toMatchObject({ seq: 2, code: "content" });
  await expect(appendTo(journal, anEvent())).rejects.toMatchObject({ code: "journal/corrupt" });
});

test("a body that a journal.shed accounts for stops nothing", async () => {
  const source = await memoryJournal(anEvent({ secret: "s" }), anEvent({ n: 3 }));
  const [, secret] = await rowsOf(source);
  const items = [{ seq: 2, bodyDigest: secret?.header.bodyDigest ?? "", replacement: null }];
  await appendTo(source, anEvent({ reason: "slipped in", items }, { type: "journal.shed" }));
  const shed = (await rowsOf(source)).map((row) =>
    row.header.seq === 2 ? { ...row, bodyText: null } : row,
  );
  const journal = await openJournal(storeOf(shed), fixedPorts(3));
  expect(journal.damage).toBeNull();
  expect((await appendTo(journal, anEvent()))[0]?.header.seq).toBe(5);
});

test("a journal that went back to an older state is damaged and not continued", async () => {
  const rows = await rowsOf(await memoryJournal(...[2, 3, 4].map((n) => anEvent({ n }))));
  let stored = rows;
  const store: JournalStore = {
    ...storeOf(rows),
    extent: async () => ({
      start: EMPTY_HEAD,
      head: { seq: stored.length, hash: stored.at(-1)?.hash ?? "" },
      rewritten: 0,
    }),
    read: async (after, limit) => stored.slice(after, after + limit),
  };
  const journal = await openJournal(store, fixedPorts(3));
  stored = rows.slice(0, 2);
  await journal.catchUp(() => {});
  expect(journal.damage).toMatchObject({ code: "missing-tail" });
});

/** A memory store that holds these rows, whatever they say. */
function storeOf(rows: readonly EventRow[]): JournalStore {
  const store = new MemoryStore(fixedPorts().ids);
  const filled = store.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({ rows }));
  return {
    extent: () => filled.then(() => store.extent()),
    read: (after, limit) => store.read(after, limit),
    append: (known, keys, plan) => store.append(known, keys, plan),
    purge: () => store.purge(),
    importRows: (given) => store.importRows(given),
    commandKey: () => store.commandKey(),
    readSnapshot: () => store.readSnapshot(),
    writeSnapshot: (snapshot) => store.writeSnapshot(snapshot),
    close: () => store.close(),
  };
}
