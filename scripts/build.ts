/**
 * Builds `dist`: the library by `tsc`, the command as bundled files.
 *
 * `node scripts/build.ts [--if-stale]`; with `--if-stale` nothing happens while `dist` is newer
 * than everything it is made from.
 */
import { spawn } from "node:child_process";
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { bundleCommand } from "./bundle-command.ts";
import { compileSchemas } from "./compile-schemas.ts";

const ROOT = path.dirname(import.meta.dirname);
const DIST = path.join(ROOT, "dist");

/** Carries the time at which its build began to read the sources. */
const COMMAND = path.join("bin", "holdfast.js");

/** Everything `dist` is made from, relative to the root. */
const SOURCES = ["src", "scripts", "package.json", "tsconfig.json", "tsconfig.build.json"];

/** Builds if a source has changed since the last build began; `true` when it built. Throws when the build fails. */
export async function buildIfStale(): Promise<boolean> {
  const built = await stat(path.join(DIST, COMMAND)).catch(ignoreMissing);
  const changedMs = await Promise.all(SOURCES.map((source) => newestMs(path.join(ROOT, source))));
  if (built !== null && built.mtimeMs > Math.max(...changedMs)) return false;
  await buildAll();
  return true;
}

/** Builds anew. Throws when the build fails. */
export async function buildAll(): Promise<void> {
  const problems = await compileSchemas(ROOT);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  // Built beside `dist` and then moved into place: whoever runs the command at this moment finds
  // either the old build or the new one, and a file whose source is gone does not linger.
  const begun = new Date();
  const staging = `${DIST}.${process.pid}`;
  const discarded = `${staging}.old`;
  try {
    await mkdir(path.join(staging, path.dirname(COMMAND)), { recursive: true });
    const bundling = bundleCommand(ROOT);
    // Both are waited for: a compiler still at work would fill the folder again after its removal.
    await Promise.allSettled([bundling, buildLibrary(staging)]).then(throwFirstFailure);
    for (const { name, text } of await bundling) {
      await writeFile(path.join(staging, path.dirname(COMMAND), name), text);
    }
    await chmod(path.join(staging, COMMAND), 0o755);
    await utimes(path.join(staging, COMMAND), begun, begun);
    await rename(DIST, discarded).catch(ignoreMissing);
    await rename(staging, DIST);
  } finally {
    await Promise.all([staging, discarded].map((it) => rm(it, { recursive: true, force: true })));
  }
}

async function buildLibrary(outDir: string): Promise<void> {
  const compiler = path.join(ROOT, "node_modules", ".bin", "tsc");
  const child = spawn(compiler, ["-p", "tsconfig.build.json", "--outDir", outDir], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (exitCode !== 0) throw new Error("The library does not compile; see the errors above.");
}

/** The time of the newest file or folder at or below `place`; folders tell of deleted files. */
async function newestMs(place: string): Promise<number> {
  const found = await stat(place);
  if (!found.isDirectory()) return found.mtimeMs;
  const entries = await readdir(place, { recursive: true });
  // An entry may go between the two readings; its folder's time then tells of it.
  const times = entries.map(async (entry) => {
    const there = await stat(path.join(place, entry)).catch(ignoreMissing);
    return there?.mtimeMs ?? 0;
  });
  return Math.max(found.mtimeMs, ...(await Promise.all(times)));
}

function throwFirstFailure(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

function ignoreMissing(cause: NodeJS.ErrnoException): null {
  if (cause.code !== "ENOENT") throw cause;
  return null;
}

if (import.meta.main) {
  try {
    if (process.argv.includes("--if-stale")) await buildIfStale();
    else await buildAll();
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : cause);
    process.exitCode = 1;
  }
}
