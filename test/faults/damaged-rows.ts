import Database from "better-sqlite3";
import { expect } from "vitest";
import { type ClosedJournal, inMemory, LOG_VERSIONS } from "./damaged-file.ts";
import { every } from "./offsets.ts";

/** One byte of one column of one row. */
export interface StoredByte {
  readonly table: string;
  readonly rowId: bigint;
  readonly column: string;
  readonly value: Value;
  readonly byte: number;
}

type Value = Buffer | string | bigint | null;

export function tablesOf({ file }: ClosedJournal): readonly string[] {
  const database = inMemory(file);
  try {
    const select =
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    return database.prepare(select).pluck().all() as string[];
  } finally {
    database.close();
  }
}

/** Every byte of every column of every row of a table, as SQLite hands them out. */
export function storedBytesOf({ file }: ClosedJournal, table: string): readonly StoredByte[] {
  const database = inMemory(file);
  try {
    const select = database.prepare(`SELECT rowid AS "row id", * FROM ${table}`).safeIntegers();
    return (select.all() as Record<string, Value>[]).flatMap(({ "row id": rowId, ...row }) =>
      Object.entries(row).flatMap(([column, value]) =>
        every(bytesIn(value)).map((byte) => ({
          table,
          rowId: rowId as bigint,
          column,
          value,
          byte,
        })),
      ),
    );
  } finally {
    database.close();
  }
}

/** A null has one byte: it can be made something else. */
function bytesIn(value: Value): number {
  if (value === null) return 1;
  return typeof value === "bigint" ? 8 : Buffer.byteLength(value);
}

/**
 * Flips bits of each of these bytes. What was changed in an event is named by its number, as
 * changed content or a broken link; what was changed elsewhere is found. What is not found makes
 * no difference to anything that can be read.
 */
export async function expectNamed(
  journal: ClosedJournal,
  bytes: readonly StoredByte[],
  random: { readonly below: (bound: number) => number },
): Promise<void> {
  const tally: Record<string, number> = {};
  for (const stored of bytes) {
    const mask = 1 + random.below(255);
    const { table, rowId, column, byte } = stored;
    const what = `byte ${byte} of ${column} in row ${rowId} of ${table} xor ${mask}`;
    const damaged = withFlipped(journal.file, stored, mask);
    // A number that another row has already, or one that is no row's.
    if (damaged === null) continue;
    const found = await journal.examine(damaged);
    const first = "refused" in found ? { seq: null, code: found.refused } : found.problems[0];
    if (first === undefined) {
      // As a session that none is: nothing that can be read is another.
      expect(found, what).toEqual(journal.sound);
    } else if (table === "events" && column !== "seq") {
      expect(first.seq, what).toBe(Number(rowId));
      expect(["content", "link"], what).toContain(first.code);
    }
    const code = first?.code ?? "not live";
    tally[code] = (tally[code] ?? 0) + 1;
  }
  console.info(`${bytes.length} bytes: ${JSON.stringify(tally)}`);
}

/** The file with the value written back by SQLite itself, or null where SQLite refuses it. */
function withFlipped(
  file: Buffer,
  { table, rowId, column, value, byte }: StoredByte,
  mask: number,
): Buffer | null {
  const database = inMemory(file);
  try {
    database.pragma("foreign_keys = OFF");
    database.pragma("ignore_check_constraints = ON");
    const written = typeof value === "string" ? "CAST(? AS TEXT)" : "?";
    const set = `UPDATE ${table} SET "${column}" = ${written} WHERE rowid = ?`;
    for (const flipped of flippedValues(value, byte, mask)) {
      if (!isAccepted(() => database.prepare(set).run(flipped, rowId))) continue;
      const changed = database.serialize();
      changed.fill(2, ...LOG_VERSIONS);
      return changed;
    }
    return null;
  } finally {
    database.close();
  }
}

/** More than one for a null, of which its column takes one kind. */
function flippedValues(value: Value, byte: number, mask: number): readonly (Buffer | bigint)[] {
  if (value === null) return [Buffer.alloc(32, mask), Buffer.alloc(16, mask), BigInt(mask)];
  if (typeof value === "bigint") {
    return [BigInt.asIntN(64, value ^ (BigInt(mask) << BigInt(8 * byte)))];
  }
  const flipped = Buffer.from(value as string);
  flipped[byte] = (flipped[byte] ?? 0) ^ mask;
  return [flipped];
}

function isAccepted(change: () => void): boolean {
  try {
    change();
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}
