import { lstatSync, realpathSync } from "node:fs";
import path from "node:path";
import { fileFailure } from "./failures.ts";

/** The path with all links resolved, `null` if it is gone or out of reach. */
export function realPath(entry: string): string | null {
  try {
    return realpathSync(entry);
  } catch {
    return null;
  }
}

/** The real path that something would have, of which only a part may be there yet. */
export function realPathOfFuture(entry: string): string {
  const real = realPath(entry);
  if (real !== null || entry === path.dirname(entry)) return real ?? entry;
  return path.join(realPathOfFuture(path.dirname(entry)), path.basename(entry));
}

/**
 * A path relative to a folder that it lies in, empty for the folder itself, `null` if it lies
 * elsewhere. Both absolute; goes by the names alone.
 */
export function pathWithin(folder: string, entry: string): string | null {
  const within = path.relative(folder, entry);
  const isElsewhere =
    within === ".." || within.startsWith(`..${path.sep}`) || path.isAbsolute(within);
  return isElsewhere ? null : within;
}

/**
 * Whether anything is there, a link that leads nowhere included.
 *
 * @throws HoldfastError `journal/not-writable` if it can't be looked at: then nobody can tell
 */
export function isThere(entry: string): boolean {
  try {
    return lstatSync(entry, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return false; // Below a file.
    throw fileFailure(entry, error);
  }
}
