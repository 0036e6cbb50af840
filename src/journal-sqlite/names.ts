import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";

/** A name may say something itself (a type of one's own), so none outlives the events that had it. */
const DELETE_UNUSED = `
  DELETE FROM names WHERE id NOT IN (
    SELECT type FROM events
    UNION SELECT run FROM events WHERE run IS NOT NULL
    UNION SELECT session FROM events WHERE session IS NOT NULL
  )`;

/**
 * Texts that many events share (runs, types, sessions), by the small numbers that stand for them in
 * a row. Once events were removed a number may be given anew, so what was looked up holds only as
 * long as the journal's past stays what it was.
 */
export class Names {
  readonly #database: Database.Database;
  readonly #selectName: Database.Statement;
  readonly #selectNumber: Database.Statement;
  readonly #names = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  /** The event that had changed the past when these were looked up. */
  #rewritten = 0;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#selectName = database.prepare("SELECT name FROM names WHERE id = ?").pluck();
    this.#selectNumber = database.prepare("SELECT id FROM names WHERE name = ?").pluck();
  }

  /** In a damaged file a number may stand for nothing; as a text it does not fit the event's hash. */
  nameOf(number: number): string {
    const known = this.#names.get(number);
    if (known !== undefined) return known;
    const name = this.#selectName.get(number) as string | undefined;
    if (name === undefined) return String(number);
    this.#names.set(number, name);
    return name;
  }

  nameOrNull(number: number | null): string | null {
    return number === null ? null : this.nameOf(number);
  }

  /** A new one is stored in the transaction that is open. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#stored(name) ?? this.#added(name);
    this.#numbers.set(name, number);
    return number;
  }

  numberOrNull(name: string | null): number | null {
    return name === null ? null : this.numberOf(name);
  }

  /**
   * To be said in the transaction in which names are looked up, before that.
   *
   * @param rewritten as the head record says it there
   */
  asOf(rewritten: number): void {
    if (rewritten === this.#rewritten) return;
    this.#rewritten = rewritten;
    this.forget();
  }

  /** Deletes, in the transaction that is open, the names that no row has any more. */
  removeUnused(): void {
    this.#database.exec(DELETE_UNUSED);
    this.forget();
  }

  /** After a rollback: what was added is not stored. */
  forget(): void {
    this.#names.clear();
    this.#numbers.clear();
  }

  /** Found by an index, which a damaged file contradicts: the event would get another's name. */
  #stored(name: string): number | null {
    const number = this.#selectNumber.get(name) as number | undefined;
    if (number === undefined) return null;
    if (this.#selectName.get(number) === name) return number;
    throw new HoldfastError(
      "journal/corrupt",
      `The index of names is damaged: ${number} does not stand for ${name}.`,
      "Keep the file as it is, and import the newest export or use the newest backup.",
    );
  }

  #added(name: string): number {
    const insert = this.#database.prepare("INSERT INTO names (name) VALUES (?)");
    return Number(insert.run(name).lastInsertRowid);
  }
}
