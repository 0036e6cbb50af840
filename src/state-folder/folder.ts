import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileFailure } from "./failures.ts";
import { IGNORE_FILE, JOURNAL_FILE, JOURNAL_SIDE_FILES } from "./names.ts";
import { FILE_MODE, FOLDER_MODE, tighten } from "./rights.ts";

const IGNORE_TEXT = "*\n";

/**
 * Makes the folder where needed and keeps others out of it.
 *
 * @throws HoldfastError `journal/not-writable`, `journal/storage-full`
 */
export function makeStateFolder(stateDir: string): void {
  try {
    makeFolders(stateDir);
    tighten(stateDir);
  } catch (error) {
    throw fileFailure(stateDir, error);
  }
}

/**
 * Each folder once, and no `recursive`: where a file system denies that a name is there and makes
 * no folder of it either (as Linux's /proc does), Node would try again for ever.
 */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if (!isExisting(error)) throw error; // Else another process was faster.
  }
}

/**
 * Hides the folder from git. Done after the journal itself is made, so a folder that hides itself
 * once held a journal.
 *
 * @throws HoldfastError `journal/not-writable`, `journal/storage-full`
 */
export function hideStateFolder(stateDir: string): void {
  const file = path.join(stateDir, IGNORE_FILE);
  if (existsSync(file)) return;
  try {
    writeFileSync(file, IGNORE_TEXT, { mode: FILE_MODE, flag: "wx" });
  } catch (error) {
    if (!isExisting(error)) throw fileFailure(file, error);
  }
}

function isExisting(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}

/** Whether a journal was here: then its file being gone is a loss and not a beginning. */
export function hadJournal(stateDir: string): boolean {
  // The journal is looked for last: whoever makes one makes it before all that stands beside it.
  const traces = [IGNORE_FILE, ...JOURNAL_SIDE_FILES].some((name) =>
    existsSync(path.join(stateDir, name)),
  );
  return traces && !existsSync(path.join(stateDir, JOURNAL_FILE));
}
