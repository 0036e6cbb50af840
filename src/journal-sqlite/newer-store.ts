import type Database from "better-sqlite3";
import { HoldfastError } from "../errors.ts";
import type { Head, SnapshotRow } from "../journal/index.ts";
import { STORE_VERSION } from "./limits.ts";
import type { SqliteJournalStore } from "./sqlite-store.ts";
import { StoredRows } from "./stored-rows.ts";
import type { Backup } from "./view-schemas.ts";

/**
 * A journal whose tables a newer version made. As far as they can still be read they are, and nothing
 * is written: what these tables need besides is not known here.
 */
export class NewerStore extends StoredRows implements SqliteJournalStore {
  readonly readOnly: HoldfastError;

  private constructor(
    database: Database.Database,
    file: string,
    lockWaitMs: number,
    readOnly: HoldfastError,
  ) {
    super(database, file, lockWaitMs);
    this.readOnly = readOnly;
  }

  /** @throws HoldfastError `journal/newer-format` where the tables can't be read */
  static over(
    database: Database.Database,
    file: string,
    lockWaitMs: number,
    version: number,
  ): NewerStore {
    database.pragma("query_only = ON");
    try {
      return new NewerStore(database, file, lockWaitMs, newer(file, version));
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== "SQLITE_ERROR") throw cause;
      throw newer(file, version, cause);
    }
  }

  async append(): Promise<void> {
    throw this.readOnly;
  }

  /** What is left to be done there is the newer version's to do. */
  async purge(): Promise<void> {}

  async importRows(): Promise<Head> {
    throw this.readOnly;
  }

  /** Another version's fold is none for this one. */
  async readSnapshot(): Promise<SnapshotRow | null> {
    return null;
  }

  async writeSnapshot(): Promise<void> {}

  async backup(): Promise<Backup> {
    throw this.readOnly;
  }
}

function newer(file: string, version: number, cause?: unknown): HoldfastError {
  const known = `store version ${version}, this one knows ${STORE_VERSION}`;
  const told =
    cause === undefined ? "it is read and not written to" : "its tables can't be read here";
  return new HoldfastError(
    "journal/newer-format",
    `${file} was written by a newer Holdfast (${known}): ${told}.`,
    "Upgrade Holdfast.",
    { cause },
  );
}
