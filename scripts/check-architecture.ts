/**
 * Holds the sources below the root (default: this repository) against architecture/layers.json.
 *
 * `node scripts/check-architecture.ts [ROOT]` prints `file:line rule message` for each violation
 * and ends with 1 if there is one.
 */
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { checkArchitecture, type SourceFiles } from "./architecture/check.ts";
import { readArchitecture } from "./architecture/rules.ts";

/** Reads the sources of all roots that the rules name. */
export async function readSources(root: string, folders: readonly string[]): Promise<SourceFiles> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  return new Map(
    await Promise.all(
      files.map(
        async (file): Promise<[string, string]> => [
          file.split(path.sep).join("/"),
          await readFile(path.join(root, file), "utf8"),
        ],
      ),
    ),
  );
}

if (import.meta.main) {
  const root = process.argv[2] ?? path.dirname(import.meta.dirname);
  const architecture = await readArchitecture(root);
  const sources = await readSources(root, architecture.roots);
  const violations = checkArchitecture(sources, architecture);
  for (const { file, line, rule, message } of violations) {
    console.error(`${file}:${line} ${rule} ${message}`);
  }
  if (violations.length > 0) process.exitCode = 1;
  else console.log(`${sources.size} files keep to ${architecture.layers.length} layers.`);
}
