import { expect, test } from "vitest";
import {
  canonicalText,
  EMPTY_HEAD,
  type EventRow,
  exportLine,
  type JsonObject,
  MemoryStore,
  type NewEvent,
  parseExport,
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
  rowsOf,
} from "./makers.ts";

function read(text: string | readonly string[]) {
  const parsed = parseExport(typeof text === "string" ? [text] : text, hashOf);
  return { rows: [...parsed.rows], torn: parsed.torn };
}

const damage = (message: string) =>
  expect.objectContaining({
    code: "journal/import-damaged",
    message: expect.stringContaining(message),
  });

/** The lines of an export of this many events, without their newlines. */
async function linesOf(events: number): Promise<string[]> {
  const bodies = Array.from({ length: events - 1 }, (_, index) => anEvent({ n: index + 2 }));
  return (await exportOf(await memoryJournal(...bodies))).trimEnd().split("\n");
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

const bytesOf = (text: string) => new TextEncoder().encode(text);

const piecesOf = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, piece) =>
    bytes.slice(piece * size, (piece + 1) * size),
  );

test("an export is one canonical line an event and reads back as the same rows", async () => {
  const journal = await memoryJournal(anEvent({ "😀": [1e21, "\u2028"] }), anEvent());
  const text = await exportOf(journal);
  expect(text.split("\n")).toHaveLength(4);
  expect(read(text)).toEqual({ rows: await rowsOf(journal), torn: false });
});

test("an export may come in pieces of any size", async () => {
  const text = await exportOf(await memoryJournal(anEvent({ text: "naïve 😀" }), anEvent()));
  const whole = read(text);
  for (const size of [1, 7, 100]) {
    const pieces = [];
    for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
    expect(read(pieces)).toEqual(whole);
  }
});

test("a last line that was cut off anywhere is torn, and what is before it stands", async () => {
  const text = textOf(await linesOf(3));
  const lastLine = text.lastIndexOf("\n", text.length - 2) + 1;
  for (let end = lastLine + 1; end < text.length - 1; end++) {
    const { rows, torn } = read(text.slice(0, end));
    expect([rows.length, torn]).toEqual([2, true]);
  }
  expect(read(text.slice(0, lastLine))).toMatchObject({ torn: false });
  expect(read(text.slice(0, -1))).toMatchObject({ torn: false, rows: { length: 3 } });
});

test("an unfinished last line that is whole but not right is damage and no torn tail", async () => {
  const lines = await linesOf(3);
  const changed = textOf(lines).replace('{"n":3}', '{"n":4}').slice(0, -1);
  expect(() => read(changed)).toThrow(damage("Line 3"));
});

test("a line of NUL bytes in the middle is damage, and what follows does not count as all (FR-002)", async () => {
  const lines = await linesOf(5);
  lines[2] = "\0".repeat(300);
  const journal = await openJournal(new MemoryStore(fixedPorts().ids));
  const before = await rowsOf(journal);
  const imported = journal.importRows(parseExport([textOf(lines)], hashOf));
  await expect(imported).rejects.toEqual(
    damage(
      "Line 3 of the export is damaged: it is not a whole event in canonical form. The last intact event is 2; events 4 to 5 after it can't be joined",
    ),
  );
  expect(await rowsOf(journal)).toEqual(before);
});

test.each([
  ["a removed line", (lines: string[]) => lines.toSpliced(2, 1), "event 3 is missing"],
  [
    "a removed first line",
    (lines: string[]) => lines.slice(1),
    "no journal.compacted accounts for",
  ],
  ["two swapped lines", ([a, b, c, d]: string[]) => [a, c, b, d], "Event 3 follows event 1"],
  ["a doubled line", ([a, b, c]: string[]) => [a, b, b, c], "is doubled or out of order"],
  ["an empty line", ([a, b]: string[]) => [a, "", b], "not a whole event"],
  ["a line end of Windows", ([a, b]: string[]) => [a, `${b}\r`], "not a whole event"],
  ["a byte order mark", ([a, b]: string[]) => [`\ufeff${a}`, b], "Line 1"],
  ["white space", ([a, b]: string[]) => [a, b?.replace('"body":', '"body": ')], "Line 2"],
  ["a further member", ([a, b]: string[]) => [a, b?.replace(/}$/, ',"x":1}')], "Line 2"],
  ["a doubled member", ([a, b]: string[]) => [a, b?.replace(/}$/, ',"body":{"n":2}}')], "Line 2"],
  [
    "another spelling of a number",
    ([a, b]: string[]) => [a, b?.replace('"n":2', '"n":2.0')],
    "Line 2",
  ],
  [
    "another text in the body",
    ([a, b]: string[]) => [a, b?.replace('"n":2', '"n":3')],
    "does not match its digest",
  ],
  [
    "another time",
    ([a, b]: string[]) => [a, b?.replace('"at":"2026', '"at":"2027')],
    "does not link",
  ],
  ["a body that is no object", ([a, b]: string[]) => [a, b?.replace('{"n":2}', "[2]")], "Line 2"],
  ["no line at all", () => [], "it holds no event"],
] as const)("%s is damage", async (_, change, message) => {
  const lines = change(await linesOf(4)).map(String);
  expect(() => read(textOf(lines))).toThrow(damage(message));
});

