import { readdirSync } from "node:fs";
import path from "node:path";
import { disk, pathBelow } from "../disk.ts";
import {
  entryAt,
  entryOf,
  NO_ENTRIES,
  type Overrides,
  type SortedEntries,
  treeDigest,
} from "../entries.ts";
import { readFolder } from "../folder.ts";
import { REPOSITORY_DEPTH_MAX } from "../limits.ts";
import { isWithin, joinKeys, type PathKey, utf8OfKey } from "../path-key.ts";
import type { TreeEntryDigest } from "../port.ts";
import { ReadingStopped } from "../reading-stopped.ts";
import { leftOutOf, type ReadingSession, spend, type TreeRoot } from "../session.ts";
import { baseEntries } from "./base.ts";
import type { RunGit } from "./command.ts";
import { indexStamp, readIndex } from "./index-cache.ts";
import type { IndexEntries } from "./index-entries.ts";
import { type GitPlace, placeOf } from "./place.ts";
import { filteredPaths, readSettings, withoutFilters } from "./settings.ts";
import { type GitStatus, parseStatus, STATUS_ARGUMENTS } from "./status.ts";
import { workingEntries } from "./working-files.ts";
import type { WorkingTree } from "./working-tree.ts";

/** The content of one git working tree. */
export type RepositoryTree = {
  readonly status: GitStatus;
  /** What the index holds. */
  readonly index: SortedEntries;
  /** Where the working tree may differ from the index. */
  readonly working: Overrides;
  /** What the base holds where the index differs from it; `null` if there is no such commit. */
  readonly base: Overrides | null;
};

/**
 * Reads a working tree: `git ls-files` for what is recorded, `git status` for where that is no
 * longer true, and the content of those files alone.
 *
 * @param base the commit to compare with; `undefined` for HEAD, `null` for the empty tree
 * @throws ReadingStopped
 */
export async function readRepository(
  session: ReadingSession,
  runGit: RunGit,
  root: TreeRoot,
  place: GitPlace,
  base: string | null | undefined,
): Promise<RepositoryTree> {
  const leftOut = leftOutOf(session, root);
  const indexBefore = indexStamp(place.gitDir);
  const [settings, recorded] = await Promise.all([
    readSettings(runGit, root.path),
    readIndex(runGit, root.path, { stamp: indexBefore, leftOut }, session.indexCache(root.prefix)),
  ]);
  const [status, filtered] = await Promise.all([
    readStatus(runGit, root.path, withoutFilters(settings)),
    filteredPaths(runGit, root.path, settings),
  ]);
  for (const key of status.unreadable) {
    session.problems.push({ key: joinKeys(root.prefix, key), reason: "unreadable" });
  }
  const isOther = typeof base === "string" && base !== status.commit;
  const tree = { session, runGit, root, place, settings, index: recorded.entries };
  const [atBase, working] = await Promise.all([
    isOther ? baseEntries(runGit, root.path, base) : status.head,
    differences(tree, recorded, status, new Set(filtered), leftOut),
  ]);
  if (indexStamp(place.gitDir) !== indexBefore) throw new ReadingStopped("changed-while-read");
  return { status, index: recorded.entries, working, base: atBase };
}

async function readStatus(
  runGit: RunGit,
  top: string,
  settings: readonly string[],
): Promise<GitStatus> {
  const { exitCode, stdout, stderr } = await runGit(STATUS_ARGUMENTS, { cwd: top, settings });
  if (exitCode !== 0) throw new ReadingStopped("git-failed");
  return parseStatus(stdout, stderr);
}

async function differences(
  tree: WorkingTree,
  recorded: IndexEntries,
  status: GitStatus,
  filtered: ReadonlySet<PathKey>,
  leftOut: PathKey | null,
): Promise<Overrides> {
  const isRead = (key: PathKey) => leftOut === null || !isWithin(key, leftOut);
  const working = new Map<PathKey, TreeEntryDigest | null>();
  for (const key of status.deleted.filter(isRead)) working.set(key, null);

  const replaced: PathKey[] = [];
  for (const key of recorded.submodules.filter((submodule) => !working.has(submodule))) {
    const entry = await submoduleEntry(tree, key);
    if (entry === "file") replaced.push(key);
    else working.set(key, entry);
  }
  for (const key of status.repositories.filter(isRead)) {
    working.set(key, await repositoryEntry(tree, key));
  }

  const stateOf = disk(tree.root.path);
  const isAbsent = ({ key, mayBeAbsent }: IndexEntries["hidden"][number]) =>
    mayBeAbsent && stateOf(key) === null;
  const absent = new Set(recorded.hidden.filter(isAbsent).map(({ key }) => key));
  const submodules = new Set(recorded.submodules);
  const hidden = recorded.hidden.map(({ key }) => key);
  const files = [...status.changed, ...status.untracked, ...filtered, ...hidden].filter(
    (key) => isRead(key) && !absent.has(key) && !submodules.has(key),
  );
  const entries = await workingEntries(tree, new Set([...replaced, ...files]), filtered);
  for (const [key, entry] of entries) working.set(key, entry);
  return working;
}

