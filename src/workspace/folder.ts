import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { diskState, linkText, pathBelow, turns } from "./disk.ts";
import { entryOf } from "./entries.ts";
import { FOLDER_DEPTH_MAX, FOLDER_ENTRIES_MAX } from "./limits.ts";
import { isWithin, joinKeys, keyOfBytes, type PathKey } from "./path-key.ts";
import type { TreeEntryDigest } from "./port.ts";
import { ReadingStopped } from "./reading-stopped.ts";
import { leftOutOf, noting, type ReadingSession, rawId, type TreeRoot } from "./session.ts";

/** Never content of a project: the stores of version control, and dependencies that can be installed again. */
const IGNORED_NAMES = new Set([".git", ".hg", ".jj", ".svn", "node_modules"]);

export type FolderEntries = Map<PathKey, TreeEntryDigest>;

/** Reads a child repository in its own way; `null` to walk it like any other folder. */
export type ReadRepository = (key: PathKey) => Promise<FolderEntries | null>;

/**
 * Reads a folder that git says nothing about: each file by its bytes, each link by its text. Empty
 * folders count for nothing, as in git.
 *
 * @throws ReadingStopped `incomplete` over a limit
 */
export async function readFolder(
  session: ReadingSession,
  root: TreeRoot,
  readRepository: ReadRepository,
): Promise<FolderEntries> {
  const entries: FolderEntries = new Map();
  const leftOut = leftOutOf(session, root);
  const turn = turns();
  const waiting: { key: PathKey; depth: number }[] = [{ key: "", depth: 0 }];
  let seen = 0;

  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { key: folderKey, depth } = folder;
    const names = (await noting(session, root, () => namesIn(root, folderKey))) ?? [];
    if (folderKey !== "" && names.includes(".git")) {
      const repository = await readRepository(folderKey);
      for (const [key, entry] of repository ?? []) entries.set(joinKeys(folderKey, key), entry);
      if (repository !== null) continue;
    }
    for (const name of names) {
      const key = joinKeys(folderKey, name);
      if (IGNORED_NAMES.has(name) || (leftOut !== null && isWithin(key, leftOut))) continue;
      seen += 1;
      if (seen > FOLDER_ENTRIES_MAX || depth > FOLDER_DEPTH_MAX) {
        throw new ReadingStopped("incomplete");
      }
      await turn();
      const found = await noting(session, root, () => readEntry(session, root, key));
      if (found === "folder") waiting.push({ key, depth: depth + 1 });
      else if (found !== null) entries.set(key, found);
    }
  }
  return entries;
}

function namesIn(root: TreeRoot, key: PathKey): string[] {
  try {
    return readdirSync(pathBelow(root.path, key), { encoding: "buffer" }).map(keyOfBytes);
  } catch {
    throw new ReadingStopped("unreadable", key);
  }
}

async function readEntry(
  session: ReadingSession,
  root: TreeRoot,
  key: PathKey,
): Promise<TreeEntryDigest | "folder"> {
  const state = diskState(root.path, key);
  switch (state?.kind) {
    case "folder":
      return "folder";
    case "file":
      return entryOf(
        state.isExecutable ? "100755" : "100644",
        "raw",
        await rawId(session, root, key, state),
      );
    case "link": {
      const id = createHash("sha256").update(linkText(root.path, key)).digest("hex");
      return entryOf("120000", "link", id);
    }
    case "other":
      throw new ReadingStopped("not-a-file", key);
    case undefined:
      throw new ReadingStopped("changed-while-read", key);
  }
}
