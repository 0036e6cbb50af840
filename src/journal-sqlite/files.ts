import fs from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { FILE_MODE, FOLDER_MODE } from "./limits.ts";

/** The journal's file in the state folder; SQLite puts `-wal` and `-shm` beside it. */
export const JOURNAL_FILE = "journal.sqlite";

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
  const outside = inside.startsWith("..") || path.isAbsolute(inside);
  const folders = outside
    ? [stateDir]
    : inside
        .split(path.sep)
        .map((_, index, names) => path.join(root, ...names.slice(0, index + 1)));
  for (const folder of folders) assertKind(folder, "folder");
  for (const suffix of ["", "-wal", "-shm"]) {
    assertKind(path.join(stateDir, JOURNAL_FILE + suffix), "file");
  }
  assertKind(path.join(stateDir, IGNORE_FILE), "file");
}

function assertKind(entry: string, kind: "folder" | "file"): void {
  const stat = fs.lstatSync(entry, { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (kind === "folder" ? stat.isDirectory() : stat.isFile()) return;
  const found = stat.isSymbolicLink() ? "a symbolic link" : `no ordinary ${kind}`;
  throw new HoldfastError(
    "journal/unsafe-path",
    `${entry} is ${found}, and the journal is never reached over one.`,
    "Move it away, or name another state folder with HOLDFAST_DIR.",
  );
}

/** Makes the folder where needed and keeps others out of it. */
export function makeStateFolder(stateDir: string): void {
  try {
    fs.mkdirSync(stateDir, { recursive: true, mode: FOLDER_MODE });
    tighten(stateDir, FOLDER_MODE);
  } catch (error) {
    throw notWritable(stateDir, error);
  }
}

/** Written after the journal itself, so a folder that hides itself once held a journal. */
export function hideStateFolder(stateDir: string): void {
  const file = path.join(stateDir, IGNORE_FILE);
  if (fs.existsSync(file)) return;
  try {
    fs.writeFileSync(file, IGNORE_TEXT, { mode: FILE_MODE, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw notWritable(file, error);
  }
}

/** Whether a journal was here: then its file being gone is a loss and not a beginning. */
export function hadJournal(stateDir: string): boolean {
  const file = path.join(stateDir, IGNORE_FILE);
  return fs.existsSync(file) && !fs.existsSync(path.join(stateDir, JOURNAL_FILE));
}

/** Takes rights away from group and others; leaves a file of another owner alone. */
export function tighten(entry: string, mode: number): void {
  const stat = fs.statSync(entry);
  if ((stat.mode & 0o077) === 0 || stat.uid !== process.getuid?.()) return;
  fs.chmodSync(entry, mode);
}

export function notWritable(entry: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    "journal/not-writable",
    `${entry} can't be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
    "Give yourself write access to the state folder, or name another one with HOLDFAST_DIR.",
    { cause },
  );
}
