import fs from "node:fs";
import path from "node:path";
import { fileFailure, JOURNAL_FILE, JOURNAL_SIDE_SUFFIXES } from "../state-folder/index.ts";

/** A draft that is older than this was left by a process that was killed, in milliseconds. */
const DRAFT_AGE_MAX_MS = 60 * 60 * 1_000;

/** Unfinished files by the end of their names: a random UUID, and what SQLite puts beside a file. */
const DRAFT = /\.new-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-wal|-shm|-journal)?$/;

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
