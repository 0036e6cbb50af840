/**
 * Runs every check, also those after one that fails, and ends with `N passed, N failed`: the tests
 * that passed; the tests and other checks that failed.
 *
 * `node scripts/verify.ts [--offline]`; `--offline` leaves out what needs a login or a real host.
 * So far nothing does.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const ROOT = path.dirname(import.meta.dirname);

/** Each by its npm script, in the order in which an early failure saves the most time. */
const CHECKS = [
  "format:check",
  "lint",
  "typecheck",
  "architecture:check",
  "machines:check",
  "schemas:check",
  "dead-code",
  "package:check",
];

/** The part of vitest's JSON report that is read here. */
interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  /** One for each file; a file that could not be loaded fails without a failed test. */
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
  readonly success: boolean;
}

interface Totals {
  readonly passed: number;
  readonly failed: number;
}

function main(): number {
  const failedChecks = CHECKS.filter((check) => !runs(["run", "--silent", check]));
  const tests = runTests();
  if (failedChecks.length > 0) console.log(`\nChecks that failed: ${failedChecks.join(", ")}.`);
  const failed = tests.failed + failedChecks.length;
  console.log(`${tests.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function runs(npmArguments: readonly string[], environment: NodeJS.ProcessEnv = {}): boolean {
  console.log(`\n> npm ${npmArguments.filter((it) => it !== "--silent").join(" ")}`);
  const { status } = spawnSync("npm", npmArguments, {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  return status === 0;
}

function runTests(): Totals {
  const folder = mkdtempSync(path.join(tmpdir(), "holdfast-verify-"));
  const report = path.join(folder, "tests.json");
  try {
    const succeeded = runs(["test"], { TEST_REPORT: report });
    const totals = totalsOf(readReport(report));
    // The tests can fail as a whole, as by an error outside any test or a build that breaks.
    return succeeded || totals.failed > 0 ? totals : { ...totals, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file: string): TestReport | null {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // No test was run.
  }
}

function totalsOf(report: TestReport | null): Totals {
  if (report === null) return { passed: 0, failed: 1 };
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((it) => it.status !== "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
  };
}

try {
  parseArgs({ options: { offline: { type: "boolean" } } });
  process.exitCode = main();
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 2;
}
