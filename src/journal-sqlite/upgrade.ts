import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type Database from "better-sqlite3";
import { JOURNAL_FILE, removeDraft, syncFolder } from "../state-folder/index.ts";
import { copyDatabase } from "./copy.ts";
import { STORE_VERSION } from "./limits.ts";
import type { Mode } from "./mode.ts";
import { UPGRADES } from "./rows.ts";

/** The version of the tables. */
export function storeVersion(database: Database.Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}

/**
 * Brings the tables to today's version in one transaction: all old or all new, whenever it is cut
 * off. A copy of the file as it was is kept beside it.
 */
export function upgrade(
  driver: typeof Database,
  database: Database.Database,
  file: string,
  { type }: Mode,
): void {
  if (storeVersion(database) >= STORE_VERSION) return;
  const isAlone = type === "exclusive";
  if (isAlone) keepCopy(database, file);
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it while this one waited for the lock.
    const version = storeVersion(database);
    if (version < STORE_VERSION && !isAlone) keepCopyBesides(driver, file);
    for (let from = version; from < STORE_VERSION; from++) {
      database.exec(upgradeOf(from));
    }
    database.pragma(`user_version = ${STORE_VERSION}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** What makes the tables of the next version. A version without it would be raised and not upgraded. */
function upgradeOf(version: number): string {
  const tables = UPGRADES.get(version);
  if (tables === undefined) throw new Error(`Nothing upgrades the tables of version ${version}.`);
  return tables;
}

const COPY_SUFFIX = ".before-v";

/** The copies in a state folder that upgrades have kept, by name. */
export function copiesBeforeUpgrades(stateDir: string): readonly string[] {
  const start = JOURNAL_FILE + COPY_SUFFIX;
  return fs
    .readdirSync(stateDir)
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)));
}

/**
 * By another connection, since SQLite copies no database within a transaction. The caller's holds the
 * write lock meanwhile, so that nothing comes between the copy and the upgrade.
 */
function keepCopyBesides(driver: typeof Database, file: string): void {
  const reader = new driver(file, { timeout: 0, fileMustExist: true });
  try {
    keepCopy(reader, file);
  } finally {
    reader.close();
  }
}

function keepCopy(database: Database.Database, file: string): void {
  const copy = `${file}${COPY_SUFFIX}${STORE_VERSION}`;
  const draft = `${copy}.new-${crypto.randomUUID()}`;
  try {
    copyDatabase(database, draft);
    fs.renameSync(draft, copy);
    syncFolder(path.dirname(copy));
  } finally {
    removeDraft(draft);
  }
}
