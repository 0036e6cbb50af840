import fc from "fast-check";
import { expect, test } from "vitest";
import { entryCovers, isInScope } from "../../src/contract/index.ts";

const cases: readonly (readonly [entry: string, path: string, covers: boolean])[] = [
  [".", "any/file.js", true],
  ["./", "any/file.js", true],
  ["**", ".env", true],
  ["**/*", "a/.b/c", true],
  ["src", "src", true],
  ["src", "src/a/b.js", true],
  ["src/", "src/a.js", true],
  ["./src", "src/a.js", true],
  ["src", "src2/a.js", false],
  ["src", "lib/src/a.js", false],
  ["README.md", "README.md", true],
  ["README.md", "docs/README.md", false],
  ["src/**", "src/a.js", true],
  ["src/**", "src/deep/.hidden/a.js", true],
  ["src/**", "src", false],
  ["src/**", "srcs/a.js", false],
  ["src/*.js", "src/a.js", true],
  ["src/*.js", "src/.a.js", true],
  ["src/*.js", "src/deep/a.js", false],
  ["**/*.js", "a.js", true],
  ["**/*.js", ".a/.b.js", true],
  ["*.js", "src/a.js", false],
  [".env*", ".env.local", true],
  ["src/[ab].js", "src/a.js", true],
  ["src/[ab].js", "src/c.js", false],
  ["src/a?.js", "src/ab.js", true],
  ["src/a?.js", "src/a/.js", false],
  // An entry covers the path of its very name, whatever its characters could mean as a glob.
  ["app/[id]", "app/[id]/page.js", true],
  ["#notes", "#notes", true],
  ["!src/**", "!src/a.js", true],
  ["!src/**", "lib/a.js", false],
  ["src/{a,b}.js", "src/a.js", false],
  ["src/{a,b}.js", "src/{a,b}.js", true],
  ["Src", "src/a.js", false],
];

test.each(cases)("the entry %s and the path %s: %s", (entry, path, covers) => {
  expect(entryCovers(entry, path)).toBe(covers);
});

test("outside the scope, in what is excluded and in what is protected nothing may change", () => {
  const bounds = {
    scope: ["src", "test/**"],
    outOfScope: ["src/gen"],
    protectedPaths: ["**/.env*"],
  };
  expect(isInScope(bounds, "src/a.js")).toBe(true);
  expect(isInScope(bounds, "test/a.js")).toBe(true);
  expect(isInScope(bounds, "lib/a.js")).toBe(false);
  expect(isInScope(bounds, "src/gen/a.js")).toBe(false);
  expect(isInScope(bounds, "src/.env.test")).toBe(false);
  expect(isInScope({ ...bounds, scope: ["**"] }, "../elsewhere.js")).toBe(false);
});

test("an exact path covers itself and all below it", () => {
  const name = fc
    .stringMatching(/^[a-z.*?[\]{}()!#+@-]{1,8}$/)
    .filter((part) => !/^\.+$/.test(part));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(path, path, (entry, below) => {
      expect(entryCovers(entry, entry)).toBe(true);
      expect(entryCovers(entry, `${entry}/${below}`)).toBe(true);
      expect(entryCovers(`${entry}/`, `${entry}/${below}`)).toBe(true);
    }),
  );
});

/** The fastest of a few rounds, in milliseconds; the paths differ so that no answer is remembered. */
function timeOf(entry: string, pathOf: (round: number) => string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    const paths = Array.from({ length: 40 }, (_, index) => pathOf(round * 40 + index));
    const begin = performance.now();
    for (const path of paths) entryCovers(entry, path);
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

const hostile = [
  "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*ab",
  "?a*?a*?a*?a*?a*?a*?a*?a*?a*?a*?a*?a*?a*b",
  "+(+(+(+(+(+(a|aa)|aa)|aa)|aa)|aa)|aa)b",
  "+(a|aa)+(a|aa)+(a|aa)+(a|aa)+(a|aa)b",
  "*(*(*(*(*(*(*(*(*(*(a))))))))))b",
  "!(!(!(!(!(!(!(a)))))))b",
  "**/a/**/a/**/a/**/a/**/a/**/a/**/a/**/b",
  "**/*a*a*a*a/**/*a*a*a*a/**/*a*a*a/**/b",
];

test.each(hostile)("the glob %s takes no more than its share on a longer path", (entry) => {
  expect(entry.length).toBeLessThanOrEqual(40);
  // What almost matches: all that the glob asks for is there, and the end is wrong.
  const unit = entry.includes("/") ? "a/" : "a";
  const pathOf = (length: number) => (round: number) =>
    `${entry.includes("/") ? "b/" : ""}${unit.repeat(length)}b${round}c`;
  const plain = timeOf("src/**/*.js", pathOf(400));
  const short = timeOf(entry, pathOf(50));
  const long = timeOf(entry, pathOf(400));
  // Eight times the length may cost its square, not its power; a floor keeps noise out.
  expect(long).toBeLessThan(64 * Math.max(short, plain, 0.5));
});
