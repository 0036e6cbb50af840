import type Database from "better-sqlite3";

/** Session hashes by the small numbers that events hold in their place. */
export class Sessions {
  readonly #select: Database.Statement;
  readonly #selectHash: Database.Statement;
  readonly #insert: Database.Statement;
  readonly #hashes = new Map<number, string>();
  readonly #numbers = new Map<string, number>();

  constructor(database: Database.Database) {
    this.#select = database.prepare("SELECT id FROM sessions WHERE hash = ?").pluck();
    this.#selectHash = database.prepare("SELECT hex(hash) FROM sessions WHERE id = ?").pluck();
    this.#insert = database.prepare("INSERT INTO sessions (hash) VALUES (?)");
  }

  /** The hash behind a number. In a damaged file there may be none; then it is told as no session. */
  hashOf(number: number | null): string | null {
    if (number === null) return null;
    const known = this.#hashes.get(number);
    if (known !== undefined) return known;
    const hash = (this.#selectHash.get(number) as string | undefined)?.toLowerCase() ?? null;
    if (hash !== null) this.#hashes.set(number, hash);
    return hash;
  }

  /** The number of a hash; a new one is stored in the transaction that is open. */
  numberOf(hash: string | null): number | null {
    if (hash === null) return null;
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    const bytes = Buffer.from(hash, "hex");
    const found = this.#select.get(bytes) as number | undefined;
    const number = found ?? Number(this.#insert.run(bytes).lastInsertRowid);
    this.#numbers.set(hash, number);
    return number;
  }

  /** After a rollback, or where others stand now. */
  forget(): void {
    this.#hashes.clear();
    this.#numbers.clear();
  }
}
