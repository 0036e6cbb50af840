import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY_HEAD, type EventRow, type Head, verifyRows } from "../../src/journal/index.ts";
import { anEvent, appendTo, hashOf, memoryJournal, rowsOf } from "./makers.ts";

const ten = await rowsOf(
  await memoryJournal(...Array.from({ length: 9 }, (_, index) => anEvent({ n: index + 2 }))),
);
const headAt = (seq: number): Head => ({ seq, hash: ten[seq - 1]?.hash ?? "" });

/** The rows with one of them changed. */
const changed = (seq: number, change: (row: EventRow) => EventRow): readonly EventRow[] =>
  ten.map((row) => (row.header.seq === seq ? change(row) : row));

const problemsOf = async (rows: readonly EventRow[], expected = {}) =>
  (await verifyRows(rows, hashOf, expected)).problems.map(({ seq, code }) => `${seq} ${code}`);

test("a sound journal has no problems, and its head is its last event", async () => {
  const storedHead = headAt(10);
  expect(await verifyRows(ten, hashOf, { storedHead, noted: headAt(4) })).toEqual({
    ok: true,
    events: 10,
    head: storedHead,
    problems: [],
    problemCount: 0,
    shed: [],
    shedCount: 0,
    removed: 0,
  });
  expect(await verifyRows([], hashOf)).toMatchObject({ ok: true, events: 0, head: EMPTY_HEAD });
});

test("a changed body is told apart from a broken link, and each is named alone", async () => {
  const content = changed(4, (row) => ({ ...row, bodyText: '{"n":5}' }));
  expect(await problemsOf(content)).toEqual(["4 content"]);
  const header = changed(4, (row) => ({ ...row, header: { ...row.header, type: "x.other" } }));
  expect(await problemsOf(header)).toEqual(["4 link"]);
  const hash = changed(4, (row) => ({ ...row, hash: "a".repeat(64) }));
  expect(await problemsOf(hash)).toEqual(["4 link", "5 link"]);
});

test("two damaged events are both named", async () => {
  const first = changed(3, (row) => ({ ...row, bodyText: "{}" }));
  const both = first.map((row) => (row.header.seq === 8 ? { ...row, bodyText: "{}" } : row));
  expect(await problemsOf(both)).toEqual(["3 content", "8 content"]);
});

test("missing events are named as a gap where the chain goes on", async () => {
  const { problems } = await verifyRows(ten.toSpliced(3, 2), hashOf);
  expect(problems).toEqual([
    { seq: 6, code: "gap", message: "Event 6 follows event 3: events 4 to 5 are missing." },
  ]);
});

test("a missing end shows by the store's head, by a noted head, and by nothing else", async () => {
  const cut = ten.slice(0, 7);
  expect(await problemsOf(cut)).toEqual([]);
  expect(await problemsOf(cut, { storedHead: headAt(10) })).toEqual(["10 missing-tail"]);
  expect(await problemsOf(cut, { noted: headAt(9) })).toEqual(["9 missing-tail"]);
  const { problems } = await verifyRows(cut, hashOf, { noted: headAt(9) });
  expect(problems[0]?.message).toContain("goes up to event 9");
  expect(problems[0]?.message).toContain("ends at event 7");
});

test("a noted head of another journal shows as foreign", async () => {
  const noted = { seq: 4, hash: "b".repeat(64) };
  expect(await problemsOf(ten, { noted })).toEqual(["4 foreign"]);
});

test("an event of a newer format is named as such", async () => {
  const newer = changed(5, (row) => ({ ...row, header: { ...row.header, v: 2 as 1 } }));
  expect(await problemsOf(newer)).toEqual(["5 newer"]);
});

test("an absent body needs a journal.shed that lists it, and the journal's own are never absent", async () => {
  expect(await problemsOf(changed(4, (row) => ({ ...row, bodyText: null })))).toEqual([
    "4 content",
  ]);
  expect(await problemsOf(changed(1, (row) => ({ ...row, bodyText: null })))).toEqual([
    "1 content",
  ]);
});

test("a journal.shed accounts only for the very body that it lists, and never for the journal's own", async () => {
  for (const [seq, problem] of [
    [2, "2 content"],
    [1, "1 content"],
  ] as const) {
    const journal = await memoryJournal(anEvent({ n: 2 }));
    const digests = (await rowsOf(journal)).map(({ header }) => header.bodyDigest);
    const bodyDigest = seq === 1 ? (digests[0] ?? "") : hashOf("another body");
    const items = [{ seq, bodyDigest, replacement: null }];
    await appendTo(journal, anEvent({ reason: "why not", items }, { type: "journal.shed" }));
    const rows = (await rowsOf(journal)).map((row) =>
      row.header.seq === seq ? { ...row, bodyText: null } : row,
    );
    expect(await problemsOf(rows)).toEqual([problem]);
  }
});

test("problems beyond a bound are not listed, and the reading goes on", async () => {
  const many = Array.from({ length: 150 }, (_, index) => anEvent({ n: index }));
  const rows = (await rowsOf(await memoryJournal(...many))).map((row) => ({
    ...row,
    bodyText: '{"n":-1}',
  }));
  expect(await verifyRows(rows, hashOf)).toMatchObject({
    ok: false,
    events: 151,
    problems: { length: 100 },
  });
});

