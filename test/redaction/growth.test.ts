import { expect, test } from "vitest";
import { createRedactor, REDACTION_MARKER } from "../../src/redaction/index.ts";
import { ASSIGNMENTS, BENIGN, PRIVATE_KEYS, VENDOR_TOKENS } from "./corpus.ts";

const redactor = createRedactor();
const CHARACTERS = 5_000_000;
/** At most 2.5 for each doubling. */
const GROWTH_MAX = 2.5 ** 2;

/** Harmless lines, at least so many characters of them. */
const ordinaryLines = (length: number): string => {
  const block = `${BENIGN.map(([, text]) => text).join("\n\n")}\n\n${"compiled src/cart/add.ts\n".repeat(100)}`;
  return block.repeat(Math.ceil(length / block.length));
};

/** Texts that make a careless pattern try the same characters again and again. */
const HOSTILE: readonly (readonly [name: string, unit: string])[] = [
  ["one run of letters", "a"],
  ["one run of a key", "token"],
  ["assignments without end", "token="],
  ["keys and short values", "token: a "],
  ["openings of calls", "token: f("],
  ["openings of quotes", 'token="'],
  ["openings of lists", '"tokens": ["null", '],
  ["openings of substitutions", "token=$("],
  ["options", "--token "],
  ["folders", "pwd=/"],
  ["headers", "authorization: digest "],
  ["headers with two words", "authorization: a b"],
  ["first lines of keys", "-----BEGIN PRIVATE KEY-----"],
  ["beginnings of web tokens", "eyJaaaaaaa."],
  ["beginnings of URLs", "://a:"],
  ["vendor prefixes", ["s", "k-"].join("")],
  ["bearer without a token", "bearer "],
  ["backslashes", 'token="\\\\\\\\'],
  ["blanks", `token${" ".repeat(70)}`],
  ["colours", "[1;"],
  ["elements", "<token>a"],
  ["columns", "aws_secret_access_key "],
  ["markers", `token=${REDACTION_MARKER}`],
  ["secrets", "DB_PASSWORD=hunter2\n"],
];

/** The least processor time of some runs, which a busy machine does not lengthen as it does the clock's. */
function leastMs(text: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    redactor.text(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  return least;
}

test("five million characters with secrets among them take less than two seconds", () => {
  const secrets = [...ASSIGNMENTS, ...VENDOR_TOKENS].map(({ text }) => text).join("\n");
  const lines = ordinaryLines(20_000);
  const text = `${lines}\n${secrets}\n`.repeat(
    Math.ceil(CHARACTERS / (lines.length + secrets.length)),
  );
  expect(text.length).toBeGreaterThanOrEqual(CHARACTERS);
  expect(leastMs(text, 2)).toBeLessThan(2_000);
});

test.each(HOSTILE)(
  "four times the text takes far less than sixteen times as long: %s",
  (_name, unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    let growth = Number.POSITIVE_INFINITY;
    // Linear is 4, quadratic 16. Chance makes single measurements worse, never a quadratic one good.
    for (let attempt = 0; attempt < 5 && growth >= GROWTH_MAX; attempt += 1) {
      // Times below a millisecond say nothing.
      growth = Math.min(growth, leastMs(text.repeat(4), 3) / Math.max(leastMs(text, 3), 1));
    }
    expect(growth).toBeLessThan(GROWTH_MAX);
  },
);

test.each([...ASSIGNMENTS, ...VENDOR_TOKENS, ...PRIVATE_KEYS])(
  "one secret at the end of 180 KB of ordinary lines is found: $name",
  ({ text }) => {
    const lines = ordinaryLines(180_000);
    expect(redactor.text(`${lines}${text}`).text).toBe(`${lines}${redactor.text(text).text}`);
  },
);

test.each([
  ["a token", ["gh", "p_"].join(""), "a"],
  ["a bare value", "token: ", "a."],
  ["a quoted value", 'token: "', '\\"'],
  ["a web token", "eyJmYWRl.", "e30_"],
])("a secret of millions of characters is replaced: %s", (_name, start, unit) => {
  const { text, redacted } = redactor.text(
    `${start}${unit.repeat(8_000_000 / unit.length)}.${"c".repeat(9)}`,
  );
  expect(redacted).toBe(true);
  expect(text.length).toBeLessThan(100);
});

test("a secret that was cut into two chunks at any place is found once they are joined", () => {
  for (const { text } of [...ASSIGNMENTS, ...VENDOR_TOKENS]) {
    const expected = redactor.text(text).text;
    for (let at = 0; at <= text.length; at += 1) {
      const chunks = [text.slice(0, at), text.slice(at)];
      expect(redactor.text(chunks.join("")).text).toBe(expected);
    }
  }
});
