import fs from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";

/** Two changes of a folder within this time may leave the same time on it, in milliseconds. */
const FOLDER_TIME_STEP_MS = 50;

/** What SQLite keeps beside the file while it is open: the log, and the index of the log with its locks. */
const KEPT_BESIDE = ["-wal", "-shm"] as const;

/**
 * The files of an open journal, by their inodes. One that was moved away or deleted still takes
 * writes; nobody would ever read them, and whoever opens the name anew shares no lock with us.
 */
export class Place {
  readonly #folder: string;
  /** Of each file that has to stay. */
  readonly #inodes = new Map<string, number>();
  /** The folder as it was when all was in place, once it had not changed for a while. */
  #unchanged: string | null = null;

  /** To be made once all files are there. */
  constructor(file: string) {
    this.#folder = path.dirname(file);
    for (const name of [file, ...KEPT_BESIDE.map((suffix) => file + suffix)]) {
      const inode = inodeOf(name);
      if (inode !== undefined) this.#inodes.set(name, inode);
    }
  }

  /** @throws HoldfastError `journal/replaced` */
  assertUnchanged(): void {
    const stat = fs.statSync(this.#folder, { throwIfNoEntry: false });
    // Nothing was made, moved or deleted in a folder whose own time stands still.
    const folder = stat === undefined ? null : `${stat.dev}:${stat.ino}:${stat.mtimeMs}`;
    if (folder !== null && folder === this.#unchanged) return;
    for (const [name, inode] of this.#inodes) {
      const found = inodeOf(name);
      if (found !== inode) throw replacedFile(name, found === undefined);
    }
    const isSettled =
      stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > FOLDER_TIME_STEP_MS;
    this.#unchanged = isSettled ? folder : null;
  }
}

function inodeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino;
}

function replacedFile(file: string, isGone: boolean): HoldfastError {
  return new HoldfastError(
    "journal/replaced",
    `${file} was ${isGone ? "deleted" : "replaced"} while it was open; nothing is written to the old file.`,
    "Open the journal again.",
  );
}
