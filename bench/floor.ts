import path from "node:path";
import Database from "better-sqlite3";
import type { NewEvent } from "../src/journal/index.ts";
import type { Durability } from "../src/journal-sqlite/index.ts";
import { INSERT, TABLES } from "../src/journal-sqlite/rows.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  /** Null where a value has to be given. */
  readonly dflt_value: string | null;
}

/**
 * What any journal of this kind has to pay: one transaction that reads the head, inserts a row of
 * the same columns under the same indexes and moves the head, at the same durability. No hashing,
 * no checks, no links. It takes the journal's own tables as they are, so it changes with them.
 */
export class Floor {
  readonly #database: Database.Database;
  readonly #columns: readonly Column[];
  readonly #headColumns: readonly Column[];
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #head: Database.Statement;
  readonly #setHead: Database.Statement;
  readonly #insert: Database.Statement;

  constructor(folder: string, durability: Durability) {
    this.#database = openDatabase(path.join(folder, "floor.sqlite"), durability);
    if (this.#columnsOf("events").length === 0) this.#makeTables();
    this.#columns = this.#columnsOf("events");
    this.#headColumns = this.#givenColumnsOf("head").filter(({ name }) => name !== "one");
    const names = this.#headColumns.map(({ name }) => name);
    this.#begin = this.#database.prepare("BEGIN IMMEDIATE");
    this.#commit = this.#database.prepare("COMMIT");
    this.#head = this.#database.prepare("SELECT seq, * FROM head").raw();
    this.#setHead = this.#database.prepare(`UPDATE head SET ${names.join(" = ?, ")} = ?`);
    this.#insert = this.#database.prepare(INSERT);
  }

  append({ key, body }: NewEvent): void {
    this.#begin.run();
    const [last] = this.#head.get() as [number];
    const seq = last + 1;
    const known = { seq, run_seq: seq, key: Buffer.from(key ?? "", "hex") };
    const text = JSON.stringify(body);
    this.#insert.run(valuesFor(this.#columns, { ...ROW, ...known, body: text }));
    this.#setHead.run(valuesFor(this.#headColumns, { seq }));
    this.#commit.run();
  }

  close(): void {
    this.#database.close();
  }

  #columnsOf(table: string): readonly Column[] {
    return this.#database.pragma(`table_info(${table})`) as Column[];
  }

  /** Those that have to be given: what an append writes of a row. */
  #givenColumnsOf(table: string): readonly Column[] {
    return this.#columnsOf(table).filter(({ dflt_value }) => dflt_value === null);
  }

  #makeTables(): void {
    this.#database.exec(TABLES);
    this.#insertFirst("head", { one: 1, seq: 0 });
    this.#insertFirst("names", { id: NAME });
  }

  #insertFirst(table: string, known: Readonly<Record<string, unknown>>): void {
    const columns = this.#givenColumnsOf(table);
    const names = columns.map(({ name }) => name).join(", ");
    const marks = columns.map(() => "?").join(", ");
    const insert = this.#database.prepare(`INSERT INTO ${table} (${names}) VALUES (${marks})`);
    insert.run(valuesFor(columns, known));
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

/** The columns whose values are of another size than most of their type, or refer to something. */
const ROW = { id: ID, run: NAME, type: NAME, session: NAME, cause: null };

/** What stands in a column that nothing is known of: as large as what the journal keeps there. */
const USUAL: Readonly<Record<string, unknown>> = {
  INTEGER: 1_700_000_000_000,
  BLOB: Buffer.alloc(32, 7),
  TEXT: "tool.observed",
};

function valuesFor(columns: readonly Column[], known: Readonly<Record<string, unknown>>) {
  return columns.map(({ name, type }) => (name in known ? known[name] : USUAL[type]));
}
