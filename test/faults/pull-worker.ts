/**
 * A process that does something to the files of a journal which another one has open. Its argument
 * is a `PullJob` as JSON.
 *
 * It is a process of its own since one that closes a file loses all its locks on it, also those of
 * SQLite. @see fcntl(2), advisory record locking
 */
import path from "node:path";
import process from "node:process";
import { JOURNAL_FILE } from "../../src/state-folder/index.ts";
import { PULLED_AWAY } from "./pulled-away.ts";

export interface PullJob {
  readonly folder: string;
  readonly happens: string;
  /** Copies of the state folder: from before the last events, and with the journal as it was at first. */
  readonly older: string;
  readonly atFirst: string;
}

const { folder, happens, older, atFirst } = JSON.parse(process.argv[2] ?? "") as PullJob;
PULLED_AWAY[happens]?.({
  folder,
  atFirst,
  older: (suffix) => path.join(older, JOURNAL_FILE + suffix),
});
