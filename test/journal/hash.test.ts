import crypto from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyedHash, portableSha256 } from "../../src/journal/index.ts";

/** Well-formed text, long enough to need more than one block of SHA-256. */
const anyText = fc.string({ unit: "binary", maxLength: 200 });

test("plain JavaScript and Node give the same hash of any text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(portableSha256(text)).toBe(crypto.hash("sha256", text, "hex"));
    }),
  );
});

test("texts of every length around a block have the same hash in both", () => {
  for (let length = 0; length <= 130; length++) {
    const text = "é".repeat(length);
    expect(portableSha256(text)).toBe(crypto.hash("sha256", text, "hex"));
  }
});

test("the keyed hash is HMAC-SHA-256", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), anyText, (bytes, text) => {
      const key = Buffer.from(bytes);
      const expected = crypto.createHmac("sha256", key).update(text, "utf8").digest("hex");
      expect(keyedHash(key.toString("hex"), text)).toBe(expected);
    }),
  );
});
