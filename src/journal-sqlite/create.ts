import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { type JournalPorts, openingRow, portableSha256 } from "../journal/index.ts";
import {
  FILE_MODE,
  JOURNAL_FILE,
  makeStateFolder,
  nameUnlessTaken,
  removeDraft,
  syncFolder,
} from "../state-folder/index.ts";
import { typedFailure } from "./failures.ts";
import { setSideFilesAside } from "./files.ts";
import { APPLICATION_ID, STORE_VERSION } from "./limits.ts";
import { enterMode, lockOut, type Mode } from "./mode.ts";
import { Names } from "./names.ts";
import { INSERT, TABLES, valuesOf } from "./rows.ts";

/**
 * Makes a whole journal under another name and links it into place, so that the journal's own
 * name never stands for half a journal, and of several processes that begin at once one wins.
 */
export function createJournalFile(
  driver: typeof Database,
  stateDir: string,
  ports: JournalPorts,
  mode: Mode,
): void {
  const file = path.join(stateDir, JOURNAL_FILE);
  const name = crypto.randomUUID();
  const draft = `${file}.new-${name}`;
  makeStateFolder(stateDir);
  try {
    fs.closeSync(fs.openSync(draft, "wx", FILE_MODE));
    fillJournalFile(driver, draft, ports, mode);
    setSideFilesAside(stateDir, `.lost-${name}`);
    nameUnlessTaken(draft, file); // Else another one won.
    syncFolder(stateDir);
    syncFolder(path.dirname(stateDir));
  } catch (error) {
    throw typedFailure(error, file);
  } finally {
    removeDraft(draft);
  }
}

function fillJournalFile(
  driver: typeof Database,
  draft: string,
  ports: JournalPorts,
  mode: Mode,
): void {
  const database = new driver(draft);
  try {
    if (mode.type === "exclusive") lockOut(database);
    enterMode(database, draft, mode);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.exec("BEGIN IMMEDIATE");
    database.exec(TABLES);
    database.pragma(`user_version = ${STORE_VERSION}`);
    writeKey(database, ports);
    const opening = openingRow(ports, ports.sha256 ?? portableSha256);
    database.prepare(INSERT).run(...valuesOf(opening, new Names(database)));
    database
      .prepare("INSERT INTO head (one, seq, hash) VALUES (1, 1, ?)")
      .run(Buffer.from(opening.hash, "hex"));
    database.exec("COMMIT");
    // Into the file, out of the write-ahead log. Closing does that too, but is silent if it fails.
    database.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}

/** Gives the journal a random key of its own, in place of an older one. */
export function writeKey(database: Database.Database, ports: JournalPorts): void {
  database
    .prepare("INSERT OR REPLACE INTO meta VALUES ('command-key', ?)")
    .run(Buffer.from(ports.ids.secret(), "hex"));
}
