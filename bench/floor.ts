import fs from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { NewEvent } from "../src/journal/index.ts";
import type { Durability } from "../src/journal-sqlite/index.ts";
import { INSERT, TABLES } from "../src/journal-sqlite/rows.ts";

/**
 * What any journal of this kind has to pay: one transaction that reads the head, inserts a row of
 * the same columns under the same indexes and moves the head, at the same durability. No hashing,
 * no checks, no links.
 */
export class Floor {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #head: Database.Statement;
  readonly #setHead: Database.Statement;
  readonly #insert: Database.Statement;

  constructor(folder: string, durability: Durability) {
    const file = path.join(folder, "floor.sqlite");
    const isNew = !fs.existsSync(file);
    this.#database = openDatabase(file, durability);
    if (isNew) this.#makeTables();
    this.#begin = this.#database.prepare("BEGIN IMMEDIATE");
    this.#commit = this.#database.prepare("COMMIT");
    this.#head = this.#database.prepare("SELECT seq, hash, rewritten FROM head").raw();
    this.#setHead = this.#database.prepare("UPDATE head SET seq = ?, hash = ?");
    this.#insert = this.#database.prepare(INSERT);
  }

  append({ key, body }: Pick<NewEvent, "key" | "body">): void {
    this.#begin.run();
    const [last] = this.#head.get() as [number];
    const seq = last + 1;
    const keyBytes = Buffer.from(key ?? "", "hex");
    const row = [seq, ID, NAME, seq, NAME, AT_MS, NAME, null, keyBytes, HASH, HASH];
    this.#insert.run(...row, JSON.stringify(body));
    this.#setHead.run(seq, HASH);
    this.#commit.run();
  }

  close(): void {
    this.#database.close();
  }

  #makeTables(): void {
    this.#database.exec(TABLES);
    this.#database.prepare("INSERT INTO head (one, seq, hash) VALUES (1, 0, ?)").run(HASH);
    this.#database.exec(`INSERT INTO names VALUES (${NAME}, 'tool.observed')`);
  }
}

/** One column, one statement, nothing else: the least that storing the text of an event can cost. */
export class BareInsert {
  readonly #database: Database.Database;
  readonly #insert: Database.Statement;

  constructor(folder: string, durability: Durability) {
    this.#database = openDatabase(path.join(folder, "bare.sqlite"), durability);
    this.#database.exec("CREATE TABLE bare (body TEXT)");
    this.#insert = this.#database.prepare("INSERT INTO bare VALUES (?)");
  }

  append({ body }: NewEvent): void {
    this.#insert.run(JSON.stringify(body));
  }

  close(): void {
    this.#database.close();
  }
}

/** Reads and parses the body of every event of a journal, in order, and checks nothing. */
export function readPlainly(file: string, each: (body: unknown) => void): void {
  const database = new Database(file, { readonly: true });
  const bodies = database.prepare("SELECT body FROM events ORDER BY seq").pluck().iterate();
  for (const body of bodies) each(JSON.parse(String(body)));
  database.close();
}

function openDatabase(file: string, durability: Durability): Database.Database {
  const database = new Database(file, { timeout: 5_000 });
  database.pragma("journal_mode = WAL");
  database.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
  return database;
}

const NAME = 1;
const ID = Buffer.alloc(16, 3);
const HASH = Buffer.alloc(32, 7);
const AT_MS = 1_700_000_000_000;
