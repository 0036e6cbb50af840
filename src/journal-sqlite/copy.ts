import fs from "node:fs";
import type Database from "better-sqlite3";
import { FILE_MODE, syncFile } from "../state-folder/index.ts";

/**
 * Writes all that is committed into one new file, also what stands in the write-ahead log only.
 * Others may go on writing meanwhile.
 */
export function copyDatabase(database: Database.Database, file: string): void {
  fs.closeSync(fs.openSync(file, "wx", FILE_MODE)); // Else SQLite makes it, for everyone to read.
  database.prepare("VACUUM INTO ?").run(file);
  syncFile(file);
}
