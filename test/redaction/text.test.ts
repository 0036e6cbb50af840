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

const redactor = createRedactor();

const onlyTheSecretGoes = [
  ...ASSIGNMENTS,
  ...VENDOR_TOKENS,
  ...CREDENTIAL_URLS,
  ...AUTHORIZATION_HEADERS,
];

test.each(onlyTheSecretGoes)("the secret and nothing else is replaced: $name", (secretCase) => {
  const { text, redacted } = redactor.text(secretCase.text);
  expect(text).toBe(secretCase.text.replaceAll(secretCase.secret, REDACTION_MARKER));
  expect(redacted).toBe(true);
});

test.each(PRIVATE_KEYS)(
  "the whole key goes and the text around it stays: $name",
  ({ text, secret }) => {
    const result = redactor.text(text);
    for (const line of secret.split(/\\n|\n/)) expect(result.text).not.toContain(line);
    expect(result.text).toContain(REDACTION_MARKER);
    expect(result.text.startsWith(text.slice(0, text.indexOf("-----BEGIN")))).toBe(true);
    expect(result.text.endsWith(/after$|"\}$/.exec(text)?.[0] ?? "")).toBe(true);
  },
);

test.each(BENIGN)("a harmless text comes back as it is: %s", (_name, text) => {
  expect(redactor.text(text)).toEqual({ text, redacted: false });
});

test("the corpus has at least as many cases as the requirements ask for", () => {
  expect(ASSIGNMENTS.length).toBeGreaterThanOrEqual(30);
  expect(VENDOR_TOKENS.length).toBeGreaterThanOrEqual(7);
  expect(PRIVATE_KEYS.length).toBeGreaterThanOrEqual(2);
  expect(CREDENTIAL_URLS.length).toBeGreaterThanOrEqual(7);
  expect(AUTHORIZATION_HEADERS.length).toBeGreaterThanOrEqual(6);
  expect(onlyTheSecretGoes.length + PRIVATE_KEYS.length).toBeGreaterThanOrEqual(52);
  expect(BENIGN.length).toBeGreaterThanOrEqual(30);
});

test("a verify command with a password in it is recognised as carrying a secret", () => {
  expect(redactor.text("DB_PASSWORD=x npm test")).toEqual({
    text: `DB_PASSWORD=${REDACTION_MARKER} npm test`,
    redacted: true,
  });
});

test("several secrets in one text are all replaced", () => {
  const { text } = redactor.text("API_TOKEN=one-42 npm run a && postgres://u:two-42@db/x");
  expect(text).toBe(
    `API_TOKEN=${REDACTION_MARKER} npm run a && postgres://u:${REDACTION_MARKER}@db/x`,
  );
});

test.each([
  ["password: seven77", false],
  ["password: eight888", true],
  ["token: eleven11111", false],
  ["token: twelve121212", true],
  ["token=x1", true],
  ['token: "x1"', true],
])("a bare value counts from its length on: %s", (text, redacted) => {
  expect(redactor.text(text).redacted).toBe(redacted);
});

test("the marker is no key: what stands behind it stays", () => {
  const text = `${REDACTION_MARKER}="made-up-42" ${REDACTION_MARKER}=42`;
  expect(redactor.text(text).text).toBe(text);
});
