import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";

/** In memory on Linux, where thousands of openings take a third of the time. */
const IN_MEMORY = "/dev/shm";

/** An empty folder for a test that opens a journal very often, gone after the test. */
export function quickFolder(): string {
  const base = existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir();
  const folder = mkdtempSync(path.join(base, "holdfast-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
