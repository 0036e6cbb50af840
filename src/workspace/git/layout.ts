import { existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** Where a folder's git working tree is, read from the files alone: no process, and nothing but `.git` entries. */
export type GitLayout = {
  /** The top of the working tree, which holds the `.git` entry. */
  readonly top: string;
  /** The repository's own folder, shared by all its working trees. */
  readonly commonDir: string;
  /** Whether this is a linked working tree, beside the main one. */
  readonly linked: boolean;
  /** Tells this `.git` entry from one that comes in its place later. */
  readonly identity: string;
};

/** The layout of the nearest working tree upwards from a folder, `null` if there is none. */
export function findLayout(folder: string): GitLayout | null {
  for (let top = folder; ; top = path.dirname(top)) {
    const layout = layoutAt(top);
    if (layout !== null || top === path.dirname(top)) return layout;
  }
}

/** Whether git may find anything from a folder upwards; where not, it need not be asked. */
export function mayBeInGit(folder: string): boolean {
  for (let top = folder; ; top = path.dirname(top)) {
    if (existsSync(path.join(top, ".git"))) return true;
    if (top === path.dirname(top)) return false;
  }
}

function layoutAt(top: string): GitLayout | null {
  const entry = path.join(top, ".git");
  const stat = lstatSync(entry, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const identity = `${entry}:${stat.dev}:${stat.ino}`;
  const gitDir = gitDirOf(entry);
  if (gitDir === null) return null;
  const common = firstLine(path.join(gitDir, "commondir"));
  const commonDir = common === null ? gitDir : path.resolve(gitDir, common);
  return { top, commonDir, linked: common !== null, identity };
}

/** Follows a `.git` file to the folder it names; `null` where git would look further upwards. */
function gitDirOf(entry: string): string | null {
  const gitDir = isFolder(entry) ? entry : firstLine(entry)?.match(/^gitdir: (.+)$/)?.[1];
  if (gitDir === undefined) return null;
  const resolved = path.resolve(path.dirname(entry), gitDir);
  return firstLine(path.join(resolved, "HEAD")) === null ? null : resolved;
}

function isFolder(entry: string): boolean {
  return statSync(entry, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function firstLine(file: string): string | null {
  try {
    return readFileSync(file, "utf8").split("\n", 1)[0] ?? null;
  } catch {
    return null; // not there or no file: not what is looked for
  }
}
