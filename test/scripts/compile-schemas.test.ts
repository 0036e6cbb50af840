import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { Value } from "typebox/value";
import { expect, onTestFinished, test } from "vitest";
import { compileSchemas } from "../../scripts/compile-schemas.ts";

const root = path.dirname(path.dirname(import.meta.dirname));

/** A folder with one schema file for each name of a folder, which can import the library. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "holdfast-schemas-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), `{ "type": "module" }`);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.join(folder, "src", name), { recursive: true });
    const file = path.join(folder, "src", name, "schemas.ts");
    await writeFile(file, `import Type, { type Static } from "typebox";\n${text}`);
  }
  return folder;
}

const generatedIn = (folder: string, name: string): string =>
  path.join(folder, "src", name, "checks.generated.ts");

const load = (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(file).href);

const part = `
  export const PartSchema = Type.Object(
    {
      id: Type.String({ pattern: "^[a-z/\\\\d]+$", maxLength: 5 }),
      at: Type.Optional(Type.String({ format: "date-time" })),
      kind: Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Null()]),
      counts: Type.Array(Type.Integer({ minimum: 0 }), { uniqueItems: true, maxItems: 3 }),
      extra: Type.Record(Type.String({ pattern: "^x\\\\." }), Type.Unknown()),
    },
    { additionalProperties: false },
  );
  export type Part = Static<typeof PartSchema>;
`;

test("a compiled check agrees with the schema it was made from", async () => {
  const folder = await project({ parts: part });
  expect(await compileSchemas(folder)).toEqual([]);
  const { isPart } = (await load(generatedIn(folder, "parts"))) as {
    isPart(value: unknown): boolean;
  };
  const { PartSchema } = (await load(path.join(folder, "src/parts/schemas.ts"))) as {
    PartSchema: Parameters<typeof Value.Check>[0];
  };
  const aPart = fc.record(
    {
      id: fc.constantFrom("a/1", "", "A", "abcdef", "𝒜", 1),
      at: fc.constantFrom("2026-01-02T03:04:05Z", "2026-13-02T03:04:05Z", null),
      kind: fc.constantFrom("a", "c", null),
      counts: fc.array(fc.constantFrom(0, 1, 2, -1, 0.5, "0"), { maxLength: 4 }),
      extra: fc.dictionary(fc.constantFrom("x.a", "y"), fc.jsonValue()),
      surplus: fc.constant(1),
    },
    { requiredKeys: ["id", "kind", "counts", "extra"] },
  );
  const verdicts = new Set<boolean>();
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: aPart }, fc.jsonValue()), (value) => {
      verdicts.add(isPart(value));
      expect(isPart(value)).toBe(Value.Check(PartSchema, value));
    }),
    { numRuns: 1000, examples: [[{ id: "a/1", kind: "a", counts: [0], extra: {} }], [{}]] },
  );
  expect([...verdicts].toSorted()).toEqual([false, true]);
});

test("the compiled checks import nothing but types", async () => {
  const folder = await project({ parts: part });
  await compileSchemas(folder);
  const text = await readFile(generatedIn(folder, "parts"), "utf8");
  expect(text.match(/^import .*$/gm)).toEqual([`import type { Part } from "./schemas.ts";`]);
  expect(text).not.toMatch(/\bimport\(|\brequire\(/);
});

test("a file whose checks are the same is not written again", async () => {
  const folder = await project({ parts: part });
  await compileSchemas(folder);
  const before = await stat(generatedIn(folder, "parts"), { bigint: true });
  await compileSchemas(folder);
  expect(await stat(generatedIn(folder, "parts"), { bigint: true })).toMatchObject({
    ino: before.ino,
    mtimeNs: before.mtimeNs,
  });
});

test("two schemas of one name are refused, and both places are named", async () => {
  const folder = await project({ one: part, two: part });
  expect(await compileSchemas(folder)).toEqual([
    "src/two/schemas.ts: PartSchema has the name of a schema in src/one/schemas.ts.",
  ]);
});

test("a schema without its type is refused, and the other folders are compiled", async () => {
  const folder = await project({
    one: "export const LoneSchema = Type.String();",
    two: part,
  });
  expect(await compileSchemas(folder)).toEqual([
    "src/one/schemas.ts: LoneSchema needs its type beside it: export type Lone = ….",
  ]);
  await expect(stat(generatedIn(folder, "two"))).resolves.toBeDefined();
});

test("a schema that calls a function of its own is refused", async () => {
  const folder = await project({
    one: `export const OddSchema = Type.Refine(Type.Number(), (it) => it % 2 === 1);
      export type Odd = Static<typeof OddSchema>;`,
  });
  expect(await compileSchemas(folder)).toEqual([
    expect.stringMatching(/^src\/one\/schemas\.ts: OddSchema calls a function/),
  ]);
});

test("checks go when their schemas are gone", async () => {
  const folder = await project({ parts: part });
  await compileSchemas(folder);
  await rm(path.join(folder, "src/parts/schemas.ts"));
  expect(await compileSchemas(folder)).toEqual([]);
  await expect(stat(generatedIn(folder, "parts"))).rejects.toMatchObject({ code: "ENOENT" });
});
