import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { storeConformance } from "../../src/conformance/index.ts";
import { MemoryStore } from "../../src/journal/index.ts";
import { fixedPorts } from "../journal/makers.ts";
import { temporaryFolder } from "../journal-sqlite/makers.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const urlOf = (file: string) => pathToFileURL(path.join(ROOT, file)).href;

/** Runs the lines that the page on stores shows, over a store of somebody else's. */
function runDocumented(store: string): { readonly status: number | null; readonly stdout: string } {
  const page = readFileSync(path.join(ROOT, "docs/journal-store.md"), "utf8");
  const shown = /<!-- conformance -->\n```js\n(.*?)```/s.exec(page)?.[1] ?? "";
  expect(shown.trimEnd().split("\n").length).toBeLessThan(15);
  const folder = temporaryFolder();
  const program = shown.replace("holdfast/conformance", urlOf("src/conformance/index.ts"));
  writeFileSync(path.join(folder, "store.test.mjs"), program);
  writeFileSync(path.join(folder, "my-store.js"), store);
  writeFileSync(path.join(folder, "package.json"), '{ "type": "module" }');
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--test-reporter=tap", path.join(folder, "store.test.mjs")],
    { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "", NODE_TEST_CONTEXT: "" } },
  );
  return { status, stdout };
}

const STORE = `
  import { MemoryStore } from "${urlOf("src/journal/index.ts")}";
  const stores = new Map();
  export class MyStore extends MemoryStore {}
  export async function openMyStore(name, place) {
    const key = name + place;
    if (!stores.has(key)) stores.set(key, new MyStore({ secret: () => Math.random().toString(16).slice(2).padEnd(64, "0") }));
    return stores.get(key);
  }`;

test("a store of somebody else's is proved by the lines that the page shows", () => {
  const { status, stdout } = runDocumented(STORE);
  expect(status).toBe(0);
  expect(stdout).toContain(`# pass ${storeConformance.length}`);
}, 60_000);

test("a store that keeps what it should have forgotten is found out by name", () => {
  const lie =
    "class MyStore extends MemoryStore { async readSnapshot() { await super.readSnapshot(); return (this.kept ?? null); }\n";
  const keeping = STORE.replace(
    "class MyStore extends MemoryStore {}",
    `${lie} async writeSnapshot(snapshot) { await super.writeSnapshot(snapshot); this.kept = snapshot; } }`,
  );
  const { status, stdout } = runDocumented(keeping);
  expect(status).toBe(1);
  const failed = stdout.match(/^not ok \d+ - .*$/gm) ?? [];
  expect(failed.map((line) => line.replace(/^not ok \d+ - /, ""))).toEqual([
    "a snapshot is kept until another one, none, or an import takes its place",
    "a change that takes something out drops the snapshot, and one from before it is not kept",
  ]);
}, 60_000);

test.each([
  [
    "cuts a body at 64 KB",
    (store: MemoryStore) => {
      const read = store.read.bind(store);
      store.read = async (after, limit) =>
        (await read(after, limit)).map((row) => ({
          ...row,
          bodyText: row.bodyText?.slice(0, 65_536) ?? null,
        }));
    },
    [
      "a body of a megabyte is read back whole",
      "a body of three megabytes in characters of two, three and four bytes is read back whole",
    ],
  ],
  [
    "goes on after its close",
    (store: MemoryStore) => {
      store.close = async () => {};
    },
    ["after close every call is refused, and closing again is none"],
  ],
])("a store that %s is found out by name", async (_, spoil, expected) => {
  const failed: string[] = [];
  for (const { name, run } of storeConformance) {
    const store = new MemoryStore(fixedPorts().ids);
    spoil(store);
    await run(async () => ({ one: store, other: store })).catch(() => failed.push(name));
  }
  expect(failed).toEqual(expected);
});

test("each promise has a name of its own", () => {
  const names = storeConformance.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
