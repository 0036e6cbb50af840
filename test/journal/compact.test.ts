import fc from "fast-check";
import { expect, test } from "vitest";
import { cutFor, type JsonObject, type Span, verifyRows } from "../../src/journal/index.ts";
import { anEvent, appendTo, hashOf, memoryJournal, rowsOf } from "./makers.ts";

/** Whether a cut divides no span. */
const isAllowed = (cut: number, spans: readonly Span[]) =>
  spans.every(({ first, last }) => cut < first || (last !== null && cut >= last));

const aSpan: fc.Arbitrary<Span> = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.option(fc.nat(15)))
  .map(([first, length]) => ({ first, last: length === null ? null : first + length }));

test("a cut is the first allowed one that gets to the ceiling, else the last one before", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 30 }),
      fc.array(aSpan, { maxLength: 6 }),
      (start, events, ceiling, given) => {
        const head = start + events;
        const spans = given.filter(({ first, last }) => first > start && (last ?? first) <= head);
        const cuts = Array.from({ length: events }, (_, n) => start + 1 + n).filter((cut) =>
          isAllowed(cut, spans),
        );
        // What tells of the compaction is one event more.
        const enough = cuts.filter((cut) => head + 1 - cut <= ceiling);
        const useful = cuts.filter((cut) => cut - start >= 2 && !enough.includes(cut));
        const expected = events <= ceiling ? null : (enough[0] ?? useful.at(-1) ?? null);
        expect(cutFor({ start, head }, ceiling, spans)).toBe(expected);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a journal that is not above its ceiling is left as it is", () => {
  expect(cutFor({ start: 0, head: 10 }, 10, [])).toBeNull();
  expect(cutFor({ start: 0, head: 11 }, 10, [])).toBe(2);
  expect(cutFor({ start: 90, head: 100 }, 10, [])).toBeNull();
});

test("what never ends keeps everything after its beginning", () => {
  expect(cutFor({ start: 0, head: 100 }, 10, [{ first: 50, last: null }])).toBe(49);
  expect(cutFor({ start: 0, head: 100 }, 10, [{ first: 2, last: null }])).toBeNull();
});

test("a journal.compacted that names another end before it than its own place is damage", async () => {
  const journal = await memoryJournal(anEvent(), anEvent());
  const { head } = journal;
  const anchors: readonly JsonObject[] = [
    { headBefore: { ...head } },
    { headBefore: { ...head, seq: 2 } },
    { headBefore: { ...head, hash: "a".repeat(64) } },
    {},
  ];
  for (const [index, body] of anchors.entries()) {
    const copy = await memoryJournal(anEvent(), anEvent());
    await appendTo(copy, anEvent(body, { type: "journal.compacted" }));
    const { problems } = await verifyRows(await rowsOf(copy), hashOf);
    expect(problems).toMatchObject(
      index === 0
        ? []
        : [{ seq: 4, code: "content", message: expect.stringContaining("another end") }],
    );
  }
});
