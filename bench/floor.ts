import crypto from "node:crypto";
import path from "node:path";
import Database from "better-sqlite3";
import type { Durability } from "../src/journal-sqlite/index.ts";
import { INSERT, TABLES } from "../src/journal-sqlite/rows.ts";

/**
 * What any journal of this kind has to pay: the same SQL for the same row, with the same indexes
 * and the same durability, and nothing else. No hashing, no checks, no links.
 */
export class Floor {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #head: Database.Statement;
  readonly #setHead: Database.Statement;
  readonly #insert: Database.Statement;
  #seq = 0;

  constructor(folder: string, durability: Durability) {
    this.#database = new Database(path.join(folder, "floor.sqlite"), { timeout: 5_000 });
    this.#database.pragma("journal_mode = WAL");
    this.#database.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
    this.#database.exec(TABLES);
    this.#database.exec("INSERT INTO head VALUES (1, 0, x'00')");
    this.#begin = this.#database.prepare("BEGIN IMMEDIATE");
    this.#commit = this.#database.prepare("COMMIT");
    this.#head = this.#database.prepare("SELECT seq, hash FROM head").raw();
    this.#setHead = this.#database.prepare("UPDATE head SET seq = ?, hash = ?");
    this.#insert = this.#database.prepare(INSERT);
  }

  append(body: object): void {
    this.#begin.run();
    this.#head.get();
    this.#seq++;
    const key = crypto.randomBytes(32);
    const values = [this.#seq, ID, ID, this.#seq, "tool.observed", this.#seq, null, null, key];
    this.#insert.run(...values, HASH, HASH, JSON.stringify(body));
    this.#setHead.run(this.#seq, HASH);
    this.#commit.run();
  }

  /** Reads and parses every body, in order. */
  load(each: (body: unknown) => void): void {
    const rows = this.#database.prepare("SELECT body FROM events ORDER BY seq").pluck().iterate();
    for (const body of rows) each(JSON.parse(String(body)));
  }

  close(): void {
    this.#database.close();
  }
}

const ID = Buffer.alloc(16, 3);
const HASH = Buffer.alloc(32, 7);
