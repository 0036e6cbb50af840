import { realpathSync } from "node:fs";
import path from "node:path";

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
