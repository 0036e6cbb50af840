import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  commitAll,
  digest,
  emptyFolder,
  emptyRepository,
  git,
  link,
  makeExecutable,
  remove,
  write,
} from "./repositories.ts";

const PATHS = ["a", "b", "d/a", "d/b", "e"] as const;
const aPath = fc.constantFrom(...PATHS);

const aStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("write"),
      path: aPath,
      content: fc.constantFrom("", "1", "2"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("remove"), path: aPath }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("link"), path: aPath, target: aPath }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("makeExecutable"), path: aPath }) },
  { weight: 1, arbitrary: fc.constant({ type: "stage" } as const) },
  { weight: 1, arbitrary: fc.constant({ type: "commit" } as const) },
);
type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

function contentOf(folder: string): string {
  const content: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file);
    if (name.startsWith(".git") || entry.isDirectory()) continue;
    content[name] = entry.isSymbolicLink()
      ? `link ${readlinkSync(file)}`
      : `file ${lstatSync(file).mode & 0o100} ${readFileSync(file, "utf8")}`;
  }
  return JSON.stringify(Object.entries(content).sort());
}

function stateOf(folder: string, name: string): Stats | undefined {
  return lstatSync(path.join(folder, name), { throwIfNoEntry: false });
}

function clear(folder: string, name: string): void {
  if (stateOf(folder, name) !== undefined) remove(folder, name);
}

function take(folder: string, step: Step): void {
  switch (step.type) {
    case "write":
      clear(folder, step.path);
      write(folder, { [step.path]: step.content });
      break;
    case "remove":
      clear(folder, step.path);
      break;
    case "link":
      clear(folder, step.path);
      write(folder, { [step.path]: "" }); // makes the folder around it
      clear(folder, step.path);
      link(folder, step.path, step.target);
      break;
    case "makeExecutable":
      if (stateOf(folder, step.path)?.isFile()) makeExecutable(folder, step.path);
      break;
    case "stage":
      git(folder, "add", "--all");
      break;
    case "commit":
      commitAll(folder);
      break;
  }
}

async function holds(folder: string, steps: readonly Step[]): Promise<void> {
  const digests = new Map<string, string>([[contentOf(folder), await digest(folder)]]);
  for (const step of steps) {
    take(folder, step);
    const content = contentOf(folder);
    const found = await digest(folder);
    expect(digests.get(content) ?? found).toBe(found);
    digests.set(content, found);
  }
  expect(new Set(digests.values()).size).toBe(digests.size);
}

test("in a repository two states have the same digest exactly when their contents are equal", async () => {
  const history = fc.array(aStep, { minLength: 5, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(history, (steps) => holds(emptyRepository(), steps)),
    { numRuns: 20 },
  );
}, 30_000);

test("without git two states have the same digest exactly when their contents are equal", async () => {
  const history = fc.array(
    aStep.filter(({ type }) => type !== "stage" && type !== "commit"),
    { minLength: 5, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(history, (steps) => holds(emptyFolder(), steps)),
    { numRuns: 25 },
  );
}, 30_000);
