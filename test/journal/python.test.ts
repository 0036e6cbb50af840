import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test, vi } from "vitest";
import { exportLine, type JsonObject, parseExport } from "../../src/journal/index.ts";
import { openEngineOver } from "../engine/makers.ts";
import { anEvent, appendTo, exportOf, hashOf, memoryJournal, RUN, rowsOf } from "./makers.ts";

vi.setConfig({ testTimeout: 30_000 });

const script = path.join(import.meta.dirname, "verify_export.py");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const folder = mkdtempSync(path.join(tmpdir(), "holdfast-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the independent verifier says of an export. */
function verdictOf(text: string | Buffer, ...noted: readonly string[]) {
  const file = path.join(folder, "export.jsonl");
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync("python3", [script, file, ...noted], {
    encoding: "utf8",
  });
  return { status, said: (stdout + stderr).trim() };
}

/** The exit codes of the independent verifier for many exports, found in one process. */
function statusesOf(files: readonly string[]): readonly number[] {
  const program = `
import contextlib, io, json, sys
sys.path.insert(0, sys.argv[1])
import verify_export
with contextlib.redirect_stdout(io.StringIO()):
    statuses = [verify_export.main([file]) for file in sys.argv[2:]]
print(json.dumps(statuses))`;
  const { stdout } = spawnSync("python3", ["-B", "-c", program, import.meta.dirname, ...files], {
    encoding: "utf8",
  });
  return JSON.parse(stdout);
}

/** Whether this program takes the same export. */
function isSound(text: Buffer): boolean {
  try {
    const parsed = parseExport([text.toString("utf8")], hashOf);
    for (const _ of parsed.rows);
    return !parsed.torn;
  } catch {
    return false;
  }
}

/** Everything that is easy to get wrong in another language. */
const ODD: JsonObject = JSON.parse(
  String.raw`{
    "numbers": [0, -0, 1, -1.5, 1e21, 1e-7, 0.000001, 123456789.125, 5e-324, 1.7976931348623157e308,
      9007199254740991, -9007199254740991, 4.50, 1e300, 333333333.33333329, 0.1, 1e22, 100],
    "__proto__": { "x": 1 }, "constructor": null, "toString": [], "": "",
    "10": true, "9": false, "\ufb33": 1, "\ud83d\ude00": 2, "é": "é", "e\u0301": 3,
    "text": "\u0000\u001f\b\f\n\r\t\"\\/<\u007f\u2028\u2029 naïve 😀",
    "nested": [{ "z": 1, "a": { "y": [[]], "x": {} } }]
  }`,
);

/** A journal with odd content, random content and one body that was shed. */
async function oddExport(): Promise<string> {
  const random = fc
    .sample(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), {
      seed: 8785,
      numRuns: 60,
    })
    .filter((body) => isStorable(body as JsonObject)) as readonly JsonObject[];
  const numbers = fc
    .sample(fc.double({ noNaN: true, noDefaultInfinity: true }), { seed: 754, numRuns: 400 })
    .filter((number) => !Number.isInteger(number) || Math.abs(number) >= 1e21);
  const journal = await memoryJournal(
    anEvent(ODD, { run: RUN, session: hashOf("s"), key: hashOf("k") }),
    anEvent({ numbers }),
    ...random.map((body) => anEvent(body)),
    anEvent({ secret: "to be shed" }),
  );
  const shed = (await rowsOf(journal)).at(-1)?.header;
  const items = [{ seq: shed?.seq ?? 0, bodyDigest: shed?.bodyDigest ?? "", replacement: null }];
  await appendTo(journal, anEvent({ reason: "a secret", items }, { type: "journal.shed" }));
  const rows = await rowsOf(journal);
  return rows
    .map((row) => (row.header.seq === shed?.seq ? { ...row, bodyText: null } : row))
    .map((row) => `${exportLine(row)}\n`)
    .join("");
}

/** Random numbers may be integers that no journal takes. */
function isStorable(value: unknown): boolean {
  if (typeof value === "number") {
    return !Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) >= 1e21;
  }
  return typeof value !== "object" || value === null || Object.values(value).every(isStorable);
}

if (!hasPython) {
  test("the verifier in Python", ({ skip }) => {
    skip("python3 is not on this machine, so nothing independent looked at an export.");
  });
}

test.runIf(hasPython)(
  "an independent verifier takes a real export, odd content and all",
  async () => {
    const text = await oddExport();
    const { header, hash } = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
    const head = `${header.seq}:${hash}`;
    expect(verdictOf(text)).toEqual({ status: 0, said: `ok ${header.seq} events, head ${head}` });
    expect(verdictOf(text, head)).toMatchObject({ status: 0 });
    const cut = text.slice(0, text.trimEnd().lastIndexOf("\n") + 1);
    expect(verdictOf(cut, head)).toMatchObject({ status: 1 });
  },
);

test.runIf(hasPython)("an independent verifier finds a flipped bit wherever it is", async () => {
  const bytes = Buffer.from(await exportOf(await memoryJournal(anEvent(ODD), anEvent({ n: 1 }))));
  const flips = fc.sample(fc.tuple(fc.nat(bytes.length - 1), fc.nat(7)), { seed: 6, numRuns: 300 });
  flips.push([bytes.length - 1, 0]);
  const files = flips.map(([at, bit], number) => {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
    expect(isSound(flipped), `bit ${bit} of byte ${at}`).toBe(false);
    const file = path.join(folder, `flipped-${number}.jsonl`);
    writeFileSync(file, flipped);
    return file;
  });
  expect(statusesOf(files)).toEqual(files.map(() => 1));
});

