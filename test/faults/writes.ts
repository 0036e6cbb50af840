import fs from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import process from "node:process";
import Database from "better-sqlite3";

/** Is called before each write (`write` says which, for people), and what it returns right after. */
export type WriteWatcher = (write: string) => () => void;

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
/** Says what is written by a call, or null for one that writes nothing. */
type Naming = (on: unknown, args: readonly unknown[]) => string | null;

/**
 * Puts a watcher around everything in this process that changes a file: each statement that
 * reaches SQLite, each closing of a database, and each call of `node:fs` that makes,
 * fills, syncs, names or removes one.
 *
 * Reading is left alone, and so is what goes to the pipes of this process.
 */
export async function watchWrites(watcher: WriteWatcher): Promise<void> {
  const memory = new Database(":memory:");
  const statement = Object.getPrototypeOf(memory.prepare("SELECT 1")) as object;
  memory.close();
  for (const name of STATEMENT) watch(statement, name, watcher, ofStatement(name));
  watch(Database.prototype, "exec", watcher, ofText);
  watch(Database.prototype, "pragma", watcher, ofPragma);
  for (const name of ["close", "backup"])
    watch(Database.prototype, name, watcher, ofDatabase(name));
  for (const name of SYNCHRONOUS) watch(fs, name, watcher, ofFile(name));
  for (const name of ASYNCHRONOUS) watch(fs.promises, name, watcher, ofFile(name));
  const handle = await open(process.execPath);
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  for (const name of HANDLE) watch(handles, name, watcher, () => `handle.${name}`);
  // Whoever imported them by name gets them, too.
  syncBuiltinESMExports();
}

const STATEMENT = ["run", "get", "all", "iterate"];
const ASYNCHRONOUS = [
  "appendFile",
  "chmod",
  "copyFile",
  "link",
  "mkdir",
  "open",
  "rename",
  "rm",
  "rmdir",
  "truncate",
  "unlink",
  "writeFile",
];
const SYNCHRONOUS = [
  ...ASYNCHRONOUS.map((name) => `${name}Sync`),
  "fdatasyncSync",
  "fsyncSync",
  "ftruncateSync",
  "writeSync",
  "writevSync",
];
const HANDLE = ["appendFile", "datasync", "sync", "truncate", "write", "writeFile", "writev"];

/** Standard input, output and error. */
const PIPES = [0, 1, 2];

/** A commit counts as reading for SQLite, so whatever is run is taken for a write. */
function ofStatement(name: string): Naming {
  return (on) => {
    const { source, readonly } = on as Database.Statement;
    return readonly && name !== "run" ? null : short(source);
  };
}

const ofText: Naming = (_, [text]) => short(String(text));

/** Without a value a pragma asks, unless it is one that does something. */
const ofPragma: Naming = (_, [text]) =>
  /[=(]|checkpoint|vacuum|optimize/.test(String(text)) ? short(String(text)) : null;

function ofDatabase(name: string): Naming {
  return (on) => {
    const database = on as Database.Database;
    return database.memory || !database.open ? null : name;
  };
}

function ofFile(name: string): Naming {
  return (_, [first, flags]) => {
    const isReading = name.startsWith("open") && (flags === undefined || flags === "r");
    return isReading || PIPES.includes(first as number) ? null : name;
  };
}

const short = (text: string) => text.trim().replace(/\s+/g, " ").slice(0, 40);

/** What runs within a watched call is part of it: a pragma is a statement, too. */
let isWithinWrite = false;

function watch(on: object, name: string, watcher: WriteWatcher, naming: Naming): void {
  const functions = on as Record<string, AnyFunction>;
  const original = functions[name];
  if (original === undefined) throw new Error(`There is no ${name} to watch.`);
  functions[name] = function watched(this: unknown, ...args: unknown[]) {
    const write = isWithinWrite ? null : naming(this, args);
    if (write === null) return original.apply(this, args);
    const after = watcher(write);
    isWithinWrite = true;
    try {
      const result = original.apply(this, args);
      if (!(result instanceof Promise)) return done(result, after);
      return result.then((value: unknown) => done(value, after));
    } finally {
      isWithinWrite = false;
    }
  };
}

function done<T>(result: T, after: () => void): T {
  after();
  return result;
}
