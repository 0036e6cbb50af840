import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Node, parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";

const ROOT = path.dirname(import.meta.dirname);
const text = readFileSync(path.join(ROOT, "docs", "requirements.md"), "utf8");
const FIELD_CASE = /\bFR-\d{3}\b/g;

/** The cells of every table row, without the head of each table and the line below it. */
const rows = text
  .split("\n")
  .map((line, index, lines) => ({ line, isHead: lines[index + 1]?.startsWith("| ---") ?? false }))
  .filter(({ line, isHead }) => line.startsWith("| ") && !line.startsWith("| ---") && !isHead)
  .map(({ line }) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

/** The field cases, each with the paths that are said to test it, in whole or in part. */
const fieldCases = rows
  .map(([id = "", , where = ""]) => ({
    id,
    testedIn: pathsIn(where),
    isInPart: where.startsWith("in part "),
  }))
  .filter(({ id }) => id.startsWith("FR-"));

function pathsIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

/** The texts that tests are called by, from their source. */
function testTitlesIn(file: string): readonly string[] {
  const titles: string[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (!isTest(callee)) return;
      if (title?.type === "Literal" && typeof title.value === "string") titles.push(title.value);
      if (title?.type === "TemplateLiteral") {
        titles.push(title.quasis.map(({ value }) => value.raw).join(""));
      }
    },
  });
  visitor.visit(parseSync(file, readFileSync(file, "utf8")).program);
  return titles;
}

/** `test`, and what is made of it: `test.each(…)`, `test.skipIf(…)`. */
function isTest(callee: Node): boolean {
  switch (callee.type) {
    case "Identifier":
      return callee.name === "test";
    case "MemberExpression":
      return isTest(callee.object);
    case "CallExpression":
      return isTest(callee.callee);
    default:
      return false;
  }
}

/** Where the id of a field case stands in the title of a test, as `ID FILE`. */
const tested = globSync("test/**/*.ts", { cwd: ROOT, exclude: ["**/node_modules"] }).flatMap(
  (file) =>
    testTitlesIn(path.join(ROOT, file))
      .flatMap((title) => title.match(FIELD_CASE) ?? [])
      .map((id) => ({ id, file })),
);

test("every path that the requirements name exists", () => {
  const paths = pathsIn(text);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});

test("a field case is tested where the table says, and listed as tested if it is", () => {
  const isBelow = (file: string, place: string) => file === place || file.startsWith(`${place}/`);
  const claimed = fieldCases.filter(({ isInPart }) => !isInPart);
  const untested = claimed.flatMap(({ id, testedIn }) =>
    testedIn
      .filter((place) => !tested.some((it) => it.id === id && isBelow(it.file, place)))
      .map((place) => `${id} has no test in ${place}`),
  );
  const listed = new Set(fieldCases.filter((it) => it.testedIn.length > 0).map(({ id }) => id));
  const unlisted = tested
    .filter(({ id }) => !listed.has(id))
    .map((it) => `${it.file} tests ${it.id}`);
  expect([...untested, ...unlisted]).toEqual([]);
});

test("every field case is listed once, and so is every row", () => {
  const ids = rows.map(([id]) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(fieldCases).toHaveLength(57);
});

test("whatever is left for later names a subject of the legend", () => {
  const subjects = new Set(rows.map(([id = ""]) => id).filter((id) => id.startsWith("later: ")));
  const named = rows.flatMap((cells) => cells.join("|").match(/later: [\w ]*\w/g) ?? []);
  expect(named.filter((subject) => !subjects.has(subject))).toEqual([]);
});

test("every rule says where it lives, and every departure is known", () => {
  const rules = rows.filter(([id = ""]) => /^[PQARG]\d/.test(id));
  expect(
    rules.filter((cells) => cells.length !== 5 || !/`|later: |outside/.test(cells[3] ?? "")),
  ).toEqual([]);
  const departures = new Set(rows.map(([id]) => id).filter((id) => /^X\d/.test(id ?? "")));
  const cited = rules.flatMap(([, , requirement = ""]) => requirement.match(/\bX\d+\b/g) ?? []);
  expect(cited.filter((id) => !departures.has(id))).toEqual([]);
});