/**
 * The entry of a submodule: the commit that is checked out while nothing in it differs from that,
 * else its own content. One that is not checked out has the commit that is recorded.
 */
async function submoduleEntry(
  tree: WorkingTree,
  key: PathKey,
): Promise<TreeEntryDigest | "file" | null> {
  const recorded = entryAt(tree.index, key);
  const state = disk(tree.root.path)(key);
  if (state === null) return recorded; // git says so itself where that is a deletion
  if (state.kind !== "folder") return "file";
  const names = readdirSync(pathBelow(tree.root.path, key));
  if (names.length === 0) return recorded;
  const nested = names.includes(".git") ? await readNested(tree, key) : null;
  if (nested === null) return entryOf("160000", "folder", await folderDigest(tree, key));
  const { commit } = nested.status;
  if (commit !== null && isClean(nested)) return entryOf("160000", "commit", commit);
  return entryOf("160000", "repository", treeDigest(nested.index, nested.working));
}

async function repositoryEntry(tree: WorkingTree, key: PathKey): Promise<TreeEntryDigest> {
  const nested = await readNested(tree, key);
  if (nested === null) return entryOf("040000", "folder", await folderDigest(tree, key));
  return entryOf("040000", "repository", treeDigest(nested.index, nested.working));
}

type Around = Pick<WorkingTree, "session" | "runGit" | "root">;

/**
 * Reads a repository within another tree. What keeps it from being read is noted.
 *
 * @returns `null` if it is no repository that git would read, or can't be read
 */
export async function readNested(around: Around, key: PathKey): Promise<RepositoryTree | null> {
  const { session, runGit } = around;
  const root = rootBelow(around.root, key);
  try {
    if (root === null) throw new ReadingStopped("path-unsupported");
    if (root.depth > REPOSITORY_DEPTH_MAX) throw new ReadingStopped("incomplete");
    spend(session, "repositories", 1);
    const placement = await placeOf(runGit, root.path);
    if (placement.kind === "refused") throw new ReadingStopped("git-refused");
    if (placement.kind === "none" || placement.place.top !== root.path) return null;
    return await readRepository(session, runGit, root, placement.place, undefined);
  } catch (error) {
    if (!(error instanceof ReadingStopped)) throw error;
    const prefix = joinKeys(around.root.prefix, key);
    const { key: within, reason } = error.problem;
    session.problems.push({ key: within === null ? prefix : joinKeys(prefix, within), reason });
    return null;
  }
}

function rootBelow(around: TreeRoot, key: PathKey): TreeRoot | null {
  const name = utf8OfKey(key);
  if (name === null) return null;
  return {
    path: path.join(around.path, name),
    prefix: joinKeys(around.prefix, key),
    depth: around.depth + 1,
  };
}

/** The content of a folder that git takes for a repository and would not read. */
async function folderDigest({ session, root }: WorkingTree, key: PathKey): Promise<string> {
  const folder = rootBelow(root, key);
  if (folder === null) return "";
  return treeDigest(NO_ENTRIES, await readFolder(session, folder, async () => null));
}

function isClean(tree: RepositoryTree): boolean {
  const { base } = tree;
  if (base === null) return false;
  const keys = [...base.keys(), ...tree.working.keys()];
  return keys.every((key) => workingEntry(tree, key) === baseEntry(tree, base, key));
}

/** What a tree holds at a path now. */
export function workingEntry(tree: RepositoryTree, key: PathKey): TreeEntryDigest | null {
  return tree.working.has(key) ? (tree.working.get(key) ?? null) : entryAt(tree.index, key);
}

/** What the base holds at a path, as far as the index or the comparison with it tells. */
export function baseEntry(
  tree: RepositoryTree,
  base: Overrides,
  key: PathKey,
): TreeEntryDigest | null {
  return base.has(key) ? (base.get(key) ?? null) : entryAt(tree.index, key);
}
