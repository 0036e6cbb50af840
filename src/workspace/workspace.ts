import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { pathWithin, realPath, realPathOfFuture } from "../state-folder/index.ts";
import { cacheFile } from "./cache-folder.ts";
import { diskState, hashFile, rawHash } from "./disk.ts";
import { allEntries } from "./entries.ts";
import { type FileCache, openFileCache } from "./file-cache.ts";
import { type FolderEntries, readFolder } from "./folder.ts";
import { findGit, gitRunner, type RunGit } from "./git/command.ts";
import { type IndexCache, openIndexCache } from "./git/index-cache.ts";
import { findLayout, mayBeInGit } from "./git/layout.ts";
import { type Placement, placeOf } from "./git/place.ts";
import { type RepositoryTree, readNested, readRepository } from "./git/repository.ts";
import { READ_ATTEMPTS_MAX } from "./limits.ts";
import { keyOfText, type PathKey } from "./path-key.ts";
import type { ReadOptions, TreeReading, UnavailableReason, Workspace } from "./port.ts";
import { folderReading, gitReading, noReading } from "./reading.ts";
import { type Problem, ReadingStopped } from "./reading-stopped.ts";
import { fullBudget, type ReadingSession, type TreeRoot } from "./session.ts";

export type WorkspaceLocation = {
  readonly projectDir: string;
  /** Left out of each reading. It may be elsewhere and need not be there yet. */
  readonly stateDir: string;
};

/**
 * Opens the working tree around a project folder: through git where the folder is in a working tree
 * and a git program can be run, else as a plain folder. Which one it is is looked up again at each
 * reading, so a later `git init` is seen.
 *
 * @throws HoldfastError `input/unreadable` if the project folder is not there
 */
export async function openWorkspace(location: WorkspaceLocation): Promise<Workspace> {
  const projectDir = realFolder(location.projectDir);
  const stateDir = path.resolve(location.stateDir);
  const opened = {
    projectDir,
    stateDir,
    placementOf: rememberedPlacement(projectDir),
    fileCache: once((place) => openFileCache(cacheFile(stateDir, "files", place))),
    indexCache: once((place) => openIndexCache(cacheFile(stateDir, "index", place))),
  };
  return {
    read: (options = {}) => readTree(opened, options),
    fileDigest: (file) => fileDigest(projectDir, stateDir, file),
    readText: async (file, bytesMax) => readText(projectDir, stateDir, file, bytesMax),
  };
}

type Opened = WorkspaceLocation & {
  readonly placementOf: (runGit: RunGit | null) => Promise<Placement>;
  readonly fileCache: (place: string) => FileCache;
  /** By the place and, within it, the path of the repository. */
  readonly indexCache: (place: string) => IndexCache;
};

/** Makes one value for each name, when it is first asked for. */
function once<Value>(make: (name: string) => Value): (name: string) => Value {
  const made = new Map<string, Value>();
  return (name) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw new HoldfastError(
      "input/unreadable",
      `The project folder ${folder} can't be opened.`,
      "Name a folder that exists.",
      { cause },
    );
  }
}

/**
 * Asks git where the project is, again only when another `.git` entry is the nearest one. A folder
 * below the top is asked for each time: the repository may have begun to ignore it.
 */
function rememberedPlacement(projectDir: string): Opened["placementOf"] {
  let known: { readonly identity: string; readonly placement: Placement } | null = null;
  return async (runGit) => {
    if (runGit === null || !mayBeInGit(projectDir)) return { kind: "none" };
    const identity = findLayout(projectDir)?.identity ?? "none";
    const isAtTop = known?.placement.kind === "git" && known.placement.place.folder === "";
    const isLasting = isAtTop || identity === "none";
    if (known?.identity !== identity || !isLasting) {
      known = { identity, placement: await placeOf(runGit, projectDir) };
    }
    return known.placement;
  };
}

async function readTree(opened: Opened, options: ReadOptions): Promise<TreeReading> {
  for (let attempt = 1; ; attempt += 1) {
    const reading = await readOnce(opened, options);
    const isMoving = reading.unavailable.some(({ reason }) => reason === "changed-while-read");
    if (!isMoving || attempt === READ_ATTEMPTS_MAX) return reading;
  }
}

