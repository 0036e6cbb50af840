import Database from "better-sqlite3";

/**
 * Every connection that this process has prepared a statement on, newest last: a limit is put on
 * the real SQLite through these. Import this before a store is opened.
 */
const connections: Database.Database[] = [];

const prepare = Database.prototype.prepare;
Database.prototype.prepare = function recorded(this: Database.Database, ...args) {
  if (!connections.includes(this)) connections.push(this);
  return prepare.apply(this, args);
} as typeof prepare;

/** The connection of the store that was opened last. */
export function lastConnection(): Database.Database {
  const connection = connections.findLast(({ open }) => open);
  if (connection === undefined) throw new Error("No connection is open.");
  return connection;
}
