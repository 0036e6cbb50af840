import { lstatSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { findLayout } from "./git/layout.ts";
import { mainTop } from "./git/main-tree.ts";
import { realPathOfFuture } from "./real-path.ts";

export type StateFolder = {
  /** Absolute; below the real path of what exists of it. */
  readonly stateDir: string;
  /** Absolute real path of the project, in the working tree that the search began in. */
  readonly projectDir: string;
  /** Whether it holds a journal. */
  readonly exists: boolean;
};

export type StateFolderSearch = {
  /** The folder to begin at: the one that was named, or the current one. */
  readonly from: string;
  /** The value of `HOLDFAST_DIR`, which names the state folder itself. */
  readonly env?: string | undefined;
  /** The name of the file that makes a folder a state folder. */
  readonly journalFile: string;
  /** Whether Pi is the host. */
  readonly piHost?: boolean | undefined;
};

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
 *   a symbolic link lies below the project or the home folder would become the project,
 *   `input/unreadable` if the folder to begin at is not there
 */
export async function locateStateFolder(search: StateFolderSearch): Promise<StateFolder> {
  const from = realStart(search.from);
  const layout = findLayout(from);
  const top = layout?.top ?? null;
  const main = layout === null ? null : ((await mainTop(layout)) ?? layout.top);
  const trees: Trees = { from, top, main };

  if (search.env !== undefined && search.env !== "") return named(search, trees);
  for (const folder of folders(trees)) {
    const stateDir = journalFolderIn(folder, search.journalFile);
    if (stateDir === null) continue;
    assertNoLinks(folder, path.join(stateDir, search.journalFile));
    return { stateDir, projectDir: counterpart(folder, trees), exists: true };
  }
  return unmade(search, trees);
}

/** The folder that the search began in, and the tops of its own and of the main working tree. */
type Trees = {
  readonly from: string;
  readonly top: string | null;
  readonly main: string | null;
};

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
function named({ env = "", journalFile }: StateFolderSearch, trees: Trees): StateFolder {
  const absolute = path.resolve(env);
  for (const root of [trees.main, trees.top, trees.from]) {
    if (root !== null) assertNoLinks(root, path.join(absolute, journalFile));
  }
  const stateDir = realPathOfFuture(absolute);
  return {
    stateDir,
    projectDir: projectOf(stateDir, trees),
    exists: isThere(path.join(stateDir, journalFile)),
  };
}

/** The project that a state folder of the usual name belongs to, if the search began within it. */
function projectOf(stateDir: string, trees: Trees): string {
  const usual = BOTH.find((name) => stateDir.endsWith(path.sep + name));
  if (usual === undefined) return trees.from;
  const owner = counterpart(stateDir.slice(0, -usual.length - 1), trees);
  return isInside(trees.from, owner) ? owner : trees.from;
}

/** Rules 2 and 3, nearest first. */
function folders({ from, top, main }: Trees): readonly string[] {
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
function counterpart(folder: string, { from, top, main }: Trees): string {
  if (top === null || main === null || isInside(from, folder)) return folder;
  return isInside(folder, main) ? path.join(top, path.relative(main, folder)) : folder;
}

function journalFolderIn(folder: string, journalFile: string): string | null {
  const holding = BOTH.map((name) => path.join(folder, name)).filter((stateDir) =>
    isThere(path.join(stateDir, journalFile)),
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
function unmade({ piHost = false, journalFile }: StateFolderSearch, trees: Trees): StateFolder {
  const { from, top, main } = trees;
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
  assertNoLinks(main ?? from, path.join(stateDir, journalFile));
  return { stateDir, projectDir: from, exists: false };
}

/** Refuses a path that goes over a symbolic link below a root: what is written there would be elsewhere. */
function assertNoLinks(root: string, file: string): void {
  for (let entry = file; entry !== path.dirname(entry); entry = path.dirname(entry)) {
    if (!isLink(entry) || !isInside(realPathOfFuture(path.dirname(entry)), root)) continue;
    throw new HoldfastError(
      "journal/unsafe-path",
      `${entry} is a symbolic link, and the journal is never reached over one.`,
      "Put a folder in its place, or name another state folder with HOLDFAST_DIR.",
    );
  }
}

function isLink(entry: string): boolean {
  try {
    return lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  } catch {
    return false; // below a file, or behind a folder that can't be entered: opening it says so
  }
}

function isInside(folder: string, root: string): boolean {
  const inside = path.relative(root, folder);
  return inside !== ".." && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
}

/** Whether anything is there, a link that leads nowhere included. */
function isThere(entry: string): boolean {
  try {
    return lstatSync(entry, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // behind a folder that can't be entered
  }
}

function homeFolder(): string {
  return realPathOfFuture(homedir());
}