async function readOnce(opened: Opened, options: ReadOptions): Promise<TreeReading> {
  const { projectDir } = opened;
  const nowhere = { place: "folder", folder: "", method: "folder" } as const;
  const refuse = (reason: UnavailableReason) => noReading(nowhere, { key: null, reason });
  if (realPath(projectDir) !== projectDir) return refuse("folder-missing");
  const stateDir = realPathOfFuture(opened.stateDir);
  if (pathWithin(stateDir, projectDir) !== null) return refuse("inside-state-folder");

  const program = findGit(process.env.PATH);
  const runGit = program === null ? null : gitRunner(program, process.env);
  const problems: Problem[] = [];
  try {
    const placement = await opened.placementOf(runGit);
    if (placement.kind === "refused") return refuse("git-refused");
    const place = placement.kind === "git" ? placement.place : null;
    const placeName = place?.name ?? "folder";
    const fileCache = opened.fileCache(placeName);
    const cache = fileCache.forReading();
    const indexCache = (prefix: PathKey) => opened.indexCache(`${placeName}\0${prefix}`);
    const session = { runGit, stateDir, cache, indexCache, problems, budget: fullBudget() };
    const root = { path: place?.top ?? projectDir, prefix: "", depth: 0 };
    if (place === null || runGit === null) {
      const entries = await stoppable(problems, () => readPlainFolder(session, root));
      if (problems.length === 0) fileCache.keep(cache);
      return folderReading(entries, problems, options);
    }
    const tree = await stoppable<RepositoryTree>(problems, () =>
      readRepository(session, runGit, root, place, options.base),
    );
    if (problems.length === 0) fileCache.keep(cache);
    return gitReading(place, tree, problems, options);
  } catch (error) {
    if (!(error instanceof ReadingStopped)) throw error;
    return noReading(nowhere, error.problem);
  }
}

async function stoppable<Value>(
  problems: Problem[],
  read: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ReadingStopped)) throw error;
    problems.push(error.problem);
    return null;
  }
}

/** Repositories among the folders are read as git reads them, and their files are named one by one. */
function readPlainFolder(session: ReadingSession, root: TreeRoot): Promise<FolderEntries> {
  const { runGit } = session;
  return readFolder(session, root, async (key) => {
    if (runGit === null) return null;
    const nested = await readNested({ session, runGit, root }, key);
    if (nested === null) return null;
    const entries = [...allEntries(nested.index, nested.working)];
    return new Map(entries.map((record) => [record.key, record.entry]));
  });
}

/** Where a file lies within the project; `null` if it is elsewhere, or in the state folder. */
function placeInProject(projectDir: string, stateDir: string, file: string): string | null {
  const real = realPath(path.resolve(projectDir, file));
  const within = real === null ? null : pathWithin(projectDir, real);
  if (real === null || within === null || within === "") return null;
  return pathWithin(realPathOfFuture(stateDir), real) === null ? within : null;
}

function readText(
  projectDir: string,
  stateDir: string,
  file: string,
  bytesMax: number,
): string | null {
  const within = placeInProject(projectDir, stateDir, file);
  // A link's own text is no context, and where it leads to has a path of its own.
  if (within === null || within !== path.normalize(file)) return null;
  try {
    const found = statSync(path.join(projectDir, within));
    if (!found.isFile() || found.size > bytesMax) return null;
    const bytes = readFileSync(path.join(projectDir, within));
    if (bytes.length > bytesMax || bytes.includes(0)) return null;
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null; // Gone, not readable, a folder, or no text.
  }
}

async function fileDigest(
  projectDir: string,
  stateDir: string,
  file: string,
): Promise<string | null> {
  const within = placeInProject(projectDir, stateDir, file);
  if (within === null) return null;
  const key = keyOfText(within);
  try {
    const state = diskState(projectDir, key);
    if (state?.kind !== "file") return null;
    return `sha256:${await hashFile(projectDir, key, state, rawHash())}`;
  } catch (error) {
    if (error instanceof ReadingStopped) return null;
    throw error;
  }
}
