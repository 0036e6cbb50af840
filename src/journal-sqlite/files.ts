import fs from "node:fs";
import path from "node:path";
import { fileFailure, JOURNAL_FILE, JOURNAL_SIDE_SUFFIXES } from "../state-folder/index.ts";

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
