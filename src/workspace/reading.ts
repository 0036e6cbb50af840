import { allEntries, NO_ENTRIES, type Overrides, treeDigest } from "./entries.ts";
import type { FolderEntries } from "./folder.ts";
import { type GitPlace, operationIn } from "./git/place.ts";
import { baseEntry, type RepositoryTree, workingEntry } from "./git/repository.ts";
import { DIRTY_PATHS_MAX, PATHS_MAX, UNAVAILABLE_MAX } from "./limits.ts";
import { type PathKey, textOfKey } from "./path-key.ts";
import type { ReadOptions, TreeEntryDigest, TreeReading, Unavailable } from "./port.ts";
import type { Problem } from "./reading-stopped.ts";

type Dirty = Pick<TreeReading, "dirty" | "dirtyTruncated">;

const UNKNOWN_DIRTY: Dirty = { dirty: {}, dirtyTruncated: true };

/** The answer for a git working tree; `tree` is `null` if the reading ended before its end. */
export function gitReading(
  place: GitPlace,
  tree: RepositoryTree | null,
  problems: readonly Problem[],
  { base, paths = false }: ReadOptions,
): TreeReading {
  const isUnknownBase = tree !== null && tree.base === null && base !== null;
  const missing: readonly Problem[] = isUnknownBase ? [{ key: null, reason: "base-missing" }] : [];
  const commit = tree?.status.commit ?? null;
  return {
    place: place.name,
    folder: place.folder,
    method: "git",
    digest: tree === null || problems.length > 0 ? null : treeDigest(tree.index, tree.working),
    unavailable: unavailable([...problems, ...missing]),
    commit,
    branch: tree?.status.branch ?? null,
    operation: operationIn(place.gitDir),
    base: base === undefined ? commit : base,
    ...(tree === null ? UNKNOWN_DIRTY : dirtyInGit(tree, base === undefined ? commit : base)),
    ...(tree !== null && paths ? pathsOf(allEntries(tree.index, tree.working)) : {}),
  };
}

/** The answer for a folder without git; `entries` is `null` if the reading ended before its end. */
export function folderReading(
  entries: FolderEntries | null,
  problems: readonly Problem[],
  { paths = false }: ReadOptions,
): TreeReading {
  return {
    place: "folder",
    folder: "",
    method: "folder",
    digest: entries === null || problems.length > 0 ? null : treeDigest(NO_ENTRIES, entries),
    unavailable: unavailable(problems),
    commit: null,
    branch: null,
    operation: null,
    base: null,
    ...(entries === null ? UNKNOWN_DIRTY : dirtyOf(entries)),
    ...(entries !== null && paths ? pathsOf(allEntries(NO_ENTRIES, entries)) : {}),
  };
}

/** The answer where nothing could be read at all. */
export function noReading(
  { place, folder, method }: Pick<TreeReading, "place" | "folder" | "method">,
  problem: Problem,
): TreeReading {
  return { ...folderReading(null, [problem], {}), place, folder, method };
}

function pathsOf(entries: Iterable<{ readonly key: PathKey }>): Pick<TreeReading, "paths"> {
  const paths: string[] = [];
  for (const { key } of entries) {
    if (paths.length === PATHS_MAX) return {};
    paths.push(textOfKey(key));
  }
  return { paths };
}

function unavailable(problems: readonly Problem[]): readonly Unavailable[] {
  return problems.slice(0, UNAVAILABLE_MAX).map(({ key, reason }) => ({
    path: key === null ? null : textOfKey(key),
    reason,
  }));
}

function dirtyInGit(tree: RepositoryTree, base: string | null): Dirty {
  if (base === null) {
    const entries = allEntries(tree.index, tree.working);
    return dirtyOf(new Map([...entries].map(({ key, entry }) => [key, entry])));
  }
  const atBase = tree.base;
  if (atBase === null) return UNKNOWN_DIRTY;
  const differing = new Map<PathKey, TreeEntryDigest | null>();
  for (const key of new Set([...atBase.keys(), ...tree.working.keys()])) {
    const entry = workingEntry(tree, key);
    if (entry !== baseEntry(tree, atBase, key)) differing.set(key, entry);
  }
  return dirtyOf(differing);
}

/** The first paths in byte order, as many as are listed. */
function dirtyOf(entries: Overrides): Dirty {
  const keys = [...entries.keys()].sort().slice(0, DIRTY_PATHS_MAX);
  return {
    // fromEntries, since a path may have a name like __proto__
    dirty: Object.fromEntries(keys.map((key) => [textOfKey(key), entries.get(key) ?? null])),
    dirtyTruncated: entries.size > DIRTY_PATHS_MAX,
  };
}
