/**
 * Compiles the schemas of each folder to plain check functions.
 *
 * For every `src/<folder>/schemas.ts`, each export `<Name>Schema` becomes
 * `is<Name>(value: unknown): value is <Name>` in `checks.generated.ts` beside it. The schema
 * library itself is slow to load, so what comes out holds no import of it: the few helpers that
 * the checks call are bundled in.
 */
import { existsSync, globSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { parseSync } from "oxc-parser";
import type { TSchema } from "typebox";
import { Code } from "typebox/compile";
import * as formats from "typebox/format";

const SUFFIX = "Schema";
const GENERATED = "checks.generated.ts";

/** One exported schema: `name` is the export's name without the suffix. */
type NamedSchema = { readonly name: string; readonly schema: TSchema };

/** The schemas of one folder; `file` is relative to the root, with forward slashes. */
type SchemaFile = { readonly file: string; readonly schemas: readonly NamedSchema[] };

/**
 * Compiles all schema files below `root`. A file is only written when its text changes.
 *
 * @returns one sentence for each thing that is wrong; empty when all is well. Folders that are
 *   well are compiled even when another is not.
 */
export async function compileSchemas(root: string): Promise<readonly string[]> {
  const problems: string[] = [];
  const found: SchemaFile[] = [];
  for (const file of globSync("src/*/schemas.ts", { cwd: root }).toSorted()) {
    try {
      found.push(await readSchemaFile(root, file));
    } catch (cause) {
      problems.push(`${file}: ${messageOf(cause)}`);
    }
  }
  problems.push(...doubledNames(found));
  for (const { file, schemas } of found) {
    const target = path.join(root, path.dirname(file), GENERATED);
    try {
      if (schemas.length === 0) await rm(target, { force: true });
      else await writeIfChanged(target, await generate(root, schemas));
    } catch (cause) {
      problems.push(`${file}: ${messageOf(cause)}`);
    }
  }
  for (const orphan of globSync(`src/*/${GENERATED}`, { cwd: root })) {
    const source = path.join(root, path.dirname(orphan), "schemas.ts");
    if (!existsSync(source)) await rm(path.join(root, orphan), { force: true });
  }
  return problems;
}

async function readSchemaFile(root: string, file: string): Promise<SchemaFile> {
  const absolute = path.join(root, file);
  const exported: Record<string, unknown> = await import(pathToFileURL(absolute).href);
  const types = exportedTypes(absolute, await readFile(absolute, "utf8"));
  const schemas: NamedSchema[] = [];
  for (const [exportName, value] of Object.entries(exported)) {
    if (!exportName.endsWith(SUFFIX)) continue;
    const name = exportName.slice(0, -SUFFIX.length);
    if (!/^[A-Z]/.test(name)) throw new Error(`${exportName} must begin with a capital letter.`);
    if (!isSchema(value)) throw new Error(`${exportName} is not a schema.`);
    if (!types.has(name)) {
      throw new Error(`${exportName} needs its type beside it: export type ${name} = ….`);
    }
    schemas.push({ name, schema: value });
  }
  return { file, schemas };
}

function isSchema(value: unknown): value is TSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The names of the types and interfaces that a source text exports by declaration or by list. */
function exportedTypes(file: string, text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of parseSync(file, text).module.staticExports) {
    for (const entry of statement.entries) {
      if (entry.isType && entry.exportName.name !== null) names.add(entry.exportName.name);
    }
  }
  return names;
}

function doubledNames(files: readonly SchemaFile[]): readonly string[] {
  const firstFileOf = new Map<string, string>();
  const problems: string[] = [];
  for (const { file, schemas } of files) {
    for (const { name } of schemas) {
      const first = firstFileOf.get(name);
      if (first === undefined) firstFileOf.set(name, file);
      else problems.push(`${file}: ${name}${SUFFIX} has the name of a schema in ${first}.`);
    }
  }
  return problems;
}

async function generate(root: string, schemas: readonly NamedSchema[]): Promise<string> {
  const modules = new Map(schemas.map(({ name, schema }) => [name, moduleOf(name, schema)]));
  const entry = schemas.map(({ name }) => `export { Check as is${name} } from "check:${name}";`);
  const bundled = await build({
    stdin: { contents: entry.join("\n"), loader: "js", resolveDir: import.meta.dirname },
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "node22",
    legalComments: "none",
    treeShaking: true,
    write: false,
    logLevel: "silent",
    plugins: [modulesFrom(modules)],
  });
  const code = bundled.outputFiles[0]?.text ?? "";
  return typed(code, schemas);
}

