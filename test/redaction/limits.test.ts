import { expect, test } from "vitest";
import { createRedactor, wellFormed } from "../../src/redaction/index.ts";
import { UNLABELLED } from "./corpus.ts";

test.each(UNLABELLED)(
  "what nothing labels is left, as the documentation says: %s",
  (_name, text) => {
    expect(createRedactor().text(text).redacted).toBe(false);
  },
);

test("each half of a pair that stands alone becomes the replacement character", () => {
  expect(wellFormed("x\ud99cy")).toBe("x\ufffdy");
  expect(wellFormed("cut \ud83d")).toBe("cut \ufffd");
  expect(wellFormed("whole 😀")).toBe("whole 😀");
});
