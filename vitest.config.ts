import { defineConfig } from "vitest/config";

/** Where the totals go as JSON as well, for whoever runs the tests and counts. */
const report = process.env.TEST_REPORT;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["scripts/before-tests.ts"],
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
  },
});
