import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleCommand } from "../../scripts/bundle-command.ts";

/** A folder with the command's entry and other files beside it. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "holdfast-bundle-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, "src/cli"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, "src/cli", name), text);
  }
  return folder;
}

/** The text of the file that is called. */
async function commandOf(folder: string): Promise<string> {
  const [called] = await bundleCommand(folder);
  return called?.text ?? "";
}

test("a built-in name that this Node lacks does not keep the command from starting", async () => {
  const folder = await project({
    "bin.ts": `import { hostname, notThereYet } from "node:os";
      console.log(typeof hostname, typeof notThereYet);`,
  });
  const command = path.join(folder, "command.mjs");
  await writeFile(command, await commandOf(folder));
  const ended = spawnSync(process.execPath, [command], { encoding: "utf8" });
  expect(ended).toMatchObject({ status: 0, stdout: "function undefined\n" });
});

test("what the entry loads by import() runs only after it", async () => {
  const folder = await project({
    "bin.ts": `console.log("first"); await import("./main.ts");`,
    "main.ts": `import { EOL } from "node:os"; console.log("second" + EOL.length); export {};`,
  });
  const command = path.join(folder, "command.mjs");
  await writeFile(command, await commandOf(folder));
  const ended = spawnSync(process.execPath, [command], { encoding: "utf8" });
  expect(ended).toMatchObject({ status: 0, stdout: "first\nsecond1\n" });
});

test("the native module is refused as a static import and kept as a call", async () => {
  const eager = await project({
    "bin.ts": `import Database from "better-sqlite3"; console.log(Database);`,
  });
  await expect(bundleCommand(eager)).rejects.toThrow(/imports better-sqlite3 before/);
  const late = await project({ "bin.ts": `console.log(await import("better-sqlite3"));` });
  expect(await commandOf(late)).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(await commandOf(late)).toContain(`import("better-sqlite3")`);
});

test("an import whose effect would be dropped is refused", async () => {
  const folder = await project({
    "bin.ts": `import "./effect.ts";`,
    "effect.ts": `console.log("effect");`,
  });
  await writeFile(path.join(folder, "package.json"), `{ "sideEffects": false }`);
  await expect(bundleCommand(folder)).rejects.toThrow(/effect\.ts.*sideEffects|sideEffects/s);
});
