import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { aFolder, COMMAND, environment } from "./holdfast.ts";

/** A Node on the path that is too old, or null. */
const OLD_NODE =
  (process.env.PATH ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, "node"))
    .find((node) => Number(versionOf(node)?.split(".")[0]) < 22) ?? null;

function versionOf(node: string): string | undefined {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return stdout?.replace(/^v/, "").trim();
}

if (OLD_NODE === null) console.warn("No Node older than 22 is on the path: its guard is not run.");

test.skipIf(OLD_NODE === null)("a Node that is too old is told so in one sentence", async () => {
  const folder = await aFolder();
  for (const words of [[], ["status"], ["exec", "--", "true"], ["--help"]]) {
    const { status, stdout, stderr } = spawnSync(OLD_NODE as string, [COMMAND, ...words], {
      cwd: folder,
      env: environment(),
      encoding: "utf8",
    });
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toMatch(
      /^error runtime\/node-too-old: Holdfast needs Node 22\.19 or newer.*\n$/,
    );
  }
  const { status, stdout } = spawnSync(OLD_NODE as string, [COMMAND, "status", "--json"], {
    cwd: folder,
    env: environment(),
    encoding: "utf8",
  });
  expect({ status, code: JSON.parse(stdout).error.code }).toEqual({
    status: 3,
    code: "runtime/node-too-old",
  });
});

/** Opens an engine over a store and a working tree of its own, as a host without files would. */
const HOST = `
  import { MemoryStore, openEngine } from "./src/index.ts";
  const ids = { uuid: () => "01940000-0000-7000-8000-000000000001", secret: () => "0".repeat(64) };
  const workspace = { read: async () => { throw new Error(); }, fileDigest: async () => null };
  try {
    await openEngine({ store: new MemoryStore(ids), clock: { now: () => 0 }, ids, workspace });
    console.log("opened");
  } catch (error) {
    console.log(error.code ?? error.stack);
  }
`;

test.skipIf(OLD_NODE === null)(
  "the library tells it too, a store of one's own or not",
  async () => {
    const root = path.dirname(path.dirname(import.meta.dirname));
    const { outputFiles } = await build({
      stdin: { contents: HOST, resolveDir: root, loader: "ts" },
      bundle: true,
      write: false,
      format: "esm",
      platform: "node",
      external: ["better-sqlite3"],
    });
    const file = path.join(await aFolder(), "host.mjs");
    writeFileSync(file, outputFiles[0]?.text ?? "");
    for (const [node, said] of [
      [OLD_NODE as string, "runtime/node-too-old\n"],
      [process.execPath, "opened\n"],
    ] as const) {
      const { stdout } = spawnSync(node, [file], { env: environment(), encoding: "utf8" });
      expect(stdout, node).toBe(said);
    }
  },
);
