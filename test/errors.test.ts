import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../src/cli/failure.ts";
import { ERROR_KINDS } from "../src/errors.ts";

const PAGE = readFileSync(path.join(import.meta.dirname, "../docs/errors.md"), "utf8");

/** The cells of each row whose first cell is code, in order. */
const ROWS = PAGE.split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`(.*)`$/, "$1")),
  );

const EXIT_OF_KIND = { answer: EXIT.no, input: EXIT.input, journal: EXIT.journal, busy: EXIT.busy };

test("the page on errors lists each code with its kind and exit code, in the order of the source", () => {
  const listed = ROWS.filter(([code]) => code?.includes("/"));
  expect(listed.map(([code, kind, exit]) => [code, kind, Number(exit)])).toEqual(
    Object.entries(ERROR_KINDS).map(([code, kind]) => [code, kind, EXIT_OF_KIND[kind]]),
  );
  for (const [code, , , when, remedy] of listed) {
    expect(
      [when, remedy].every((text) => /^\S.*\.$/.test(text ?? "")),
      code,
    ).toBe(true);
  }
});

test("the page on errors says what each kind means, and how the command line ends on it", () => {
  const kinds = ROWS.filter(([code]) => !code?.includes("/"));
  expect(kinds.map(([kind, , exit]) => [kind, Number(exit)])).toEqual(Object.entries(EXIT_OF_KIND));
  expect(PAGE).toContain(`ends with ${EXIT.bug}`);
});
