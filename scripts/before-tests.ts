import { spawnSync } from "node:child_process";
import path from "node:path";
import type { TestProject } from "vitest/node";

/** Compiles the schemas before the tests, and again before each rerun while watching. */
export function setup(project: TestProject): void {
  compile();
  project.onTestsRerun(async () => compile());
}

/** In a process of its own, since a schema file that was loaded once would not be read again. */
function compile(): void {
  const script = path.join(import.meta.dirname, "compile-schemas.ts");
  const { status } = spawnSync(process.execPath, [script], { stdio: "inherit" });
  if (status !== 0) throw new Error("The schemas do not compile; see the lines above.");
}
