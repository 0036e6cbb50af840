import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { JOURNAL_SIDE_SUFFIXES } from "./names.ts";

/** What becomes of a file that is there already. */
export interface Replacing {
  readonly replace: boolean;
}

/**
 * The name under which a new file is written until it is whole: so nobody finds half of it, and what
 * was there stays until then.
 *
 * @throws HoldfastError `input/exists` where a file is and it is not to be replaced
 */
export function draftOf(file: string, { replace }: Replacing): string {
  if (!replace && isTaken(file)) throw exists(file);
  return `${file}.${randomUUID()}.tmp`;
}

/**
 * Gives a whole draft its name, for good.
 *
 * @throws HoldfastError `input/exists` where somebody else took the name meanwhile
 */
export function putInPlace(draft: string, file: string, { replace }: Replacing): void {
  if (replace) fs.renameSync(draft, file);
  else if (!nameUnlessTaken(draft, file)) throw exists(file);
  syncFolder(path.dirname(file));
}

/**
 * What the system or SQLite says of a new file that could not be written, as `input/not-writable`;
 * all else is passed on.
 */
export function newFileFailure(file: string, cause: unknown): unknown {
  const { code = "", message } = cause as { readonly code?: string; readonly message?: string };
  if (!/^(E[A-Z0-9]+|SQLITE_(CANTOPEN|READONLY|FULL|IOERR)\w*)$/.test(code)) return cause;
  return new HoldfastError(
    "input/not-writable",
    `${file} can't be written: ${message}.`,
    "Name a file in a folder that you may write to, with room for it.",
    { cause },
  );
}

/** Removes a draft with all that SQLite put beside it. What fails here has been said, or is no matter. */
export function removeDraft(draft: string): void {
  try {
    for (const suffix of ["", ...JOURNAL_SIDE_SUFFIXES]) fs.rmSync(draft + suffix, { force: true });
  } catch {
    // The file itself is there, or it was said why not.
  }
}

/** Hard links are no part of these file systems. @see link(2) */
const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

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
  if (isTaken(file)) return false;
  fs.renameSync(draft, file);
  return true;
}

/** Makes new names in a folder survive a power cut, as far as its file system can promise that. */
export function syncFolder(folder: string): void {
  try {
    syncFile(folder);
  } catch {
    // Some file systems can't sync a folder, and some parents can't be read: nothing is left to do.
  }
}

/**
 * Waits until all that was written to a file is on the disk. Not for one that this process has locked:
 * closing any descriptor of a file gives up all locks that its process has on it. @see fcntl(2)
 */
export function syncFile(file: string): void {
  const descriptor = fs.openSync(file, "r");
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Whether anything has the name, a link that leads nowhere included. */
function isTaken(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // Whatever else is wrong with it comes up when it is written.
  }
}

function exists(file: string): HoldfastError {
  return new HoldfastError(
    "input/exists",
    `${file} exists already.`,
    "Name another file, or replace it with --force.",
  );
}
