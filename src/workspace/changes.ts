import type { TreeChange, TreeEntryDigest, TreeReading, UnchangedEntry } from "./port.ts";

/**
 * The paths whose content differs between two readings against the same base, in code unit order.
 *
 * A file that was changed before the first reading and left alone since is no change; one that was
 * changed in between and put back is none either. If one of the readings has `dirtyTruncated`, the
 * answer is not the whole list.
 *
 * Pure.
 */
export function changesBetween(
  before: Pick<TreeReading, "dirty">,
  after: Pick<TreeReading, "dirty">,
): readonly TreeChange[] {
  const paths = new Set([...Object.keys(before.dirty), ...Object.keys(after.dirty)]);
  return [...paths]
    .sort()
    .map((path) => ({ path, before: at(before, path), after: at(after, path) }))
    .filter((change) => change.before !== change.after);
}

function at(
  reading: Pick<TreeReading, "dirty">,
  path: string,
): TreeEntryDigest | UnchangedEntry | null {
  if (!Object.hasOwn(reading.dirty, path)) return "base";
  return reading.dirty[path] ?? null;
}
