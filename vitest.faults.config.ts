import { defineConfig } from "vitest/config";

/**
 * All fault tests, the long ones (`*.soak.ts`) as well: `npm run faults`.
 *
 * The seeds are printed; `HOLDFAST_TEST_SEED` repeats a run.
 */
export default defineConfig({
  test: {
    include: ["test/faults/**/*.{test,soak}.ts"],
    globalSetup: ["scripts/before-tests.ts"],
    testTimeout: 300_000,
    // Most tests start processes of their own, and some measure how long those wait.
    maxWorkers: 2,
  },
});
