import fs from "node:fs";
import path from "node:path";
import { fileFailure, JOURNAL_FILE, JOURNAL_SIDE_SUFFIXES } from "../state-folder/index.ts";

/** A draft that is older than this was left by a process that was killed, in milliseconds. */
const DRAFT_AGE_MAX_MS = 60 * 60 * 1_000;

/** Unfinished files by the end of their names: a random UUID, and what SQLite puts beside a file. */
const DRAFT = /\.new-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-wal|-shm|-journal)?$/;

/** Hard links are no part of these file systems. @see link(2) */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Makes new names in a folder survive a power cut, as far as its file system can promise that. */
export function syncFolder(folder: string): void {
  try {
    syncFile(folder);
  } catch {
    // Some file systems can't sync a folder, and some parents can't be read: nothing is left to do.
  }
}

/** Waits until all that was written to a file is on the disk. Not for one that SQLite has open. */
export function syncFile(file: string): void {
  const descriptor = fs.openSync(file, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * Gives a draft its name as well, unless something has that name.
 *
 * Where files can't have two names it is moved there instead. Two that do this within the same
 * moment both find the name free, and the later one wins.
 *
 * @returns whether the name was free
 */
export function nameUnlessTaken(draft: string, file: string): boolean {
  try {
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (!NO_LINKS.includes(code)) throw error;
  }
  if (fs.existsSync(file)) return false;
  fs.renameSync(draft, file);
  return true;
}

/** Removes a draft with all that SQLite put beside it. */
export function removeDraft(draft: string): void {
  for (const suffix of ["", ...JOURNAL_SIDE_SUFFIXES]) fs.rmSync(draft + suffix, { force: true });
}

/** Removes what processes that were killed have left unfinished; whatever fails here is no matter. */
export function removeOldDrafts(stateDir: string): void {
  try {
    for (const name of fs.readdirSync(stateDir)) {
      if (!name.startsWith(JOURNAL_FILE) || !DRAFT.test(name)) continue;
      const draft = path.join(stateDir, name);
      const stat = fs.lstatSync(draft, { throwIfNoEntry: false });
      const isOld = stat !== undefined && Date.now() - stat.mtimeMs > DRAFT_AGE_MAX_MS;
      if (isOld && stat.isFile()) fs.rmSync(draft, { force: true });
    }
  } catch {
    // The next one who comes by tries again.
  }
}

/**
 * Gives other names to what SQLite left beside a journal that is gone: it may hold the last events
 * of that journal, and SQLite would play it into a new one of the same name.
 */
export function setSideFilesAside(stateDir: string, suffixAside: string): void {
  const file = path.join(stateDir, JOURNAL_FILE);
  const stray = JOURNAL_SIDE_SUFFIXES.map((suffix) => file + suffix).filter((side) =>
    fs.existsSync(side),
  );
  if (fs.existsSync(file)) return;
  try {
    for (const side of stray) fs.renameSync(side, side + suffixAside);
  } catch (error) {
    throw fileFailure(stateDir, error);
  }
}
