import { expect, test } from "vitest";
import { entryCovers, isNarrower, resolvedEntry } from "../../src/contract/index.ts";

/** Patterns of forty characters that keep some matchers busy for minutes. */
const HOSTILE = [
  "*a".repeat(20),
  "**/*a".repeat(8),
  "a*".repeat(20),
  "?*".repeat(20),
  "*?".repeat(20),
  "+(a|aa|aaa)*".repeat(3),
  "*(*(*(*(*(*(*(*(*(a*)*)*)*)*)*)*)*)*)b",
  "@(a|b|ab)".repeat(4),
  "!(a*|*b)!(a*|*b)!(a*|*b)!(a*|*b)",
  "[a-z]*".repeat(7),
  "{a,b}".repeat(8),
  `${"**/".repeat(13)}x`,
];
const PATHS = [
  `${"a".repeat(200)}!`,
  `${"ab".repeat(100)}!`,
  `${"a/".repeat(60)}b`,
  `${"aa/".repeat(40)}${"a".repeat(100)}!`,
];

// It is the time limit of a test that tells: a pattern that hangs a matcher takes minutes.
test.each(HOSTILE)("the hostile pattern %s is matched in time", (pattern) => {
  for (const path of PATHS) expect(typeof entryCovers(pattern, path)).toBe("boolean");
  expect(isNarrower(pattern, HOSTILE, () => true)).toBe(true);
  expect(resolvedEntry(pattern, PATHS)).toBeDefined();
});
