import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { FILE_MODE, FOLDER_MODE } from "../state-folder/index.ts";
import { CACHE_BYTES_MAX } from "./limits.ts";

const FOLDER = "cache";

/** A file for what was found out about one place; its name does not say where the place is. */
export function cacheFile(stateDir: string, kind: "files" | "index", place: string): string {
  const name = createHash("sha256").update(place).digest("hex").slice(0, 16);
  return path.join(stateDir, FOLDER, `${kind}-${name}`);
}

/** `null` if it is not there, too large or no ordinary file: a cache that can't be read is an empty one. */
export function readCache(file: string): Buffer | null {
  try {
    const stat = lstatSync(file);
    return stat.isFile() && stat.size <= CACHE_BYTES_MAX ? readFileSync(file) : null;
  } catch {
    return null;
  }
}

/** Replaces the file at once. Where there is no state folder, or no room in it, nothing is kept. */
export function writeCache(file: string, content: Buffer): void {
  const folder = path.dirname(file);
  const temporary = `${file}.${randomUUID()}`;
  if (content.length > CACHE_BYTES_MAX) return;
  try {
    if (!lstatSync(path.dirname(folder)).isDirectory()) return;
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    if (!lstatSync(folder).isDirectory()) return;
    writeFileSync(temporary, content, { mode: FILE_MODE, flag: "wx" });
    renameSync(temporary, file);
  } catch {
    removeQuietly(temporary);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The state folder went away meanwhile, or was never there.
  }
}