test("whatever is changed in whichever event is found at that event", async () => {
  const seqs = fc.integer({ min: 2, max: 10 });
  const flip = (text: string, at: number) => {
    const index = at % text.length;
    return text.slice(0, index) + (text[index] === "0" ? "1" : "0") + text.slice(index + 1);
  };
  const changes: readonly ((row: EventRow, at: number) => EventRow)[] = [
    (row, at) => ({ ...row, bodyText: flip(row.bodyText ?? "", at) }),
    (row, at) => ({ ...row, hash: flip(row.hash, at) }),
    ({ header, ...row }, at) => ({ ...row, header: { ...header, prev: flip(header.prev, at) } }),
    ({ header, ...row }, at) => ({ ...row, header: { ...header, id: flip(header.id, at) } }),
    ({ header, ...row }, at) => ({ ...row, header: { ...header, at: flip(header.at, at) } }),
    ({ header, ...row }, at) => ({ ...row, header: { ...header, key: flip("f".repeat(64), at) } }),
    ({ header, ...row }) => ({ ...row, header: { ...header, runSeq: header.runSeq + 1 } }),
  ];
  await fc.assert(
    fc.asyncProperty(seqs, fc.nat(), fc.constantFrom(...changes), async (seq, at, change) => {
      const { problems } = await verifyRows(
        changed(seq, (row) => change(row, at)),
        hashOf,
      );
      expect(problems[0]?.seq).toBe(seq);
    }),
  );
});

test("a part is verified from the event before it on, and problems outside of it are not told", async () => {
  const rows = changed(3, (row) => ({ ...row, bodyText: "{}" })).map((row) =>
    row.header.seq === 9 ? { ...row, bodyText: "{}" } : row,
  );
  const part = (from: number, to?: number) =>
    verifyRows(rows.slice(from - 1), hashOf, {
      start: headAt(from - 1),
      isPart: true,
      ...(to === undefined ? {} : { to }),
    });
  expect(await part(4, 8)).toMatchObject({ ok: true, events: 5, head: headAt(8), removed: 0 });
  expect(await part(4)).toMatchObject({ ok: false, problems: [{ seq: 9, code: "content" }] });
  expect(await part(3, 3)).toMatchObject({ ok: false, problems: [{ seq: 3, code: "content" }] });
  const foreign = { start: { seq: 3, hash: hashOf("?") }, isPart: true };
  const { problems } = await verifyRows(rows.slice(3), hashOf, foreign);
  expect(problems[0]).toMatchObject({ seq: 4, code: "link" });
});

test("a body that was shed within a part is accounted for by an event after it", async () => {
  const journal = await memoryJournal(anEvent({ n: 2 }), anEvent({ n: 3 }));
  const [, second] = await rowsOf(journal);
  const { seq = 0, bodyDigest = "" } = second?.header ?? {};
  const items = [{ seq, bodyDigest, replacement: null }];
  await appendTo(journal, anEvent({ reason: "a secret", items }, { type: "journal.shed" }));
  const rows = (await rowsOf(journal)).map((row) =>
    row.header.seq === seq ? { ...row, bodyText: null } : row,
  );
  expect(await verifyRows(rows, hashOf, { to: 2 })).toMatchObject({ ok: true, events: 2 });
  const forged = rows.map((row) => (row.header.seq === 4 ? { ...row, hash: hashOf("?") } : row));
  expect(await verifyRows(forged, hashOf, { to: 2 })).toMatchObject({
    ok: false,
    problems: [{ seq: 2, code: "content" }],
  });
});

test("a second opening is a problem, however well it is linked", async () => {
  const journal = await memoryJournal(anEvent({ format: 1 }, { type: "journal.opened" }));
  expect(await problemsOf(await rowsOf(journal))).toEqual(["2 content"]);
});

test("a long verification says now and then how far it is", async () => {
  const row = ten[0];
  if (row === undefined) throw new Error("There is no first event.");
  const told: number[] = [];
  const many = Array.from({ length: 2_500 }, () => row);
  await verifyRows(many, hashOf, { onProgress: (events) => told.push(events) });
  expect(told).toEqual([1_000, 2_000]);
});

test("the first hundred problems are listed, and all are counted", async () => {
  const [first, second] = ten;
  if (first === undefined || second === undefined) throw new Error("There are no events.");
  const doubled = Array.from({ length: 150 }, () => second);
  const verified = await verifyRows([first, second, ...doubled], hashOf, {
    storedHead: headAt(10),
  });
  expect([verified.ok, verified.problems.length, verified.problemCount]).toEqual([false, 100, 151]);
  // What is found at the end only takes its place by its number, as what was found on the way.
  const rows = [first, { ...second, bodyText: null }, ...Array.from({ length: 150 }, () => first)];
  const absent = await verifyRows(rows, hashOf);
  expect([absent.problems.length, absent.problemCount]).toEqual([100, 151]);
});
