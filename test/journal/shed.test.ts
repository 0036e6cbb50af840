import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bodyText,
  type JsonObject,
  type JsonValue,
  mayHold,
  SHED,
  type ShedItem,
  shedBodiesIn,
  shedEventBodies,
  shedText,
  shedWhole,
  storedEvent,
} from "../../src/journal/index.ts";
import { anEvent, appendTo, hashOf, memoryJournal, rowsOf } from "./makers.ts";

const SECRET = 'TOP "demo"\nSECRET-42';
const anything = () => true;

async function rowWith(body: JsonObject, type = "x.noted") {
  const row = (await rowsOf(await memoryJournal(anEvent(body, { type })))).at(-1);
  if (row === undefined) throw new Error("There is no event.");
  return row;
}

async function shedFrom(body: JsonObject, type = "x.noted", text = SECRET) {
  return shedText(storedEvent(await rowWith(body, type)), text, anything);
}

/** All strings of a value, names among them. */
function stringsOf(value: JsonValue): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...stringsOf(inner),
  ]);
}

/** Random bodies in which the text may stand anywhere. */
const aText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("", "a ", "😀"), fc.constantFrom("", " z"))
      .map(([before, after]) => before + SECRET + after),
  },
);
const { body: aBody } = fc.letrec<{ value: JsonValue; body: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    aText,
    fc.integer(),
    fc.constantFrom(null, true),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("body"),
  ),
  body: fc.dictionary(fc.oneof(aText, fc.constantFrom("__proto__", SHED)), tie("value"), {
    maxKeys: 4,
  }),
}));

test("what stands for a body holds the text nowhere, and every other string of it", async () => {
  await fc.assert(
    fc.asyncProperty(aBody, async (body) => {
      const row = await rowWith(body);
      const { item } = shedText(storedEvent(row), SECRET, anything);
      const strings = stringsOf(JSON.parse(bodyText(body)) as JsonObject);
      const kept = strings.filter((it) => !it.includes(SECRET));
      expect(item !== null).toBe(kept.length < strings.length);
      if (item?.replacement == null) return;
      expect(mayHold(row, SECRET)).toBe(true);
      const left = stringsOf(item.replacement);
      expect(left.filter((it) => it.includes(SECRET))).toEqual([]);
      expect(left).toHaveLength(strings.length);
      expect(left.filter((it) => !it.startsWith(SHED)).toSorted()).toEqual(
        kept.filter((it) => !it.startsWith(SHED)).toSorted(),
      );
      expect(item.bodyDigest).toBe(row.header.bodyDigest);
    }),
  );
});

test("an output that was cut right through the text loses both of its ends", async () => {
  const cut = { head: `a ${SECRET.slice(0, 7)}`, tail: `${SECRET.slice(7)} z`, bytes: 30 };
  const { item } = await shedFrom({ output: cut });
  expect(item?.replacement).toEqual({ output: { head: SHED, tail: SHED, bytes: 30 } });
  const apart = await shedFrom({ output: { head: SECRET, tail: "the end" } });
  expect(apart.item?.replacement).toEqual({ output: { head: SHED, tail: "the end" } });
});

test("an output whose middle was left out loses an end that holds a part of the text", async () => {
  const left = async (output: JsonObject) => (await shedFrom({ output })).item?.replacement ?? null;
  const part = SECRET.slice(0, 10);
  const rest = SECRET.slice(-4);
  expect(await left({ head: `a ${part}`, tail: "the end", bytes: 900 })).toEqual({
    output: { head: SHED, tail: "the end", bytes: 900 },
  });
  expect(await left({ head: "a", tail: `${rest} z`, bytes: 900 })).toEqual({
    output: { head: "a", tail: SHED, bytes: 900 },
  });
  expect(await left({ head: `a ${part}`, tail: "", bytes: 900 })).not.toBeNull();
  expect(await left({ head: `a ${part}`, tail: "", bytes: 12 })).toBeNull();
  expect(await left({ head: `a ${SECRET.slice(0, 3)}`, tail: "z", bytes: 900 })).toBeNull();
  expect(await left({ head: SHED, tail: SHED, bytes: 900 })).toBeNull();
});