/** The check of one schema as a module of its own. */
function moduleOf(name: string, schema: TSchema): string {
  const { Code: code, External: external } = Code(schema);
  const declaration = `let ${external.identifier} = []`;
  if (!code.includes(declaration)) throw new Error(`The compiled form of ${name} is not as known.`);
  const literals = external.variables.map((variable) => literalOf(name, variable));
  const body = code
    .replace(declaration, () => `const ${external.identifier} = [${literals.join(", ")}]`)
    .replace(/^export function SetExternal.*$/m, "")
    .replace(/^import .*$/gm, "");
  const imports = [
    `import * as Guard from "${LIBRARY}/guard/guard.mjs";`,
    `import * as Hashing from "${LIBRARY}/system/hashing/hash.mjs";`,
    `import { CheckContext } from "${LIBRARY}/schema/index.mjs";`,
    ...[...FORMAT_NAMES.values()]
      .filter((format) => literals.includes(format))
      .map((format) => `import { ${format} } from "${LIBRARY}/format/format.mjs";`),
  ];
  return [...imports, body].join("\n");
}

/**
 * The built files of the schema library. Checks import from them directly: its public entries hand
 * out whole namespaces, which a bundler keeps entire.
 */
const LIBRARY = path.dirname(fileURLToPath(import.meta.resolve("typebox")));

/** The checks that the schema library has for `format`, each with the name it is exported by. */
const FORMAT_NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(formats)
    .filter(([name, value]) => name.startsWith("Is") && typeof value === "function")
    .map(([name, value]) => [value, name]),
);

/** What a check refers to outside itself, as source text: patterns, formats and constants. */
function literalOf(name: string, value: unknown): string {
  if (value instanceof RegExp) {
    return `new RegExp(${JSON.stringify(value.source)}, "${value.flags}")`;
  }
  const format = FORMAT_NAMES.get(value);
  if (format !== undefined) return format;
  if (isConstant(value)) return JSON.stringify(value);
  throw new Error(`${name}${SUFFIX} calls a function of its own; say it by a pattern or a format.`);
}

/** Whether JSON text says the whole of a value; of a function it would say nothing. */
function isConstant(value: unknown): boolean {
  if (value === null || ["string", "boolean"].includes(typeof value)) return true;
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "object" && Object.values(value).every(isConstant);
}

function modulesFrom(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: "checks",
    setup(bundler) {
      bundler.onResolve({ filter: /^check:/ }, ({ path: id }) => ({
        path: id.slice("check:".length),
        namespace: "check",
        sideEffects: false,
      }));
      // What the library does on loading serves its own registries, which no check reads.
      bundler.onResolve({ filter: /^[./]/ }, ({ path: file, resolveDir }) => {
        const resolved = path.resolve(resolveDir, file);
        return resolved.startsWith(LIBRARY) ? { path: resolved, sideEffects: false } : undefined;
      });
      bundler.onLoad({ filter: /.*/, namespace: "check" }, ({ path: name }) => ({
        contents: modules.get(name) ?? "",
        loader: "js",
        resolveDir: import.meta.dirname,
      }));
    },
  };
}

/**
 * Gives the bundled functions their types. The code between is untyped, so the compiler is told
 * to look at the declared types only.
 */
function typed(code: string, schemas: readonly NamedSchema[]): string {
  const exportList = /export \{[^}]*\};\s*$/;
  const list = exportList.exec(code)?.[0];
  if (list === undefined) throw new Error("The bundled checks have no export list.");
  const localNames = new Map(
    [...list.matchAll(/(\w+) as (\w+)/g)].map(([, local, exported]) => [exported, local]),
  );
  const checks = schemas.map(({ name }) => {
    const local = localNames.get(`is${name}`);
    if (local === undefined) throw new Error(`The bundled checks hold none for ${name}.`);
    return `export const is${name}: (value: unknown) => value is ${name} = ${local};`;
  });
  return [
    "// Made from schemas.ts by scripts/compile-schemas.ts; not to be edited.",
    "// @ts-nocheck",
    `import type { ${schemas.map(({ name }) => name).join(", ")} } from "./schemas.ts";`,
    code.replace(exportList, "").trimEnd(),
    ...checks,
    "",
  ].join("\n");
}

async function writeIfChanged(file: string, text: string): Promise<void> {
  const before = existsSync(file) ? await readFile(file, "utf8") : null;
  if (before === text) return;
  // Renamed into place, so that a test run going on beside this one never reads half a file.
  const beside = `${file}.${process.pid}`;
  await writeFile(beside, text);
  await rename(beside, file);
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

if (import.meta.main) {
  const problems = await compileSchemas(path.dirname(import.meta.dirname));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
