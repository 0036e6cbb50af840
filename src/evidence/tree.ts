import type { Contract, Difference } from "../contract/index.ts";
import { entryCovers, isInScope } from "../contract/index.ts";
import { LISTED_PATHS_MAX } from "./limits.ts";

/** What is at each path that differs from a base commit; null where the path was deleted. */
export type TreeEntries = Readonly<Record<string, string | null>>;

/** The working tree as it was read, and how much of the journal the reader had seen by then. */
export interface ObservedTree {
  readonly place: string;
  /** The project's folder in the working tree, "" at its top. */
  readonly folder: string;
  /** SHA-256 over path, mode and content of every file; null when it could not be read whole. */
  readonly digest: string | null;
  readonly unavailable: readonly string[];
  readonly commit: string | null;
  readonly branch: string | null;
  /** A rebase, merge or the like that is in progress, or null. */
  readonly operation: string | null;
  /** The commit that `dirty` is relative to. */
  readonly base: string | null;
  readonly dirty: TreeEntries;
  readonly dirtyTruncated: boolean;
  /** Digests of single files that evidence refers to, as they are now. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly sinceSeq: number;
  /** All paths of the working tree, where a run begins on it and they are not too many. */
  readonly paths?: readonly string[];
}

/**
 * Differences as an event holds them: a list, since the name of a path would otherwise stand as a
 * key, and what stands under a key such as `password` is taken for a secret.
 */
export function differencesOf(entries: TreeEntries): Difference[] {
  return Object.entries(entries).map(([path, entry]) => ({ path, entry }));
}

export function entriesOf(differences: readonly Difference[]): TreeEntries {
  return Object.fromEntries(differences.map(({ path, entry }) => [path, entry]));
}

/** Paths that differ between two lists of differences to the same commit, in order. */
export function changedPaths(before: TreeEntries, after: TreeEntries): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => entryAt(before, path) !== entryAt(after, path)).toSorted();
}

/** Absent means "as in the base commit", which is another thing than deleted (null). */
function entryAt(entries: TreeEntries, path: string): string | null | undefined {
  return Object.hasOwn(entries, path) ? entries[path] : undefined;
}

/** What the task really changed: edited and restored files, and those that were dirty before, are not in it. */
export function realChanges(contract: Contract, tree: ObservedTree): readonly string[] {
  return changedPaths(entriesOf(contract.baseline.dirty), tree.dirty);
}

/** A path of the working tree relative to the project folder, as text; null where it lies outside. */
export function pathInProject({ folder }: Pick<Contract, "folder">, path: string): string | null {
  const prefix = folder === "" ? "" : `${folder}/`;
  const readable = readablePath(path);
  return readable.startsWith(prefix) ? readable.slice(prefix.length) : null;
}

/** The paths (relative to the working tree) that the task was not allowed to change, by reason. */
export function forbiddenChanges(
  contract: Contract,
  paths: readonly string[],
): { readonly guarded: readonly string[]; readonly outside: readonly string[] } {
  const inProject = (path: string) => pathInProject(contract, path);
  const isGuarded = (path: string) => {
    const inside = inProject(path);
    return inside !== null && contract.protectedPaths.some((entry) => entryCovers(entry, inside));
  };
  const isOutside = (path: string) => {
    const inside = inProject(path);
    // Outside the project folder is out of scope by definition.
    return inside === null || !isInScope(contract, inside);
  };
  return {
    guarded: paths.filter(isGuarded),
    outside: paths.filter((path) => !isGuarded(path) && isOutside(path)),
  };
}

/**
 * A path that scope entries can be matched with. A name that is not UTF-8 is held in git's quoted
 * form; what can't be read of it matches as one unknown character a byte.
 */
function readablePath(path: string): string {
  if (!path.startsWith('"')) return path;
  return path
    .slice(1, -1)
    .replaceAll(/\\(?:[0-7]{3}|(.))/g, (_, escaped?: string) => escaped ?? "\ufffd");
}

/** A bounded list with its true length. */
export function listed(paths: readonly string[]): { paths: string[]; count: number } {
  return { paths: paths.slice(0, LISTED_PATHS_MAX), count: paths.length };
}

/** The same in a sentence. */
export function listedText(paths: readonly string[]): string {
  const { paths: first, count } = listed(paths);
  const more = count - first.length;
  return more > 0 ? `${first.join(", ")} and ${more} more` : first.join(", ");
}
