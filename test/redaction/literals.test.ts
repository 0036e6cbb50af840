import { expect, test } from "vitest";
import {
  createRedactor,
  LITERAL_LENGTH_MIN,
  REDACTION_MARKER,
  sensitiveEnvironment,
} from "../../src/redaction/index.ts";

const value = "zq81-not-a-real-secret-77";
const redactorOf = (...values: readonly string[]) =>
  createRedactor({ literals: values.map((literal) => ({ name: "DEMO_TOKEN", value: literal })) });

test("a known value is replaced wherever it stands", () => {
  const redactor = redactorOf(value);
  expect(redactor.text(`echo ${value}, again:${value}`).text).toBe(
    `echo ${REDACTION_MARKER}, again:${REDACTION_MARKER}`,
  );
  expect(redactor.value({ out: [value] })).toEqual({
    value: { out: [REDACTION_MARKER] },
    redacted: 1,
  });
});

test("a known value is found inside JSON text and inside a URL", () => {
  const redactor = redactorOf('made "up"\nvalue/42');
  expect(redactor.text(JSON.stringify({ out: 'made "up"\nvalue/42' })).text).toBe(
    `{"out":"${REDACTION_MARKER}"}`,
  );
  expect(redactor.text(`/q/${encodeURIComponent('made "up"\nvalue/42')}/x`).text).toBe(
    `/q/${REDACTION_MARKER}/x`,
  );
});

test("of two values the longer one is replaced as a whole", () => {
  const redactor = redactorOf(value, `${value}-and-more`);
  expect(redactor.text(`${value}-and-more`).text).toBe(REDACTION_MARKER);
});

test("two values that overlap are replaced together", () => {
  const redactor = redactorOf("made-up-0001", "0001-more-42");
  expect(redactor.text("a made-up-0001-more-42 b").text).toBe(`a ${REDACTION_MARKER} b`);
});

test.each([
  "x".repeat(LITERAL_LENGTH_MIN - 1),
  "        ",
  "undefined",
  "<your token>",
  "REDACTED_SECRET",
])("a value that is no secret or not distinct is ignored: %j", (literal) => {
  const text = `a ${literal} b ${REDACTION_MARKER}`;
  expect(redactorOf(literal).text(text)).toEqual({ text, redacted: false });
});

test("the variables that hold secrets are picked by their names", () => {
  expect(
    sensitiveEnvironment({
      DEMO_TOKEN: value,
      MYSQL_PWD: "made-up-42",
      npm_config__authToken: "made-up-43",
      SHORT_TOKEN: "x1",
      EMPTY_SECRET: "",
      CI_PASSWORD: undefined,
      SAMPLE_API_KEY: "placeholder",
      PWD: "/home/ada/projects",
      PATH: "/usr/local/bin:/usr/bin",
      TOKEN_LIMIT: "1000000000",
    }),
  ).toEqual([
    { name: "DEMO_TOKEN", value },
    { name: "MYSQL_PWD", value: "made-up-42" },
    { name: "npm_config__authToken", value: "made-up-43" },
  ]);
});
