import { expect, test } from "vitest";
import { createRedactor, REDACTION_MARKER } from "../../src/redaction/index.ts";

const redactor = createRedactor();

const accessKeyId = ["AK", "IA", "MADEUPMADEUP0042"].join("");

test("strings under sensitive keys and in arrays are replaced, all other leaves stay", () => {
  const { value, redacted } = redactor.value({
    password: "x1",
    clientSecret: "x2",
    "x-api-key": "x3",
    headers: { Authorization: "Bearer x4" },
    tokens: ["x5", ["x6"]],
    credentials: { user: "x7" },
    note: "API_TOKEN=x8 npm test",
    passwordPolicy: "strict",
    semanticTokenType: "keyword",
    secretName: "database",
    retry_token_count: 3,
    token: null,
    isSecret: false,
    digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  });
  expect(value).toEqual({
    password: REDACTION_MARKER,
    clientSecret: REDACTION_MARKER,
    "x-api-key": REDACTION_MARKER,
    headers: { Authorization: REDACTION_MARKER },
    tokens: [REDACTION_MARKER, [REDACTION_MARKER]],
    credentials: { user: REDACTION_MARKER },
    note: `API_TOKEN=${REDACTION_MARKER} npm test`,
    passwordPolicy: "strict",
    semanticTokenType: "keyword",
    secretName: "database",
    retry_token_count: 3,
    token: null,
    isSecret: false,
    digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  });
  expect(redacted).toBe(8);
});

test("an object below a token is a description of it and stays", () => {
  const token = { token: { kind: "identifier", text: "x" } };
  expect(redactor.value(token).value).toBe(token);
});

test("placeholders and variables under sensitive keys stay", () => {
  const settings = { password: "", token: "<token>", secret: "changeme", apiKey: "$API_KEY" };
  expect(redactor.value(settings)).toEqual({ value: settings, redacted: 0 });
});

test("the argument behind a sensitive option is replaced", () => {
  expect(redactor.value(["deploy", "--password", "x1", "--token", "--dry-run"]).value).toEqual([
    "deploy",
    "--password",
    REDACTION_MARKER,
    "--token",
    "--dry-run",
  ]);
});

test("the very same reference comes back when nothing changed, down to each branch", () => {
  const clean = { a: [1, { b: "text" }], c: null };
  expect(redactor.value(clean).value).toBe(clean);
  const mixed = { clean, password: "x1" };
  expect(redactor.value(mixed).value.clean).toBe(clean);
  expect(mixed.password).toBe("x1");
});

test("the order of keys is kept", () => {
  const { value } = redactor.value({ z: 1, password: "x1", a: 2, "0": 3 });
  expect(Object.keys(value)).toEqual(["0", "z", "password", "a"]);
});

test.each(["__proto__", "constructor", "toString"])("an own key %s stays an own key", (name) => {
  const input: unknown = JSON.parse(`{"${name}":{"x":1,"password":"x1"},"b":2}`);
  const { value } = redactor.value(input);
  expect(Object.hasOwn(value as object, name)).toBe(true);
  expect(JSON.stringify(value)).toBe(`{"${name}":{"x":1,"password":"${REDACTION_MARKER}"},"b":2}`);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(({} as { x?: number }).x).toBeUndefined();
});

test("a secret in the name of a key is replaced there too, and names stay distinct", () => {
  const { value, redacted } = redactor.value({
    [accessKeyId]: 1,
    [`${accessKeyId.slice(0, -1)}9`]: 2,
    [REDACTION_MARKER]: 3,
  });
  expect(value).toEqual({
    [`${REDACTION_MARKER}#2`]: 1,
    [`${REDACTION_MARKER}#3`]: 2,
    [REDACTION_MARKER]: 3,
  });
  expect(redacted).toBe(2);
});

test("the bytes of a picture stay, unless they are not bytes at all", () => {
  const picture = { type: "image", mimeType: "image/png", data: `+${accessKeyId}/0Kb9==` };
  expect(redactor.value([picture]).value[0]).toBe(picture);
  const disguised = { type: "image", mimeType: "image/png", data: "password: made-up-42" };
  expect(redactor.value(disguised).value.data).toBe(`password: ${REDACTION_MARKER}`);
});

test("binary data and leaves that are not strings pass through", () => {
  const leaves = { bytes: new Uint8Array([1, 2]), at: new Date(0), n: 1n, none: undefined };
  expect(redactor.value(leaves).value).toBe(leaves);
});

test("what is nested too deep to be read is replaced and not stored unread", () => {
  const depth = 20_000;
  const input: unknown = JSON.parse(`${"[".repeat(depth)}"password=x1"${"]".repeat(depth)}`);
  const { value, redacted } = redactor.value(input);
  const text = JSON.stringify(value);
  expect(text).toContain(REDACTION_MARKER);
  expect(text).not.toContain("x1");
  expect(redacted).toBe(1);
});
