import Database from "better-sqlite3";

/**
 * Every connection that this process has prepared a statement on, newest last.
 *
 * Faults are put into the real SQLite through these: a limit, or a trigger that kills the process
 * between two rows. Import this before a store is opened.
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

/** Where a write is cut off: once the row of this event, or the head of it, has been written. */
export interface CutOff {
  readonly table: "events" | "head";
  readonly seq: number;
}

/** Calls `then` in the middle of a transaction of the connection. */
export function atWrite(
  connection: Database.Database,
  { table, seq }: CutOff,
  then: () => void,
): void {
  connection.function("cut_off", () => {
    then();
    return null;
  });
  const write = table === "events" ? "INSERT" : "UPDATE";
  connection.exec(
    `CREATE TEMP TRIGGER cut AFTER ${write} ON main.${table} WHEN NEW.seq = ${seq} ` +
      "BEGIN SELECT cut_off(); END",
  );
}
