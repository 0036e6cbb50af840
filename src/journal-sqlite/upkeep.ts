import type Database from "better-sqlite3";
import type { Change, Replacement } from "../journal/index.ts";
import type { Names } from "./names.ts";

/** Carries out what takes something out of the tables, in the transaction that is open. */
export function takeOut(
  database: Database.Database,
  names: Names,
  { shed = [], removeThrough = 0 }: Change,
): void {
  if (shed.length === 0 && removeThrough === 0) return;
  replaceBodies(database, shed);
  if (removeThrough > 0) {
    removeEvents(database, removeThrough);
    names.removeUnused();
  }
  database.exec("DELETE FROM snapshot; UPDATE head SET rewritten = seq, purge = seq");
}

/** Takes bodies out, and puts what stands for them in their place. */
export function replaceBodies(database: Database.Database, shed: readonly Replacement[]): void {
  const clear = database.prepare("UPDATE events SET body = NULL WHERE seq = ?");
  const forget = database.prepare("DELETE FROM replacements WHERE seq = ?");
  const replace = database.prepare("INSERT INTO replacements VALUES (?, ?)");
  for (const { seq, text } of shed) {
    clear.run(seq);
    forget.run(seq);
    if (text !== null) replace.run(seq, text);
  }
}

function removeEvents(database: Database.Database, through: number): void {
  database
    .prepare(
      "UPDATE head SET (start_seq, start_hash) = (SELECT seq, hash FROM events WHERE seq = ?)",
    )
    .run(through);
  database.prepare("DELETE FROM events WHERE seq <= ?").run(through);
  database.prepare("DELETE FROM replacements WHERE seq <= ?").run(through);
}

/** The event that took out what may still be in the file or its log as bytes; 0 for none. */
export function pendingPurge(database: Database.Database): number {
  return Number(database.prepare("SELECT purge FROM head").pluck().get());
}

/**
 * Writes the whole database anew, since SQLite leaves dead bytes in pages that it split, and empties
 * the write-ahead log. The mark goes last: cut off anywhere before, all is done again. It stays where
 * another process took something out meanwhile.
 *
 * @returns false where another process reads the log just now
 */
export function purge(database: Database.Database): boolean {
  const pending = pendingPurge(database);
  database.exec("VACUUM");
  if (!truncateLog(database)) return false;
  database.prepare("UPDATE head SET purge = 0 WHERE purge = ?").run(pending);
  return true;
}

function truncateLog(database: Database.Database): boolean {
  const [result] = database.pragma("wal_checkpoint(TRUNCATE)") as [{ readonly busy: number }];
  return result.busy === 0;
}
