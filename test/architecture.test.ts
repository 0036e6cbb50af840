import { spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { checkArchitecture } from "../scripts/architecture/check.ts";
import { type Architecture, type Rule, readArchitecture } from "../scripts/architecture/rules.ts";
import { readSources } from "../scripts/check-architecture.ts";

const root = path.dirname(import.meta.dirname);
const rules = await readArchitecture(root);
const sources = await readSources(root, rules.roots);

/** A file of each layer's first path, made up: `src/cli` gives `src/cli/planted.ts`. */
function fileIn(layer: { readonly paths: readonly string[] }): string {
  const place = (layer.paths[0] ?? "").replace("*", "planted-host");
  return place.endsWith(".ts") ? place : `${place}/planted.ts`;
}

function fileOf(name: string): string {
  const layer = rules.layers.find((it) => it.name === name);
  if (layer === undefined) throw new Error(`There is no layer ${name}.`);
  return fileIn(layer);
}

/** How `file` would write an import of `target`. */
function specifier(file: string, target: string): string {
  const relative = path.posix.relative(path.posix.dirname(file), target);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/** The rules that a text breaks when it stands at `file`. */
function broken(file: string, text: string, architecture: Architecture = rules): readonly Rule[] {
  return checkArchitecture(new Map([[file, text]]), architecture).map(({ rule }) => rule);
}

const domain = fileOf("contract");

test("the sources keep to the layers", () => {
  expect(sources.size).toBeGreaterThan(0);
  expect(checkArchitecture(sources, rules)).toEqual([]);
});

test("no file is excused from its line ceiling", () => {
  // This number may go down and never up: a file that grows past its ceiling is to be divided.
  expect(Object.keys(rules.lineExceptions)).toHaveLength(0);
});

test("a violation is told with its file, line, rule and reason", () => {
  const text = `\n\nimport { readFile } from "node:fs/promises";\n`;
  expect(checkArchitecture(new Map([[domain, text]]), rules)).toEqual([
    {
      file: domain,
      line: 3,
      rule: "builtin",
      message: "contract must not import node:fs/promises",
    },
  ]);
});

test("a layer cannot be imported by a layer below it", () => {
  for (const [rank, lower] of rules.layers.entries()) {
    for (const upper of rules.layers.slice(0, rank)) {
      const file = fileIn(lower);
      const door = fileIn(upper).replace("/planted.ts", "/index.ts");
      const text = `import type { Planted } from "${specifier(file, door)}";\n`;
      expect(broken(file, text), `${lower.name} -> ${upper.name}`).toContain("direction");
    }
  }
});

test("a layer whose types alone may be imported gives no value", () => {
  for (const layer of rules.layers) {
    for (const name of layer.typeImports ?? []) {
      const file = fileIn(layer);
      const from = `from "${specifier(file, fileOf(name).replace("/planted.ts", "/index.ts"))}"`;
      expect(broken(file, `import type { Planted } ${from};\n`)).toEqual([]);
      expect(broken(file, `import { type Planted } ${from};\n`)).toEqual(["direction"]);
      expect(broken(file, `export * ${from};\n`)).toEqual(["direction"]);
    }
  }
});

test("adapters do not know each other", () => {
  expect(broken("adapters/one/index.ts", `import "../other/index.ts";\n`)).toEqual(["direction"]);
  expect(broken("adapters/one/index.ts", `import "./inside.ts";\n`)).toEqual([]);
});

test("a folder is entered through its index.ts, whatever the form of the import", () => {
  const file = fileOf("evidence");
  const inside = specifier(file, "src/contract/machine.ts");
  for (const text of [
    `import { machine } from "${inside}";`,
    `import type { Machine } from "${inside}";`,
    `export { machine } from "${inside}";`,
    `export * from "${inside}";`,
    `const loaded = import("${inside}");`,
    `type Machine = import("${inside}").Machine;`,
  ]) {
    expect(broken(file, text), text).toEqual(["door"]);
  }
  expect(broken(file, `import { machine } from "../contract/index.ts";\n`)).toEqual([]);
});

test("tests, scripts and everything else outside the layers are not imported", () => {
  for (const outside of ["test/maker.ts", "scripts/build.ts", "bench/run.ts", "package.json"]) {
    const text = `import "${specifier(domain, outside)}";\n`;
    expect(broken(domain, text), outside).toEqual(["outside"]);
  }
});

test("a file that belongs to no layer is refused", () => {
  expect(broken("src/utils/text.ts", "export {};\n")).toEqual(["layer"]);
  expect(broken("src/loose.ts", "export {};\n")).toEqual(["layer"]);
});

test("Node's built-in modules are for the edge only", () => {
  for (const layer of rules.layers) {
    const expected = layer.builtins === "any" ? [] : ["builtin"];
    const text = `import type { Stats } from "node:fs";\n`;
    expect(broken(fileIn(layer), text), layer.name).toEqual(expected);
  }
});

test("a package is imported only where the rules name it", () => {
  expect(broken(fileOf("cli"), `import "left-pad";\n`)).toEqual(["package"]);
  expect(broken(fileOf("ports"), `import "unheard/of.js";\n`)).toEqual(["package"]);
  for (const name of Object.keys(rules.packages)) {
    const text = `import * as planted from "${name}";\n`;
    expect(broken("src/errors.ts", text), name).toContain("package");
  }
});

test("the SQLite module is loaded only by a call", () => {
  const file = fileOf("journal-sqlite");
  expect(broken(file, `import Database from "better-sqlite3";\n`)).toEqual(["package"]);
  expect(broken(file, `import type Database from "better-sqlite3";\n`)).toEqual([]);
  expect(broken(file, `const loaded = await import("better-sqlite3");\n`)).toEqual([]);
});

test("schemas are values only among themselves, and types everywhere", () => {
  const value = `import { DraftSchema } from "./schemas.ts";\n`;
  expect(broken("src/contract/decide.ts", value)).toEqual(["module"]);
  expect(broken("src/contract/decide.ts", value.replace("{ D", "{ type D"))).toEqual(["module"]);
  expect(broken("src/contract/decide.ts", value.replace("import", "import type"))).toEqual([]);
  expect(
    broken("src/evidence/schemas.ts", `import { DraftSchema } from "../contract/schemas.ts";\n`),
  ).toEqual([]);
});

test("the schema library is loaded by schemas and by what explains a wrong input, which is loaded on demand", () => {
  const explaining = "src/engine/explain.ts";
  const schemas = specifier(explaining, "src/contract/schemas.ts");
  const both = `import { Errors } from "typebox/value";\nimport { S } from "${schemas}";\n`;
  expect(broken(explaining, both)).toEqual([]);
  expect(broken("src/engine/input.ts", `await import("./explain.ts");\n`)).toEqual([]);
  expect(broken("src/engine/input.ts", `import { e } from "./explain.ts";\n`)).toEqual(["module"]);
  expect(broken(domain, `await import("typebox");\n`)).toEqual(["package"]);
  expect(broken(domain, `import type { TSchema } from "typebox";\n`)).toEqual([]);
});

test("machines are asked and never run", () => {
  const file = "src/contract/machine.ts";
  for (const name of rules.packages.xstate?.withoutNames ?? []) {
    expect(broken(file, `import { ${name} } from "xstate";\n`), name).toEqual(["package"]);
  }
  expect(broken(file, `import { createMachine, transition } from "xstate";\n`)).toEqual([]);
});

test("a module whose name only running would tell is refused", () => {
  expect(broken(fileOf("cli"), "await import(name);\n")).toEqual(["module"]);
});

test("pure files cannot reach time, chance, the system or the locale", () => {
  const impure = [
    ...rules.purity.globals.map((name) => `export const planted = ${name};`),
    ...rules.purity.globals.map((name) => `export const planted = { ${name} };`),
    ...rules.purity.properties.map((name) => `export const planted = (it) => it.${name}();`),
    "declare const process: object;",
    `export const planted = process.env["HOME"];`,
    `export const planted = globalThis["process"];`,
    "export const planted = crypto.randomUUID();",
    "export const planted = new Date();",
    "export const planted = Date();",
    "export const planted = Date.now();",
    `export const planted = Date["now"]();`,
    "export const { now } = Date;",
    "export const planted = Math.random();",
    "export const planted = [1].map(Math.random);",
    "export const planted = import.meta.url;",
  ];
  for (const layer of rules.layers.filter(({ pure }) => pure === true)) {
    for (const text of impure) {
      expect(broken(fileIn(layer), text), `${layer.name}: ${text}`).toEqual(["purity"]);
    }
  }
});

test("a pure file may count with times and name the system in types, properties and words", () => {
  const text = `
    /** Neither Date.now() nor process.env. */
    export type Host = { process: string; fetch(url: string): Date; readonly env: typeof process };
    export const when = (at: string): number => new Date(at).getTime() - Date.parse("1970-01-01");
    export const words = { console: "process", setTimeout: Math.max(1, 2) };
    export const read = (host: Host): string => host.process + words.console;
    const global = (pattern: string): RegExp => new RegExp(pattern, "g");
    export const digits = global("[0-9]+");
    export const isDate = (value: unknown): value is Date => value instanceof Date;
  `;
  expect(broken(domain, text)).toEqual([]);
});

test("a file has no more lines than its layer allows", () => {
  for (const layer of rules.layers) {
    const ceiling = rules.lineCeilings[layer.ceiling] ?? 0;
    expect(broken(fileIn(layer), "\n".repeat(ceiling)), layer.name).toEqual([]);
    expect(broken(fileIn(layer), "\n".repeat(ceiling + 1)), layer.name).toEqual(["ceiling"]);
  }
});

test("an exception from a line ceiling only shrinks, and goes when it is not needed", () => {
  const excused = { ...rules, lineExceptions: { [domain]: 1200 } };
  expect(broken(domain, "\n".repeat(1200), excused)).toEqual([]);
  expect(broken(domain, "\n".repeat(1201), excused)).toEqual(["ceiling"]);
  expect(broken(domain, "\n".repeat(1100), excused)).toEqual(["ceiling"]);
  expect(broken(domain, "\n".repeat(900), excused)).toEqual(["ceiling"]);
  expect(broken("src/errors.ts", "", excused)).toEqual(["data"]);
});

test("rules that point up or at nothing are refused", () => {
  const [top, ...lower] = rules.layers;
  if (top === undefined) throw new Error("There are no layers.");
  const withTop = (change: object) => ({ ...rules, layers: [{ ...top, ...change }, ...lower] });
  expect(broken("src/errors.ts", "", withTop({ imports: ["nowhere"] }))).toEqual(["data"]);
  expect(broken("src/errors.ts", "", withTop({ imports: [top.name] }))).toEqual(["data"]);
  expect(broken("src/errors.ts", "", withTop({ ceiling: "none" }))).toEqual(["data"]);
});

test("a text that is no TypeScript is refused", () => {
  expect(broken(domain, "import {")).toContain("syntax");
});

test("generated files are not looked into", () => {
  expect(broken("src/contract/checks.generated.ts", "process.exit();\n")).toEqual([]);
});

test("the command ends with 1 and names the line when a violation is planted in a copy", async () => {
  const copy = await mkdtemp(path.join(tmpdir(), "holdfast-architecture-"));
  try {
    for (const part of ["architecture", ...rules.roots]) {
      await cp(path.join(root, part), path.join(copy, part), { recursive: true }).catch(() => {});
    }
    const script = path.join(root, "scripts", "check-architecture.ts");
    const run = () => spawnSync(process.execPath, [script, copy], { encoding: "utf8" });
    expect(run()).toMatchObject({ status: 0, stderr: "" });
    await writeFile(path.join(copy, "src/contract/planted.ts"), "export {};\nDate.now();\n");
    expect(run()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^src\/contract\/planted\.ts:2 purity Date\.now /),
    });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});
