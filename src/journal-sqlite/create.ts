import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { type JournalPorts, openingRow, portableSha256 } from "../journal/index.ts";
import {
  FILE_MODE,
  JOURNAL_FILE,
  JOURNAL_SIDE_SUFFIXES,
  makeStateFolder,
} from "../state-folder/index.ts";
import { typedFailure } from "./failures.ts";
import { setSideFilesAside, syncFolder } from "./files.ts";
import { APPLICATION_ID, STORE_VERSION } from "./limits.ts";
import { INSERT, TABLES, valuesOf } from "./rows.ts";

/**
 * Makes a whole journal under another name and links it into place, so that the journal's own
 * name never stands for half a journal, and of several processes that begin at once one wins.
 */
export function createJournalFile(
  driver: typeof Database,
  stateDir: string,
  ports: JournalPorts,
): void {
  const file = path.join(stateDir, JOURNAL_FILE);
  const name = crypto.randomUUID();
  const draft = `${file}.new-${name}`;
  makeStateFolder(stateDir);
  try {
    fs.closeSync(fs.openSync(draft, "wx", FILE_MODE));
    fillJournalFile(driver, draft, ports);
    setSideFilesAside(stateDir, `.lost-${name}`);
    linkUnlessThere(draft, file);
    syncFolder(stateDir);
    syncFolder(path.dirname(stateDir));
  } catch (error) {
    throw typedFailure(error, file);
  } finally {
    for (const suffix of ["", ...JOURNAL_SIDE_SUFFIXES]) {
      fs.rmSync(draft + suffix, { force: true });
    }
  }
}

function fillJournalFile(driver: typeof Database, draft: string, ports: JournalPorts): void {
  const database = new driver(draft);
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = FULL");
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.exec("BEGIN IMMEDIATE");
    database.exec(TABLES);
    database.pragma(`user_version = ${STORE_VERSION}`);
    writeKey(database, ports);
    const opening = openingRow(ports, ports.sha256 ?? portableSha256);
    database.prepare(INSERT).run(...valuesOf(opening, null));
    database
      .prepare("INSERT INTO head (one, seq, hash) VALUES (1, 1, ?)")
      .run(Buffer.from(opening.hash, "hex"));
    database.exec("COMMIT");
  } finally {
    database.close(); // Moves everything out of the write-ahead log into the file.
  }
}

function linkUnlessThere(draft: string, file: string): void {
  try {
    fs.linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // Else another one won.
  }
}

/** Gives the journal a random key of its own, in place of an older one. */
export function writeKey(database: Database.Database, ports: JournalPorts): void {
  database
    .prepare("INSERT OR REPLACE INTO meta VALUES ('command-key', ?)")
    .run(Buffer.from(ports.ids.secret(), "hex"));
}
