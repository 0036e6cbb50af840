import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor, REDACTION_MARKER } from "../../src/redaction/index.ts";
import {
  ASSIGNMENTS,
  AUTHORIZATION_HEADERS,
  BENIGN,
  CREDENTIAL_URLS,
  PRIVATE_KEYS,
  VENDOR_TOKENS,
} from "./corpus.ts";

const secretCases = [
  ...ASSIGNMENTS,
  ...VENDOR_TOKENS,
  ...PRIVATE_KEYS,
  ...CREDENTIAL_URLS,
  ...AUTHORIZATION_HEADERS,
];

const redactor = createRedactor();
const knowing = createRedactor({
  literals: [
    { name: "A", value: "abcdefgh" },
    { name: "B", value: "T]abcdef" },
  ],
});

/** Pieces of the syntax that the redactor reads, so that random texts meet its corners. */
const aPiece = fc.constantFrom(
  ...["token", "password", "secret", "api_key", "Authorization", "--token", "tokens", "pwd", "my"],
  ...["=", ":", ": ", " = ", "=>", "==", "\n", " ", "\t", ",", ";", "&", "|", "\\", "\\n", '\\"'],
  ...[
    '"',
    "'",
    "`",
    "''",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "</",
    "$",
    ["$", "{X}"].join(""),
    "$(",
    "#",
    ".",
  ],
  ...["Bearer ", "Basic ", "Digest ", "Custom ", "://", "://u:", "@", "/", "-", "a", "B7", "null"],
  ...[
    "abcdefgh",
    "abcdef",
    "0123456789",
    "abcdefghijklmnopqrstuvwx",
    "T]",
    "x1",
    "await ",
    "const ",
  ],
  ...[["s", "k-"].join(""), ["gh", "p_"].join(""), ["AK", "IA"].join(""), "eyJ", "-----BEGIN "],
  ...["PRIVATE KEY-----", "-----END ", REDACTION_MARKER, "[REDACTED", "\ud83d", "é", "😀"],
);
const aText = fc.oneof(
  fc.array(aPiece, { maxLength: 24 }).map((pieces) => pieces.join("")),
  fc
    .array(
      fc.constantFrom(...secretCases.map(({ text }) => text), ...BENIGN.map(([, text]) => text)),
      {
        maxLength: 4,
      },
    )
    .map((texts) => texts.join("\n")),
  fc.string({ unit: "binary", maxLength: 60 }),
);
const aName = fc.oneof(
  fc.constantFrom("password", "tokens", "secrets", "__proto__", "constructor", "key", "data"),
  aText,
);
const aValue = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    aText,
    fc.constantFrom(null, true, 0, 1.5),
    fc.array(tie("node"), { maxLength: 4 }),
    fc
      .array(fc.tuple(aName, tie("node")), { maxLength: 4 })
      .map((entries): unknown => Object.fromEntries(entries)),
  ),
})).node;

test("redacting a text twice is redacting it once", () => {
  fc.assert(
    fc.property(aText, fc.constantFrom(redactor, knowing), (text, { text: redact }) => {
      const once = redact(text);
      expect(once.redacted).toBe(once.text !== text);
      expect(redact(once.text)).toEqual({ text: once.text, redacted: false });
    }),
    { numRuns: 5_000 },
  );
});

test("redacting a value twice is redacting it once", () => {
  fc.assert(
    fc.property(aValue, (value) => {
      const once = knowing.value(value).value;
      const twice = knowing.value(once);
      expect(twice.redacted).toBe(0);
      expect(twice.value).toBe(once);
    }),
    { numRuns: 2_000 },
  );
});

test("the shape of a value never changes: only strings are replaced, by strings", () => {
  fc.assert(
    fc.property(aValue, (value) => {
      const before = JSON.stringify(value);
      expectSameShape(value, knowing.value(value).value);
      expect(JSON.stringify(value)).toBe(before);
    }),
    { numRuns: 2_000 },
  );
});

test("the number of changed strings says whether the value changed", () => {
  fc.assert(
    fc.property(aValue, (value) => {
      const result = knowing.value(value);
      expect(result.value === value).toBe(result.redacted === 0);
    }),
  );
});

test("text around a secret on other lines neither hides nor is changed by it", () => {
  const aBenignText = fc.constantFrom(...BENIGN.map(([, text]) => text));
  fc.assert(
    fc.property(
      aBenignText,
      fc.constantFrom(...secretCases),
      aBenignText,
      (before, { text }, after) => {
        const alone = redactor.text(text).text;
        expect(redactor.text(`${before}\n\n${text}\n\n${after}`).text).toBe(
          `${before}\n\n${alone}\n\n${after}`,
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test("harmless texts stay harmless side by side", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...BENIGN.map(([, text]) => text))), (texts) => {
      expect(redactor.text(texts.join("\n\n")).redacted).toBe(false);
    }),
  );
});

function expectSameShape(before: unknown, after: unknown): void {
  if (typeof before === "string") {
    expect(typeof after).toBe("string");
  } else if (Array.isArray(before)) {
    expect(Array.isArray(after)).toBe(true);
    expect(after).toHaveLength(before.length);
    for (const [index, node] of before.entries())
      expectSameShape(node, (after as unknown[])[index]);
  } else if (typeof before === "object" && before !== null) {
    const entries = Object.entries(after as object);
    const expected = Object.entries(before);
    expect(entries).toHaveLength(expected.length);
    expect(Object.getPrototypeOf(after)).toBe(Object.getPrototypeOf(before));
    for (const [index, [name, node]] of expected.entries()) {
      const [newName, newNode] = entries[index] ?? [];
      if (!newName?.includes(REDACTION_MARKER)) expect(newName).toBe(name);
      expectSameShape(node, newNode);
    }
  } else {
    expect(after).toBe(before);
  }
}