test("a command whose middle was left out is gone where it holds a part of the text", async () => {
  const mark = "…[70 characters left out]…";
  for (const command of [`run ${SECRET.slice(0, 8)}${mark} z`, `run${mark}${SECRET.slice(-6)} z`]) {
    const row = await rowWith({ command });
    expect(mayHold(row, SECRET)).toBe(true);
    const { item } = shedText(storedEvent(row), SECRET, anything);
    expect(item?.replacement).toEqual({ command: SHED });
  }
  expect((await shedFrom({ command: `run TOP${mark} z` })).item).toBeNull();
});

test("a number that holds the text is gone, or all of a body that needs it", async () => {
  const text = "4111111111111111";
  const body = { n: 4_111_111_111_111_111, m: 7, list: [-4_111_111_111_111_111] };
  const row = await rowWith(body);
  expect(mayHold(row, text)).toBe(true);
  const { item } = shedText(storedEvent(row), text, anything);
  expect(item?.replacement).toEqual({ n: SHED, m: 7, list: [SHED] });
  const needed = shedText(storedEvent(row), text, (_, { n }) => typeof n === "number");
  expect(needed.item).toMatchObject({ replacement: null });
});

test("numbers of the journal's own events are never taken for the text", async () => {
  const items = [{ seq: 12_345, bodyDigest: "a".repeat(64), replacement: { n: 1 } }];
  const none = { item: null, remains: false };
  expect(await shedFrom({ items, reason: "why" }, "journal.shed", "12345")).toEqual(none);
  expect(await shedFrom({ removed: 12_345 }, "journal.compacted", "12345")).toEqual(none);
  const listed = [{ ...items[0], replacement: { n: 12_345 } }];
  const account = await shedFrom({ items: listed, reason: "why" }, "journal.shed", "12345");
  expect(account.item?.replacement).toMatchObject({ items: [{ seq: 12_345, replacement: null }] });
});

test("very many names that hold the text get as many new ones, in a moment", async () => {
  const names = Array.from({ length: 20_000 }, (_, n) => `${SECRET} ${n}`);
  const body = {
    ...Object.fromEntries(names.map((name) => [name, 1])),
    [SHED]: 2,
    [`${SHED} 3`]: 3,
  };
  const event = storedEvent(await rowWith(body));
  const began = performance.now();
  const { item } = shedText(event, SECRET, anything);
  expect(performance.now() - began).toBeLessThan(3_000);
  const left = item?.replacement ?? {};
  expect(Object.keys(left)).toHaveLength(20_002);
  expect(left).toMatchObject({ [SHED]: 2, [`${SHED} 2`]: 1, [`${SHED} 3`]: 3, [`${SHED} 4`]: 1 });
});

test("a body that could not be read without the text leaves nothing", async () => {
  const event = storedEvent(await rowWith({ kind: SECRET }));
  const { item } = shedText(event, SECRET, (_, { kind }) => kind !== SHED);
  expect(item).toMatchObject({ seq: 2, replacement: null });
});

test("the journal's own events are not shed, and say that they hold the text", async () => {
  expect(await shedFrom({ journal: SECRET }, "journal.opened")).toEqual({
    item: null,
    remains: true,
  });
  expect(await shedFrom({ journal: "another" }, "journal.opened")).toEqual({
    item: null,
    remains: false,
  });
});

test("a text in a type of somebody's own stays, whether or not the body is shed", async () => {
  expect(await shedFrom({ a: 1 }, "x.secret-42", "secret-42")).toEqual({
    item: null,
    remains: true,
  });
  expect(await shedFrom({ a: "secret-42" }, "x.secret-42", "secret-42")).toMatchObject({
    item: { replacement: { a: SHED } },
    remains: true,
  });
});

