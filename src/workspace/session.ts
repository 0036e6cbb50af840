import { pathWithin } from "../state-folder/index.ts";
import { type DiskState, hashFile, rawHash } from "./disk.ts";
import type { ReadingCache } from "./file-cache.ts";
import type { RunGit } from "./git/command.ts";
import type { IndexCache } from "./git/index-cache.ts";
import { HASHED_FILES_MAX, RAW_BYTES_MAX, REPOSITORIES_MAX } from "./limits.ts";
import { joinKeys, keyOfText, type PathKey } from "./path-key.ts";
import { type Problem, ReadingStopped } from "./reading-stopped.ts";

/** What all parts of one reading share: its means, what it may still spend, and what it met. */
export type ReadingSession = {
  /** `null` where no git program can be run. */
  readonly runGit: RunGit | null;
  /** The state folder, an absolute real path. */
  readonly stateDir: string;
  readonly cache: ReadingCache;
  /** What is remembered about the index of the repository at a path of the tree. */
  readonly indexCache: (prefix: PathKey) => IndexCache;
  readonly problems: Problem[];
  readonly budget: Budget;
};

type Budget = { repositories: number; files: number; rawBytes: number };

export function fullBudget(): Budget {
  return { repositories: REPOSITORIES_MAX, files: HASHED_FILES_MAX, rawBytes: RAW_BYTES_MAX };
}

/** @throws ReadingStopped `incomplete` once the limit of the whole reading is reached */
export function spend(session: ReadingSession, what: keyof Budget, amount: number): void {
  session.budget[what] -= amount;
  if (session.budget[what] < 0) throw new ReadingStopped("incomplete");
}

/** One tree within a reading: the main one, a submodule, a nested repository. */
export type TreeRoot = {
  /** An absolute real path. */
  readonly path: string;
  /** Where the tree is in the tree of the reading; empty for that one itself. */
  readonly prefix: PathKey;
  /** How many repositories are around it. */
  readonly depth: number;
};

/** Goes on after a path that can't be read, so that the answer can name more than one. */
export async function noting<Value>(
  session: ReadingSession,
  root: TreeRoot,
  read: () => Value | Promise<Value>,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReadingStopped) || error.problem.key === null) throw error;
    const { key, reason } = error.problem;
    session.problems.push({ key: joinKeys(root.prefix, key), reason });
    return null;
  }
}

/** The state folder relative to a tree, `null` if it lies elsewhere. Never the tree itself. */
export function leftOutOf(session: ReadingSession, root: TreeRoot): PathKey | null {
  const within = pathWithin(root.path, session.stateDir);
  return within === null || within === "" ? null : keyOfText(within);
}

/** SHA-256 over the bytes of a file as they are. */
export async function rawId(
  session: ReadingSession,
  root: TreeRoot,
  key: PathKey,
  state: DiskState,
): Promise<string> {
  const cacheKey = joinKeys(root.prefix, key);
  const remembered = session.cache.get("raw", cacheKey, state);
  if (remembered !== null) return remembered;
  spend(session, "rawBytes", state.size);
  const hashedAtMs = Date.now();
  const id = await hashFile(root.path, key, state, rawHash());
  session.cache.set("raw", cacheKey, state, id, hashedAtMs);
  return id;
}
