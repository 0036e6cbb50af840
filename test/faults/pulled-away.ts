/** What can happen to the files of a journal while a process has it open; needs no running test. */
import { cpSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { journalFileIn, stateDirIn } from "./journals.ts";

/** A journal that is open, and copies of its files from before. */
export interface OpenFiles {
  readonly folder: string;
  /** An older copy of a file: of its state before the last events were appended. */
  readonly older: (suffix: Suffix) => string;
  /** A state folder with the journal as it was at first, closed. */
  readonly atFirst: string;
}

export type Suffix = "" | "-wal" | "-shm";

const FILES: Readonly<Record<string, Suffix>> = {
  "the journal": "",
  "its log": "-wal",
  "the index of its log": "-shm",
};

type Change = (file: string, older: string) => void;

const CHANGES: Readonly<Record<string, Change>> = {
  deleted: (file) => rmSync(file),
  "moved away": (file) => renameSync(file, `${file}.away`),
  "replaced by a copy": (file) => put(file, readFileSync(file)),
  "replaced by an older copy": (file, older) => put(file, readFileSync(older)),
  "overwritten by an older copy": (file, older) => writeFileSync(file, readFileSync(older)),
  "cut to nothing": (file) => truncateSync(file, 0),
};

/** Under the same name, as another file. */
function put(file: string, content: Buffer): void {
  renameSync(file, `${file}.away`);
  writeFileSync(file, content, { mode: 0o600 });
}

const OF_THE_FOLDER: Readonly<Record<string, (files: OpenFiles) => void>> = {
  "the state folder is deleted": ({ folder }) => rmSync(stateDirIn(folder), { recursive: true }),
  "the state folder is moved away": ({ folder }) =>
    renameSync(stateDirIn(folder), path.join(folder, "away")),
  "the state folder is replaced by a copy": ({ folder }) => {
    renameSync(stateDirIn(folder), path.join(folder, "away"));
    cpSync(path.join(folder, "away"), stateDirIn(folder), { recursive: true });
  },
  "the state folder is replaced by an older one": ({ folder, atFirst }) => {
    renameSync(stateDirIn(folder), path.join(folder, "away"));
    cpSync(atFirst, stateDirIn(folder), { recursive: true });
  },
  "an older journal is put in the place of all its files": ({ folder, atFirst }) => {
    for (const suffix of Object.values(FILES)) rmSync(journalFileIn(folder, suffix));
    cpSync(atFirst, stateDirIn(folder), { recursive: true });
  },
};

/** By a name for people. */
export const PULLED_AWAY: Readonly<Record<string, (files: OpenFiles) => void>> = {
  ...Object.fromEntries(
    Object.entries(FILES).flatMap(([name, suffix]) =>
      Object.entries(CHANGES).map(([what, change]) => [
        `${name} is ${what}`,
        ({ folder, older }: OpenFiles) => change(journalFileIn(folder, suffix), older(suffix)),
      ]),
    ),
  ),
  ...OF_THE_FOLDER,
};