test("a shed journal.shed goes on accounting for what it listed, without the text", async () => {
  const items = [
    { seq: 2, bodyDigest: "a".repeat(64), replacement: { said: `it was ${SECRET}` } },
    { seq: 3, bodyDigest: "b".repeat(64), replacement: { said: "nothing" } },
  ];
  const { item, remains } = await shedFrom({ items, reason: `why ${SECRET}` }, "journal.shed");
  expect(remains).toBe(false);
  expect(item?.replacement).toEqual({
    items: [{ ...items[0], replacement: null }, items[1]],
    reason: SHED,
  });
  const digest = await shedFrom({ items, reason: "why" }, "journal.shed", "b".repeat(20));
  expect(digest).toMatchObject({ remains: true });
});

test("all free text of an event is shed, and what it is read by stays", async () => {
  const body = { id: "run-1", kind: "note", texts: ["one", "two", SHED], count: 2 };
  const accepts = (_: string, { id, kind }: JsonObject) => id === "run-1" && kind === "note";
  const { item } = shedWhole(storedEvent(await rowWith(body)), accepts);
  expect(item?.replacement).toEqual({ ...body, texts: [SHED, SHED, SHED] });
  const done = shedWhole(storedEvent(await rowWith(item?.replacement ?? {})), accepts);
  expect(done.item).toBeNull();
});

test("a body of very many strings is shed whole", async () => {
  const body = { texts: Array.from({ length: 2_001 }, (_, n) => `text ${n}`) };
  expect(shedWhole(storedEvent(await rowWith(body)), anything).item).toMatchObject({
    replacement: null,
  });
});

test("shedding one of the journal's own events is refused with its number and type", async () => {
  const opened = (await rowsOf(await memoryJournal()))[0];
  if (opened === undefined) throw new Error("There is no event.");
  expect(() => shedWhole(storedEvent(opened), anything)).toThrow(
    expect.objectContaining({
      code: "journal/not-sheddable",
      message: expect.stringContaining("event 1 (journal.opened)"),
    }),
  );
});

test("more items than one event holds are listed by several, in order", async () => {
  const text = "x".repeat(200_000);
  const items: readonly ShedItem[] = Array.from({ length: 40 }, (_, n) => ({
    seq: n + 2,
    bodyDigest: "c".repeat(64),
    replacement: { text },
  }));
  const bodies = shedEventBodies(items, "too much");
  expect(bodies.length).toBeGreaterThan(5);
  expect(bodies.flatMap((body) => body.items)).toEqual(items);
  const journal = await memoryJournal();
  await appendTo(journal, ...bodies.map((body) => anEvent(body, { type: "journal.shed" })));
  expect(shedEventBodies([], "nothing")).toEqual([]);
});

test("what was shed is told by accounts that are as they were written, and by no others", async () => {
  const journal = await memoryJournal(anEvent({ n: 2 }), anEvent({ n: 3 }));
  const [, two] = await rowsOf(journal);
  const items = [{ seq: 2, bodyDigest: two?.header.bodyDigest ?? "", replacement: null }];
  await appendTo(journal, anEvent({ items, reason: "why" }, { type: "journal.shed" }));
  const rows = (await rowsOf(journal)).map((row) =>
    row.header.seq === 2 ? { ...row, bodyText: null } : row,
  );
  const told = async (bodyText: string | null) => {
    async function* stored() {
      for (const row of rows)
        yield bodyText !== null && row.header.seq === 4 ? { ...row, bodyText } : row;
    }
    return shedBodiesIn(stored(), hashOf);
  };
  expect(await told(null)).toMatchObject([{ seq: 2, by: 4, reason: "why" }]);
  for (const damaged of [
    "no JSON",
    "null",
    '{"items":[null]}',
    rows[3]?.bodyText?.replace("why", "!"),
  ]) {
    expect(await told(damaged ?? "")).toEqual([]);
  }
});

test("a body that has no room in a journal.shed leaves nothing", async () => {
  const large = { said: SECRET, more: "y".repeat(1_100_000) };
  expect((await shedFrom(large)).item?.replacement).toBeNull();
  const deep = Array.from({ length: 61 }).reduce<JsonValue>((inner) => [inner], SECRET);
  expect((await shedFrom({ deep })).item?.replacement).toBeNull();
});