test("an integer that JavaScript can't hold is refused and never rounded (FR-021)", async () => {
  const [first = "", second = ""] = await linesOf(2);
  const text = textOf([first, second.replace('"n":2', '"n":9007199254740993')]);
  expect(() => read(text)).toThrow(damage("not a whole event in canonical form"));
});

test.each(["2026-02-30T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-13-01T00:00:00.000Z"])(
  "a well-hashed event of the time %s, which does not exist, is refused",
  async (at) => {
    const text = await forgedExport((header) => ({ ...header, at }));
    expect(() => read(text)).toThrow(damage("Line 2"));
  },
);

test("a well-hashed event whose idempotency key was used before is refused", async () => {
  const ports = fixedPorts();
  const journal = await openJournal(new MemoryStore(ports.ids), ports);
  await appendTo(journal, anEvent({ n: 1 }, { key: hashOf("k") }));
  await appendTo(journal, anEvent({ n: 2 }, { key: hashOf("k") }));
  const text = await exportOf(journal);
  expect(() => read(text)).toThrow(damage("its idempotency key was used before"));
});

test("an export of a newer format asks for an upgrade", async () => {
  const [first = "", second = ""] = await linesOf(2);
  expect(() => read(textOf([first, second.replace('"v":1', '"v":2')]))).toThrow(
    expect.objectContaining({ code: "journal/newer-format" }),
  );
});

test("a line without an end is given up on before it fills the memory", () => {
  let pieces = 0;
  function* endless() {
    for (;;) {
      pieces++;
      yield "x".repeat(1_000_000);
    }
  }
  expect(() => [...parseExport(endless(), hashOf).rows]).toThrow(damage("no event is that long"));
  expect(pieces).toBeLessThan(10);
});

/** A body as large as one may be, and a bit more, in characters of this many bytes. */
const tooMuch = (character: string) =>
  character.repeat(Math.ceil(4_200_000 / bytesOf(character).length));

test.each([
  ["of one byte", "x"],
  ["of two bytes", "ü"],
  ["of three bytes", "語"],
  ["of four bytes", "😀"],
  ["that are no UTF-8 when they are cut", "語x"],
] as const)(
  "a line of too many characters %s is damage, and what follows it is never left out",
  async (_, character) => {
    const [first = "", second = "", third = ""] = await linesOf(3);
    const long = second.replace('{"n":2}', `{"n":"${tooMuch(character)}"}`);
    const message =
      "Line 2 of the export is damaged: no event is that long. The last intact event is 1";
    for (const text of [textOf([first, long, third]), `${first}\n${long}`]) {
      const bytes = bytesOf(text);
      for (const size of [65_536, 1_048_576, 1_048_577, bytes.length]) {
        const parsed = parseExport(piecesOf(bytes, size), hashOf);
        expect(() => [...parsed.rows]).toThrow(damage(message));
        expect(parsed.torn).toBe(false);
      }
      // By its characters it may not be too long, but its body is.
      expect(() => read(text)).toThrow(damage("Line 2 of the export is damaged"));
    }
  },
);

test("an export with a line that is too long leaves the journal as it was", async () => {
  const [first = "", second = "", third = ""] = await linesOf(3);
  const text = textOf([first, second.replace('{"n":2}', `{"n":"${tooMuch("ü")}"}`), third]);
  const journal = await openJournal(new MemoryStore(fixedPorts().ids));
  const before = await rowsOf(journal);
  const imported = journal.importRows(parseExport(piecesOf(bytesOf(text), 1_048_576), hashOf));
  await expect(imported).rejects.toMatchObject({ code: "journal/import-damaged" });
  expect(await rowsOf(journal)).toEqual(before);
});

test("damage that shows only at the end names its own line, with a torn line after it as without", async () => {
  const rows = await rowsOf(await memoryJournal(anEvent({ n: 2 }), anEvent({ n: 3 }), anEvent()));
  const lines = rows.map((row) =>
    exportLine(row.header.seq === 3 ? { ...row, bodyText: null } : row),
  );
  const message = "Line 3 of the export is damaged: The content of event 3 (x.noted) is absent";
  for (const tail of ["", '{"header":{"at":"2026']) {
    expect(() => read(textOf(lines) + tail)).toThrow(damage(message));
    // Of a journal that begins later, lines and events are numbered apart.
    expect(() => read(textOf(lines.slice(1)) + tail)).toThrow(
      damage("Line 1 of the export is damaged: The journal begins after event 1"),
    );
  }
});

