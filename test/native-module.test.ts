import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openEngine } from "../src/index.ts";

/** What Node says of a module that was built for another one. */
const BUILT_FOR_ANOTHER =
  "The module 'better_sqlite3.node' was compiled against a different Node.js version using " +
  "NODE_MODULE_VERSION 115. This version of Node.js requires NODE_MODULE_VERSION 137.";

vi.mock("better-sqlite3", () => ({
  default: class {
    constructor() {
      throw new Error(BUILT_FOR_ANOTHER);
    }
  },
}));

test("FR-016: a native module that does not load gives one useful error, and nothing is left behind", async () => {
  const projectDir = mkdtempSync(path.join(tmpdir(), "holdfast-native-"));
  onTestFinished(() => rmSync(projectDir, { recursive: true }));
  await expect(openEngine({ projectDir })).rejects.toMatchObject({
    code: "journal/native-module",
    message: expect.stringContaining(`Node ${process.version}: ${BUILT_FOR_ANOTHER}`),
    remedy: expect.stringContaining("npm rebuild better-sqlite3"),
  });
  expect(existsSync(path.join(projectDir, ".holdfast"))).toBe(false);
});
