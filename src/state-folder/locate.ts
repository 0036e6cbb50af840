import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { JOURNAL_FILE } from "./names.ts";
import { isThere, pathWithin, realPathOfFuture } from "./paths.ts";
import { assertNobodyElses, assertNoLinks, assertSafe } from "./safety.ts";

export interface StateFolder {
  /** Absolute; below the real path of what exists of it. */
  readonly stateDir: string;
  /** Absolute real path of the project, in the working tree that the search began in. */
  readonly projectDir: string;
  /** Whether it holds a journal. */
  readonly exists: boolean;
}

/** Absolute real paths. */
export interface WorkingTrees {
  /** The top of the working tree that a folder is in. */
  readonly top: string;
  /** The top of the main one; the same where the working tree is no linked one, or has no main one. */
  readonly main: string;
}

export interface StateFolderSearch {
  /** The folder to begin at: the one that was named, or the current one. */
  readonly from: string;
  /** What names the state folder itself, as `HOLDFAST_DIR` does. */
  readonly named?: string | undefined;
  /** Whether Pi is the host. */
  readonly piHost?: boolean;
  /** What version control says of an absolute real path; `null` where it has no part. */
  readonly workingTrees: (folder: string) => Promise<WorkingTrees | null>;
}

const OWN_FOLDER = ".holdfast";
const PI_FOLDER = ".pi";
const FOLDER_IN_PI = path.join(PI_FOLDER, "piagent-state");
const BOTH = [OWN_FOLDER, FOLDER_IN_PI];

/**
 * Finds the state folder of a project, or says where it would be made; makes nothing.
 *
 * 1. `HOLDFAST_DIR` names it.
 * 2. Upwards to the top of the working tree (without git to the root, leaving out the home folder),
 *    the first `.holdfast` or `.pi/piagent-state` that holds a journal.
 * 3. The same in the main working tree, when this is a linked one.
 * 4. None: in the main working tree, at the folder that the search began in: `.pi/piagent-state`
 *    where Pi is the host or the project has `.pi`, else `.holdfast`.
 *
 * The project is the folder that holds the state folder, or its counterpart in the linked working
 * tree; with a `HOLDFAST_DIR` elsewhere it is the folder that the search began in.
 *
 * @throws HoldfastError `journal/two-journals` if one folder holds both, `journal/unsafe-path` if
 *   a symbolic link lies below the project, the state folder is no folder or the home folder would
 *   become the project, `journal/not-writable` if it can't be looked at, `input/unreadable` if the
 *   folder to begin at is not there
 */
export async function locateStateFolder(search: StateFolderSearch): Promise<StateFolder> {
  const from = realStart(search.from);
  const trees = await search.workingTrees(from);
  const start: Start = { from, top: trees?.top ?? null, main: trees?.main ?? null };

  if (search.named !== undefined && search.named !== "") return nameGiven(search.named, start);
  for (const folder of folders(start)) {
    const stateDir = journalFolderIn(folder);
    if (stateDir === null) continue;
    assertSafe(stateDir, [folder]);
    return { stateDir, projectDir: counterpart(folder, start), exists: true };
  }
  return unmade(search.piHost ?? false, start);
}

/** The folder that the search began in, and the tops of its own and of the main working tree. */
interface Start {
  readonly from: string;
  readonly top: string | null;
  readonly main: string | null;
}

function realStart(from: string): string {
  try {
    return realpathSync(from);
  } catch (cause) {
    throw new HoldfastError(
      "input/unreadable",
      `The folder ${from} can't be opened.`,
      "Name a folder that exists.",
      { cause },
    );
  }
}

/** Rule 1. */
function nameGiven(name: string, start: Start): StateFolder {
  const roots = [start.main, start.top, start.from].filter((root) => root !== null);
  const absolute = path.resolve(name);
  assertNoLinks(absolute, roots);
  const stateDir = realPathOfFuture(absolute);
  assertSafe(stateDir, roots);
  const exists = isThere(path.join(stateDir, JOURNAL_FILE));
  const isUsual = BOTH.some((usual) => stateDir.endsWith(path.sep + usual));
  if (!exists && !isUsual) assertNobodyElses(stateDir);
  return { stateDir, projectDir: projectOf(stateDir, start), exists };
}

/** The project that a state folder of the usual name belongs to, if the search began within it. */
function projectOf(stateDir: string, start: Start): string {
  const usual = BOTH.find((name) => stateDir.endsWith(path.sep + name));
  if (usual === undefined) return start.from;
  const owner = counterpart(stateDir.slice(0, -usual.length - 1), start);
  return pathWithin(owner, start.from) === null ? start.from : owner;
}

/** Rules 2 and 3, nearest first. */
function folders({ from, top, main }: Start): readonly string[] {
  const root = top ?? path.parse(from).root;
  const here = upwards(from, root);
  const there =
    top === null || main === null || main === top ? [] : upwards(inMain(from, top, main), main);
  const home = homeFolder();
  return [...here, ...there].filter((folder) => folder !== home);
}

function upwards(from: string, root: string): string[] {
  return from === root ? [root] : [from, ...upwards(path.dirname(from), root)];
}

function inMain(folder: string, top: string, main: string): string {
  return path.join(main, path.relative(top, folder));
}

/** The folder in the working tree that the search began in, for one in the main working tree. */
function counterpart(folder: string, { from, top, main }: Start): string {
  if (top === null || main === null || pathWithin(folder, from) !== null) return folder;
  const within = pathWithin(main, folder);
  return within === null ? folder : path.join(top, within);
}

function journalFolderIn(folder: string): string | null {
  const holding = BOTH.map((name) => path.join(folder, name)).filter((stateDir) =>
    isThere(path.join(stateDir, JOURNAL_FILE)),
  );
  const [first, second] = holding;
  if (second === undefined) return first ?? null;
  throw new HoldfastError(
    "journal/two-journals",
    `${folder} holds two journals, in ${OWN_FOLDER} and in ${FOLDER_IN_PI}.`,
    "Move one of the two folders away, or name the one to use with HOLDFAST_DIR.",
  );
}

/** Rule 4. */
function unmade(piHost: boolean, { from, top, main }: Start): StateFolder {
  const owner = top === null || main === null ? from : inMain(from, top, main);
  if (owner === homeFolder() || from === homeFolder()) {
    throw new HoldfastError(
      "journal/unsafe-path",
      `${owner} is the home folder, which is never a project.`,
      "Go to the project's folder, or name a state folder with HOLDFAST_DIR.",
    );
  }
  const hasPi = [from, owner].some((folder) => isThere(path.join(folder, PI_FOLDER)));
  const stateDir = path.join(owner, piHost || hasPi ? FOLDER_IN_PI : OWN_FOLDER);
  assertSafe(stateDir, [main ?? from]);
  return { stateDir, projectDir: from, exists: false };
}

function homeFolder(): string {
  return realPathOfFuture(homedir());
}
