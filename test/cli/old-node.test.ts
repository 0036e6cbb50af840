import { spawnSync } from "node:child_process";
import path from "node:path";
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
