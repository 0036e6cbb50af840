import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import type { Head } from "../journal/index.ts";
import { copyDatabase } from "./copy.ts";
import { nameUnlessTaken, removeDraft, syncFolder } from "./files.ts";

/** A copy of a journal in one file. */
export interface Backup {
  /** Absolute. */
  readonly path: string;
  readonly events: number;
  readonly head: Head;
}

/**
 * Copies an open journal into one file, which gets its name only once it is whole and was looked at:
 * cut off anywhere before, there is none, or the older one still.
 *
 * @throws HoldfastError `input/exists`, `input/not-writable`, `journal/corrupt`
 */
export function backUp(
  driver: typeof Database,
  database: Database.Database,
  target: string,
  { replace }: { readonly replace: boolean },
): Backup {
  const file = path.resolve(target);
  if (!replace && fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw exists(file);
  const draft = `${file}.${crypto.randomUUID()}.tmp`;
  try {
    copyDatabase(database, draft);
    const copied = contentOf(driver, draft);
    if (replace) fs.renameSync(draft, file);
    else if (!nameUnlessTaken(draft, file)) throw exists(file);
    syncFolder(path.dirname(file));
    return { path: file, ...copied };
  } catch (cause) {
    throw notWritten(file, cause);
  } finally {
    removeDraft(draft);
  }
}

/** Opened anew, as whoever needs the copy would. */
function contentOf(driver: typeof Database, file: string): Pick<Backup, "events" | "head"> {
  const copy = new driver(file, { readonly: true, fileMustExist: true });
  try {
    const sound = copy.pragma("quick_check(1)", { simple: true });
    const [events, seq, hash, last] = copy
      .prepare(
        "SELECT (SELECT count(*) FROM events), seq, lower(hex(hash)), " +
          "(SELECT lower(hex(hash)) FROM events WHERE seq = head.seq) FROM head",
      )
      .raw()
      .get() as [number, number, string, string | null];
    if (sound !== "ok" || last !== hash) throw unlike(String(sound));
    return { events, head: { seq, hash } };
  } finally {
    copy.close();
  }
}

function exists(file: string): HoldfastError {
  return new HoldfastError(
    "input/exists",
    `${file} exists already.`,
    "Name another file, or replace it with --force.",
  );
}

function unlike(found: string): HoldfastError {
  return new HoldfastError(
    "journal/corrupt",
    `The copy does not end as its own head says (${found}), so the journal is damaged; no backup was made.`,
    "See what is damaged with `holdfast journal verify`.",
  );
}

/** What went wrong with the copy; damage to the journal itself is passed on. */
function notWritten(file: string, cause: unknown): unknown {
  const { code = "", message } = cause as { readonly code?: string; readonly message?: string };
  const isOfCopy = /^(E[A-Z]+|SQLITE_(CANTOPEN|READONLY|FULL|IOERR)\w*)$/.test(code);
  if (!isOfCopy) return cause;
  return new HoldfastError(
    "input/not-writable",
    `${file} can't be written: ${message}.`,
    "Name a file in a folder that you may write to, with room for it.",
    { cause },
  );
}
