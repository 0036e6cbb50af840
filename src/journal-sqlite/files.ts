import fs from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { fileFailure } from "./failures.ts";
import { FILE_MODE, FOLDER_MODE } from "./limits.ts";

/** The journal's file in the state folder; SQLite puts `-wal` and `-shm` beside it. */
export const JOURNAL_FILE = "journal.sqlite";
const SIDE_SUFFIXES = ["-wal", "-shm", "-journal"] as const;

/** Hides the state folder from git without touching a file of the user. */
const IGNORE_FILE = ".gitignore";
const IGNORE_TEXT = "*\n";

/**
 * Refuses a state folder that is reached over a symbolic link below `root`: what is written there
 * would leave the project.
 *
 * @throws HoldfastError `journal/unsafe-path`
 */
export function assertNoLinks(root: string, stateDir: string): void {
  const inside = path.relative(root, stateDir);
  const outside = inside.split(path.sep)[0] === ".." || path.isAbsolute(inside);
  const folders = outside
    ? [stateDir]
    : inside
        .split(path.sep)
        .map((_, index, names) => path.join(root, ...names.slice(0, index + 1)));
  for (const folder of folders) assertKind(folder, "folder");
  for (const suffix of ["", ...SIDE_SUFFIXES]) {
    assertKind(path.join(stateDir, JOURNAL_FILE + suffix), "file");
  }
  assertKind(path.join(stateDir, IGNORE_FILE), "file");
}

function assertKind(entry: string, kind: "folder" | "file"): void {
  const stat = linkStat(entry);
  if (stat === undefined) return;
  if (kind === "folder" ? stat.isDirectory() : stat.isFile()) return;
  const found = stat.isSymbolicLink() ? "a symbolic link" : `no ordinary ${kind}`;
  throw new HoldfastError(
    "journal/unsafe-path",
    `${entry} is ${found}, and the journal is never reached over one.`,
    "Move it away, or name another state folder with HOLDFAST_DIR.",
  );
}

function linkStat(entry: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(entry, { throwIfNoEntry: false });
  } catch (error) {
    throw fileFailure(entry, error);
  }
}

/** Makes the folder where needed and keeps others out of it. */
export function makeStateFolder(stateDir: string): void {
  try {
    fs.mkdirSync(stateDir, { recursive: true, mode: FOLDER_MODE });
    tighten(stateDir, FOLDER_MODE);
  } catch (error) {
    throw fileFailure(stateDir, error);
  }
}

/** Makes new names in a folder survive a power cut, as far as its file system can promise that. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    // Some file systems can't sync a folder, and some parents can't be read: nothing is left to do.
  }
}

/** Written after the journal itself, so a folder that hides itself once held a journal. */
export function hideStateFolder(stateDir: string): void {
  const file = path.join(stateDir, IGNORE_FILE);
  if (fs.existsSync(file)) return;
  try {
    fs.writeFileSync(file, IGNORE_TEXT, { mode: FILE_MODE, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw fileFailure(file, error);
  }
}

/** Whether a journal was here: then its file being gone is a loss and not a beginning. */
export function hadJournal(stateDir: string): boolean {
  // The journal is looked for last: whoever makes one makes it before all that stands beside it.
  const traces = [IGNORE_FILE, ...SIDE_SUFFIXES.map((suffix) => JOURNAL_FILE + suffix)].some(
    (name) => fs.existsSync(path.join(stateDir, name)),
  );
  return traces && !fs.existsSync(path.join(stateDir, JOURNAL_FILE));
}

/**
 * Gives other names to what SQLite left beside a journal that is gone: it may hold the last events
 * of that journal, and SQLite would play it into a new one of the same name.
 */
export function setSideFilesAside(stateDir: string, suffixAside: string): void {
  const file = path.join(stateDir, JOURNAL_FILE);
  const stray = SIDE_SUFFIXES.map((suffix) => file + suffix).filter((side) => fs.existsSync(side));
  if (fs.existsSync(file)) return;
  try {
    for (const side of stray) fs.renameSync(side, side + suffixAside);
  } catch (error) {
    throw fileFailure(stateDir, error);
  }
}

/** Takes rights away from group and others; leaves a file of another owner alone. */
export function tighten(entry: string, mode: number): void {
  const stat = fs.statSync(entry);
  if ((stat.mode & 0o077) === 0 || stat.uid !== process.getuid?.()) return;
  fs.chmodSync(entry, mode);
}