test.runIf(hasPython).each([
  ["a removed line", (lines: string[]) => lines.toSpliced(3, 1), "line 4: event 5 follows event 3"],
  [
    "swapped lines",
    ([a, b, c, ...rest]: string[]) => [a, c, b, ...rest],
    "line 2: event 3 follows",
  ],
  [
    "a changed header",
    ([a, b, ...rest]: string[]) => [
      a,
      b?.replace('"session":"', '"session":"0').replace(/(.)"(,"type")/, '"$2'),
      ...rest,
    ],
    "line 2: the hash does not fit",
  ],
  [
    "a changed body",
    ([a, b, ...rest]: string[]) => [a, b?.replace("4.5", "4.25"), ...rest],
    "line 2: the content is not",
  ],
  ["a torn tail", (lines: string[]) => [...lines.slice(0, 3), "{"], "it is not an event"],
  [
    "a taken body",
    ([a, b, c, ...rest]: string[]) => [a, b, c?.replace(/"body":.*$/, '"body":null}'), ...rest],
    "event 3 is absent",
  ],
] as const)("an independent verifier finds %s", async (_, change, message) => {
  const lines = (await oddExport()).trimEnd().split("\n");
  const changed = change(lines)
    .map((line) => `${line}\n`)
    .join("");
  const { status, said } = verdictOf(changed);
  expect(said).toContain(message);
  expect(status).toBe(1);
  expect(isSound(Buffer.from(changed))).toBe(false);
});

test.runIf(hasPython)("an independent verifier tells a torn tail from damage", async () => {
  const text = await oddExport();
  expect(verdictOf(text.slice(0, -20))).toMatchObject({
    status: 1,
    said: expect.stringContaining("is torn off; the lines before it are sound"),
  });
});

/** A journal whose past was changed in every way that is allowed, as an export. */
async function upkeptExport() {
  const { engine } = await openEngineOver();
  const asking = { session: "ada" };
  const note = (text: string) => engine.journal.append({ type: "x.noted", body: { text } }, asking);
  for (const text of ["one", "the first-key", "the second-key", "four", "five"]) await note(text);
  await engine.journal.shed({ text: "first-key", reason: "because of second-key" }, asking);
  await engine.journal.shed({ text: "second-key", reason: "that as well" }, asking);
  const noted = await engine.journal.head();
  await note("eight");
  const exported = async () => {
    let text = "";
    for await (const line of engine.journal.export()) text += line;
    return text;
  };
  const shed = await exported();
  const { through } = await engine.journal.compact({ ceiling: 8 }, asking);
  return { shed, compacted: await exported(), noted, through, head: await engine.journal.head() };
}

test.runIf(hasPython)(
  "an independent verifier takes journals that were shed from and compacted",
  async () => {
    const { shed, compacted, noted, through, head } = await upkeptExport();
    const textOf = (it: { seq: number; hash: string } | null) => `${it?.seq}:${it?.hash}`;
    expect(verdictOf(shed, textOf(noted))).toMatchObject({ status: 0 });
    expect(verdictOf(compacted, textOf(noted))).toEqual({
      status: 0,
      said: `ok 8 events, head ${textOf(head)}`,
    });
    expect(verdictOf(compacted, textOf(through))).toMatchObject({ status: 0 });
    expect(isSound(Buffer.from(compacted))).toBe(true);
    expect(verdictOf(compacted, `1:${"a".repeat(64)}`)).toEqual({
      status: 1,
      said: `event 1 was removed; the journal begins after event ${through?.seq}`,
    });
  },
);

test.runIf(hasPython).each([
  [
    "a further line less at the beginning",
    (lines: string[]) => lines.slice(1),
    "no journal.compacted",
  ],
  ["no anchor at the end", (lines: string[]) => lines.slice(0, -1), "no journal.compacted"],
  [
    "a body less than was shed",
    (lines: string[]) =>
      lines.map((line) =>
        line.includes("eight") ? line.replace(/"body":.*/, '"body":null}') : line,
      ),
    "no journal.shed lists it",
  ],
] as const)("an independent verifier finds %s in a compacted journal", async (_, change, said) => {
  const { compacted } = await upkeptExport();
  const lines = change(compacted.trimEnd().split("\n"));
  const changed = lines.map((line) => `${line}\n`).join("");
  expect(verdictOf(changed)).toMatchObject({ status: 1, said: expect.stringContaining(said) });
  expect(isSound(Buffer.from(changed))).toBe(false);
});

test.runIf(hasPython)(
  "an independent verifier compares the end that a compaction names",
  async () => {
    const journal = await memoryJournal(anEvent());
    const headBefore = { ...journal.head, hash: "a".repeat(64) };
    await appendTo(journal, anEvent({ headBefore }, { type: "journal.compacted" }));
    const text = await exportOf(journal);
    const said = expect.stringContaining("event 3 names another end");
    expect(verdictOf(text)).toEqual({ status: 1, said });
    expect(isSound(Buffer.from(text))).toBe(false);
  },
);
