/** Stores as version 1 of the tables held them; nothing here needs a running test. */
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";

/** A store of version 1, written by the code of then. */
export const FROZEN_V1 = path.join(import.meta.dirname, "../golden/v1-store.sqlite");
export const FROZEN_V1_HEAD = {
  seq: 23,
  hash: "17a62bab8b5b8008092b965e80ae63437c0bc6eb6d69ddb048869fe89dc500d1",
};

/** Puts a copy of a frozen store where a project has its journal. */
export function placeStore(frozen: string, file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  copyFileSync(frozen, file);
}

/** Gives a closed store of today the tables of version 1, with all that they have room for. */
export function backToVersionOne(file: string): void {
  const today = `${file}.today`;
  copyFileSync(file, today);
  rmSync(file);
  copyFileSync(FROZEN_V1, file);
  const database = new Database(file);
  database.exec(`ATTACH '${today}' AS today`);
  database.pragma("foreign_keys = OFF");
  database.exec("BEGIN");
  for (const [table, columns] of TABLES) {
    database.exec(`DELETE FROM ${table}`);
    database.exec(`INSERT INTO ${table} SELECT ${columns} FROM today.${table}`);
  }
  database.exec(NAMES);
  database.exec("COMMIT");
  database.close();
  rmSync(today);
}

const TABLES = [
  ["meta", "*"],
  ["head", "one, seq, hash"],
  ["snapshot", "*"],
] as const;

const NAMES = `
  DELETE FROM events;
  DELETE FROM sessions;
  INSERT INTO sessions SELECT id, unhex(name) FROM today.names WHERE name NOT GLOB '*[^0-9a-f]*';
  INSERT INTO events SELECT
    seq, id, (SELECT unhex(n.name, '-') FROM today.names n WHERE n.id = run), run_seq,
    (SELECT n.name FROM today.names n WHERE n.id = type), at, session, cause, key, body_digest, hash,
    body FROM today.events;
`;

/** The version of the tables of a file, how many events it holds and where it ends. */
export function glanceAt(file: string): {
  readonly version: unknown;
  readonly events: number;
  readonly head: { readonly seq: number; readonly hash: string };
} {
  const database = new Database(file, { fileMustExist: true });
  try {
    const version = database.pragma("user_version", { simple: true });
    const [events, seq, hash] = database
      .prepare("SELECT (SELECT count(*) FROM events), seq, lower(hex(hash)) FROM head")
      .raw()
      .get() as [number, number, string];
    return { version, events, head: { seq, hash } };
  } finally {
    database.close();
  }
}