test("a body that is absent without a journal.shed that lists it is damage", async () => {
  const rows = await rowsOf(await memoryJournal(anEvent({ secret: "s" }), anEvent()));
  const lines = rows.map((row) =>
    exportLine(row.header.seq === 2 ? { ...row, bodyText: null } : row),
  );
  expect(() => read(textOf(lines))).toThrow(damage("no journal.shed accounts for it"));
});

test("a body that a later journal.shed lists may be absent", async () => {
  const journal = await memoryJournal(anEvent({ secret: "s" }), anEvent());
  const [, secret] = await rowsOf(journal);
  const items = [{ seq: 2, bodyDigest: secret?.header.bodyDigest ?? "", replacement: null }];
  await appendTo(journal, anEvent({ reason: "a secret", items }, { type: "journal.shed" }));
  const shed = (await rowsOf(journal)).map((row) =>
    row.header.seq === 2 ? { ...row, bodyText: null } : row,
  );
  expect(read(textOf(shed.map(exportLine))).rows).toEqual(shed);
  expect(await verifyRows(shed, hashOf)).toMatchObject({ ok: true, problems: [] });
});

/** An export of two events of which the second says something else, with hashes that fit. */
async function forgedExport(change: (header: JsonObject) => JsonObject): Promise<string> {
  const [first = "", second = ""] = await linesOf(2);
  const { header, body } = JSON.parse(second);
  const changed = JSON.stringify(change(header));
  const hash = hashOf(`holdfast.journal.v1\n${changed}`);
  return textOf([first, `{"header":${changed},"hash":"${hash}","body":${JSON.stringify(body)}}`]);
}

test("an export may come as bytes in pieces of any size", async () => {
  const text = await exportOf(await memoryJournal(anEvent({ text: "naïve 😀" }), anEvent()));
  const whole = read(text);
  const bytes = bytesOf(text);
  for (const size of [1, 7, 100, bytes.length]) {
    const parsed = parseExport(piecesOf(bytes, size), hashOf);
    expect({ rows: [...parsed.rows], torn: parsed.torn }).toEqual(whole);
  }
});

test("bytes that are no UTF-8 are damage, and are never taken for U+FFFD", async () => {
  const text = await exportOf(await memoryJournal(anEvent({ text: "\ufffd" }), anEvent()));
  const [before = "", after = ""] = text.split("\ufffd");
  const bytes = [...bytesOf(before), 0xff, ...bytesOf(after)];
  expect(() => [...parseExport([Uint8Array.from(bytes)], hashOf).rows]).toThrow(
    damage("Line 2 of the export is damaged: its bytes are not UTF-8. The last intact event is 1"),
  );
});

test("a last line that was cut off within a character is torn", async () => {
  const text = await exportOf(await memoryJournal(anEvent({ text: "😀" })));
  const bytes = bytesOf(text.slice(0, text.indexOf("😀") + 2));
  const parsed = parseExport([bytes.slice(0, -2)], hashOf);
  expect([[...parsed.rows].length, parsed.torn]).toEqual([1, true]);
});

/** An export whose rows say what `change` makes of them, each linked as it should be. */
async function relinked(change: (row: EventRow) => Partial<NewEvent>): Promise<string> {
  const journal = await memoryJournal(anEvent({ n: 2 }), anEvent({ n: 3 }));
  let head = EMPTY_HEAD;
  let text = "";
  for (const row of await rowsOf(journal)) {
    const { type = row.header.type, body = JSON.parse(row.bodyText ?? "{}") } = change(row);
    const bodyText = canonicalText(body);
    const header = { ...row.header, type, bodyDigest: hashOf(bodyText), prev: head.hash };
    const hash = hashOf(`holdfast.journal.v1\n${canonicalText(header)}`);
    text += `${exportLine({ header, hash, bodyText })}\n`;
    head = { seq: header.seq, hash };
  }
  return text;
}

test("a journal is opened once, by its first event, and in a format that is known", async () => {
  const journal = "01940000-0000-7000-8000-000000000001";
  const opening = { type: "journal.opened", body: { format: 1, journal } };
  expect(read(await relinked(() => ({}))).rows).toHaveLength(3);
  const second = await relinked(({ header }) => (header.seq === 3 ? opening : {}));
  expect(() => read(second)).toThrow(damage("Event 3 is a second journal.opened"));
  const none = await relinked(({ header }) => (header.seq === 1 ? { type: "x.noted" } : {}));
  expect(() => read(none)).toThrow(damage("The first event has to be journal.opened"));
  const opened = (format: unknown) =>
    relinked(({ header }) =>
      header.seq === 1 ? { body: { format, journal } as NewEvent["body"] } : {},
    );
  const newer = await opened(2);
  expect(() => read(newer)).toThrow(expect.objectContaining({ code: "journal/newer-format" }));
  for (const format of [0, "1", null]) {
    const text = await opened(format);
    expect(() => read(text)).toThrow(damage(`its format is ${JSON.stringify(format)}`));
  }
});
