import fs from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";

/** Two changes of a folder within this time may leave the same time on it, in milliseconds. */
const FOLDER_TIME_STEP_MS = 50;

/** The index of the log, with the locks of all who have the journal open. */
const INDEX_SUFFIX = "-shm";

/** What SQLite keeps beside the file while it is open. */
const KEPT_BESIDE = ["-wal", INDEX_SUFFIX] as const;

/**
 * The files of an open journal, by their inodes. One that was moved away or deleted still takes
 * writes; nobody would ever read them, and whoever opens the name anew shares no lock with us.
 */
export class Place {
  readonly #file: string;
  readonly #folder: string;
  /** Of each file that has to stay. */
  readonly #inodes = new Map<string, number>();
  /** The folder as it was when all was in place, once it had not changed for a while. */
  #unchanged: fs.Stats | null = null;

  /** To be made once all files are there. */
  constructor(file: string) {
    this.#file = file;
    this.#folder = path.dirname(file);
    for (const name of [file, ...KEPT_BESIDE.map((suffix) => file + suffix)]) {
      const inode = statOf(name)?.ino;
      if (inode !== undefined) this.#inodes.set(name, inode);
    }
  }

  /** @throws HoldfastError `journal/replaced` */
  assertUnchanged(): void {
    // The database itself is looked at each time: cutting it off leaves no mark on the folder.
    if (statOf(this.#file)?.size === 0) throw lost(this.#file, "emptied");
    const folder = statOf(this.#folder);
    // Nothing was made, moved or deleted in a folder whose own time stands still.
    if (folder !== undefined && this.#unchanged !== null && isSame(folder, this.#unchanged)) return;
    for (const [name, inode] of this.#inodes) {
      const found = statOf(name)?.ino;
      if (found !== inode) throw lost(name, found === undefined ? "deleted" : "replaced");
    }
    const isSettled =
      folder !== undefined && Math.abs(Date.now() - folder.mtimeMs) > FOLDER_TIME_STEP_MS;
    this.#unchanged = isSettled ? folder : null;
  }

  /**
   * Whether the index of the log, which holds everyone's locks, is another file now: then whoever
   * opens the journal knows nothing of us.
   */
  hasLostIndex(): boolean {
    const index = this.#file + INDEX_SUFFIX;
    const inode = this.#inodes.get(index);
    return inode !== undefined && statOf(index)?.ino !== inode;
  }
}

function isSame(one: fs.Stats, other: fs.Stats): boolean {
  return one.mtimeMs === other.mtimeMs && one.ino === other.ino && one.dev === other.dev;
}

function statOf(file: string): fs.Stats | undefined {
  return fs.statSync(file, { throwIfNoEntry: false });
}

function lost(file: string, how: "deleted" | "replaced" | "emptied"): HoldfastError {
  return new HoldfastError(
    "journal/replaced",
    `${file} was ${how} while it was open; nothing is written to it any more.`,
    how === "emptied"
      ? "Leave what lies beside it where it is, and put the file back from a backup or an export."
      : "Open the journal again.",
  );
}
