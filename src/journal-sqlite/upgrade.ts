import type Database from "better-sqlite3";
import { STORE_VERSION } from "./limits.ts";
import { STEPS } from "./rows.ts";

/** The version of the tables. */
export function storeVersion(database: Database.Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}

/** Brings the tables to today's version in one transaction: all old or all new, whenever it is cut off. */
export function upgrade(database: Database.Database): void {
  if (storeVersion(database) >= STORE_VERSION) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it while this one waited for the lock.
    for (const step of STEPS.slice(storeVersion(database))) database.exec(step);
    database.pragma(`user_version = ${STORE_VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
