import { expect, test } from "vitest";
import { createRedactor } from "../../src/redaction/index.ts";
import { UNLABELLED } from "./corpus.ts";

test.each(UNLABELLED)(
  "what nothing labels is left, as the documentation says: %s",
  (_name, text) => {
    expect(createRedactor().text(text).redacted).toBe(false);
  },
);
