import fc from "fast-check";
import { expect, test } from "vitest";
import { HoldfastError } from "../../src/errors.ts";
import { bodyText, canonicalText, type JsonValue } from "../../src/journal/index.ts";

const bytesOf = (text: string) => Buffer.from(text, "utf8").toString("hex");
const parse = (text: string): JsonValue => JSON.parse(text) as JsonValue;

/** The double with these bits, most significant first. */
const doubleOf = (bits: string) => Buffer.from(bits, "hex").readDoubleBE();

/** @see RFC 8785, appendix B: the bits of a number and its text */
const NUMBERS = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
] as const;

test.each(NUMBERS)("the number with the bits %s is written %s", (bits, text) => {
  expect(canonicalText(doubleOf(bits))).toBe(text);
});

test.each(["7fffffffffffffff", "7ff0000000000000", "fff0000000000000"])(
  "the number with the bits %s is refused",
  (bits) => {
    expect(() => canonicalText(doubleOf(bits))).toThrow(
      expect.objectContaining({ code: "journal/not-canonical" }),
    );
  },
);

test("strings, numbers and literals come out to the byte", () => {
  // RFC 8785 §3.2.2 is the input, §3.2.4 the bytes.
  const input = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  const expected =
    "7b 22 6c 69 74 65 72 61 6c 73 22 3a 5b 6e 75 6c 6c 2c 74 72 75 65 2c 66 61 6c 73 65 5d 2c " +
    "22 6e 75 6d 62 65 72 73 22 3a 5b 33 33 33 33 33 33 33 33 33 2e 33 33 33 33 33 33 33 2c " +
    "31 65 2b 33 30 2c 34 2e 35 2c 30 2e 30 30 32 2c 31 65 2d 32 37 5d 2c " +
    "22 73 74 72 69 6e 67 22 3a 22 e2 82 ac 24 5c 75 30 30 30 66 5c 6e 41 27 42 5c 22 5c 5c 5c 5c 5c 22 2f 22 7d";
  expect(bytesOf(canonicalText(parse(input)))).toBe(expected.replaceAll(" ", ""));
});

test("names stand in the order of their UTF-16 code units", () => {
  // RFC 8785 §3.2.3. By code points the emoji would come last; by UTF-16 units it does not.
  const input = String.raw`{
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  }`;
  expect(canonicalText(parse(input))).toBe(
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control",' +
      '"ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign",' +
      '"😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

test("all control characters are escaped in the shortest way, and nothing else is", () => {
  const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join("");
  expect(canonicalText(controls)).toBe(
    '"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f' +
      "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c" +
      '\\u001d\\u001e\\u001f"',
  );
  expect(canonicalText("\u007f\u2028\u2029/<é😀")).toBe('"\u007f\u2028\u2029/<é😀"');
});

/** Any JSON value of well-formed text; fast-check makes objects with and without a prototype. */
const anyJson = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;

/** The same value with the names of every object in another order. */
function shuffled(value: JsonValue, random: () => number): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, random));
  if (typeof value !== "object" || value === null) return value;
  const copy = {};
  const names = Object.keys(value)
    .map((name) => ({ name, rank: random() }))
    .sort((a, b) => a.rank - b.rank);
  for (const { name } of names) {
    const inner = shuffled((value as Record<string, JsonValue>)[name] as JsonValue, random);
    Object.defineProperty(copy, name, {
      value: inner,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

test("canonical text, parsed and written again, is the same text", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = canonicalText(value);
      expect(canonicalText(parse(text))).toBe(text);
    }),
  );
});

test("canonical text, parsed, is an equal value", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      // By way of JSON.stringify -0 becomes 0 here too, and prototypes are made equal.
      expect(parse(canonicalText(value))).toEqual(parse(JSON.stringify(value)));
    }),
  );
});

test("the order in which names were set never shows", () => {
  fc.assert(
    fc.property(
      anyJson,
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (value, ranks) => {
        const random = () => ranks.next().value as number;
        expect(canonicalText(shuffled(value, random))).toBe(canonicalText(value));
      },
    ),
  );
});

test("any double is written so that reading gives the same double", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(Number(canonicalText(number))).toBe(number === 0 ? 0 : number);
    }),
  );
});

test("one object at two places is no cycle", () => {
  const shared = { n: 1 };
  expect(canonicalText({ b: shared, a: [shared] })).toBe('{"a":[{"n":1}],"b":{"n":1}}');
});

function cycle(): unknown {
  const value: Record<string, unknown> = {};
  value.again = [value];
  return value;
}

const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner) => [inner], 1);

class Point {
  readonly x = 1;
}

const REFUSED: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  "an undefined value in an object": () => ({ a: undefined }),
  "a function": () => () => 1,
  "a symbol": () => Symbol("s"),
  "a name that is a symbol": () => ({ [Symbol("s")]: 1 }),
  "a big integer": () => 1n,
  NaN: () => Number.NaN,
  infinity: () => Number.NEGATIVE_INFINITY,
  "a date": () => new Date(0),
  "a map": () => new Map([["a", 1]]),
  "a set": () => new Set([1]),
  bytes: () => new Uint8Array(2),
  "a regular expression": () => /a/,
  "a boxed text": () => Object("text"),
  "an object of a class": () => new Point(),
  "an object that inherits": () => Object.create({ a: 1 }),
  "an object with a toJSON function": () => ({ toJSON: () => 1 }),
  "an array with a toJSON function": () => Object.assign([1], { toJSON: () => 1 }),
  "a cycle": cycle,
  "an array with a hole": () => new Array(3),
  "the first half of a pair": () => "a\ud83d",
  "the second half of a pair": () => "\ude00a",
  "half of a pair in a name": () => ({ "\ud83d": 1 }),
  "half of a pair deep inside": () => ({ a: [{ b: "\udc00" }] }),
  "65 levels": () => nested(65),
};

test.each(Object.entries(REFUSED))("%s is refused", (_, make) => {
  expect(() => canonicalText(make() as JsonValue)).toThrow(
    expect.objectContaining({ code: "journal/not-canonical" }),
  );
  expect(() => bodyText({ value: make() } as never)).toThrow(HoldfastError);
});

test("a refusal says where the value is that can't be stored", () => {
  expect(() => canonicalText({ a: [1, { b: Number.NaN }] })).toThrow("The value at /a/1/b");
  expect(() => canonicalText(Number.NaN)).toThrow("The value at the top");
});

test("64 levels are taken, and objects without a prototype", () => {
  expect(canonicalText(nested(64) as JsonValue)).toHaveLength(64 * 2 + 1);
  const bare = Object.assign(Object.create(null), { a: 1 });
  expect(canonicalText(bare)).toBe('{"a":1}');
});

test.each([2 ** 53, -(2 ** 53), 123456789012345680000, 999999999999999900000])(
  "a body does not take the integer %d, which other JSON readers would round",
  (n) => {
    expect(() => bodyText({ n })).toThrow("beyond 2^53");
    expect(canonicalText(n)).toBe(String(n));
  },
);

test.each([
  [2 ** 53 - 1, "9007199254740991"],
  [-(2 ** 53) + 1, "-9007199254740991"],
  [1e21, "1e+21"],
  [-1e300, "-1e+300"],
  [0.1, "0.1"],
  [-0, "0"],
])("a body takes the number %d", (n, text) => {
  expect(bodyText({ n })).toBe(`{"n":${text}}`);
});

test.each([[[]], [null], ["text"], [1], [undefined]])("a body is never %j", (body) => {
  expect(() => bodyText(body as never)).toThrow(
    expect.objectContaining({ code: "journal/not-canonical" }),
  );
});
