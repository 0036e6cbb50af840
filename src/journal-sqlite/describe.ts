import type Database from "better-sqlite3";
import { storeVersion } from "./upgrade.ts";
import { pendingPurge } from "./upkeep.ts";

/** What SQLite says of an open store, for people who look after it. */
export interface StoreDescription {
  readonly sqliteVersion: string;
  /** The version of the tables. */
  readonly storeVersion: number;
  /** The effective values of this connection, as SQLite names them. */
  readonly journalMode: string;
  readonly synchronous: string;
  /** Whether bytes of what was taken out may still be in the file or its log. */
  readonly purgePending: boolean;
}

export function describeConnection(database: Database.Database): StoreDescription {
  return {
    sqliteVersion: String(database.prepare("SELECT sqlite_version()").pluck().get()),
    storeVersion: storeVersion(database),
    journalMode: String(database.pragma("journal_mode", { simple: true })),
    synchronous: synchronousOf(database),
    purgePending: pendingPurge(database) > 0,
  };
}

/** How a connection syncs, as SQLite names it. */
export function synchronousOf(database: Database.Database): string {
  return SYNCHRONOUS[Number(database.pragma("synchronous", { simple: true }))] ?? "unknown";
}

/** The names of the values of `PRAGMA synchronous`. @see https://www.sqlite.org/pragma.html#pragma_synchronous */
const SYNCHRONOUS = ["off", "normal", "full", "extra"];
