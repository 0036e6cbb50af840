import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";

/**
 * Loads the native module only when a database is opened, so that a Node that is too old, or a
 * module built for another one, ends in a sentence and not in a crash.
 *
 * @throws HoldfastError `journal/native-module`
 */
export async function loadDriver(): Promise<typeof Database> {
  try {
    const { default: driver } = await import("better-sqlite3");
    new driver(":memory:").close();
    return driver;
  } catch (error) {
    throw new HoldfastError(
      "journal/native-module",
      `The SQLite module can't be loaded by Node ${process.version}: ${firstLine(error)}`,
      "Install again with the Node that runs Holdfast: npm rebuild better-sqlite3, or npm ci.",
      { cause: error },
    );
  }
}

/**
 * The version of the SQLite library; opens no file.
 *
 * @throws HoldfastError `journal/native-module`
 */
export async function sqliteVersion(): Promise<string> {
  const driver = await loadDriver();
  const database = new driver(":memory:");
  try {
    return String(database.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    database.close();
  }
}

const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
