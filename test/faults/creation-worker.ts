/** A process that makes a journal and is cut off at a given step. Its argument is a `CreationJob`. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import Database from "better-sqlite3";
import { openSqliteStore, type SqliteStoreOptions } from "../../src/journal-sqlite/index.ts";
import type { CreationStep } from "./creation-steps.ts";
import { die } from "./die.ts";
import { REAL_PORTS } from "./ports.ts";

export type CreationJob = Omit<SqliteStoreOptions, "ports"> & {
  readonly dieAt: CreationStep;
};

const { dieAt, ...options } = JSON.parse(process.argv[2] ?? "") as CreationJob;

/** Puts `before` in front of a function that the store calls. */
function intercept<T extends object, K extends keyof T>(
  on: T,
  name: K,
  before: (first: unknown) => void,
) {
  const original = on[name] as (...args: unknown[]) => unknown;
  on[name] = function intercepted(this: unknown, ...args: unknown[]) {
    before(args[0]);
    const result = original.apply(this, args);
    if (name === "linkSync" && dieAt === "linked") die();
    return result;
  } as T[K];
}

intercept(Database.prototype, "pragma", (text) => {
  if (dieAt === "draft" && String(text).startsWith("journal_mode")) die();
});
intercept(Database.prototype, "exec", (sql) => {
  if (dieAt === "tables" && String(sql).includes("CREATE TABLE")) die();
  if (dieAt === "commit" && sql === "COMMIT") die();
});
intercept(fs, "linkSync", () => {
  if (dieAt === "link") die();
});
intercept(fs, "writeFileSync", () => {
  if (dieAt === "hide") die();
});

// Whoever imported them by name gets them, too.
syncBuiltinESMExports();

await openSqliteStore({ ...options, ports: REAL_PORTS });
