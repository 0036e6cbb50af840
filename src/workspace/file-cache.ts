import { readCache, writeCache } from "./cache-folder.ts";
import type { DiskState } from "./disk.ts";
import { CACHE_ENTRIES_MAX, STAT_SETTLE_MS } from "./limits.ts";
import type { PathKey } from "./path-key.ts";

/**
 * The ids of files that were hashed before, by how they were hashed and where they are. An id is
 * used only for a file whose device, inode, size, mode and times are all as they were. Deleting it
 * costs time and nothing else.
 */
export type FileCache = {
  /** What one reading finds and adds. */
  readonly forReading: () => ReadingCache;
  /** Keeps what a finished reading used, forgets the rest, and stores it where there is a place for it. */
  readonly keep: (reading: ReadingCache) => void;
};

export type ReadingCache = {
  readonly get: (scheme: string, key: PathKey, state: DiskState) => string | null;
  /** @param hashedAtMs when reading the file began, in milliseconds since 1970 */
  readonly set: (
    scheme: string,
    key: PathKey,
    state: DiskState,
    id: string,
    hashedAtMs: number,
  ) => void;
  readonly used: ReadonlyMap<string, Remembered>;
  /** Whether `used` holds anything that was not known. */
  readonly isNew: () => boolean;
};

type Remembered = { readonly stamp: string; readonly id: string };

/** @param file where the cache is stored; in a folder that is not there it lives in memory only */
export function openFileCache(file: string): FileCache {
  let known: ReadonlyMap<string, Remembered> = load(file);
  return {
    forReading: () => readingCache(known),
    keep: (reading) => {
      const changed = reading.isNew() || reading.used.size !== known.size;
      known = new Map(reading.used);
      if (changed) store(file, known);
    },
  };
}

function readingCache(known: ReadonlyMap<string, Remembered>): ReadingCache {
  const used = new Map<string, Remembered>();
  let isNew = false;
  return {
    used,
    isNew: () => isNew,
    get: (scheme, key, { stamp }) => {
      const name = `${scheme} ${key}`;
      const remembered = known.get(name);
      if (remembered?.stamp !== stamp) return null;
      used.set(name, remembered);
      return remembered.id;
    },
    set: (scheme, key, { stamp, changedAtMs }, id, hashedAtMs) => {
      const isSettled = changedAtMs < hashedAtMs - STAT_SETTLE_MS;
      if (!isSettled || used.size >= CACHE_ENTRIES_MAX) return;
      used.set(`${scheme} ${key}`, { stamp, id });
      isNew = true;
    },
  };
}

const FORMAT = 1;
const ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

function load(file: string): Map<string, Remembered> {
  const known = new Map<string, Remembered>();
  for (const [name, stamp, id] of rowsIn(readCache(file))) {
    if (typeof name === "string" && typeof stamp === "string" && ID.test(String(id))) {
      known.set(name, { stamp, id: String(id) });
    }
  }
  return known;
}

function rowsIn(content: Buffer | null): unknown[][] {
  if (content === null) return [];
  try {
    const [format, ...rows]: unknown[] = JSON.parse(content.toString("utf8"));
    return format === FORMAT ? rows.filter((row) => Array.isArray(row)) : [];
  } catch {
    return []; // damaged: an empty cache
  }
}

function store(file: string, known: ReadonlyMap<string, Remembered>): void {
  const rows = [...known].map(([name, { stamp, id }]) => [name, stamp, id]);
  writeCache(file, Buffer.from(JSON.stringify([FORMAT, ...rows]), "utf8"));
}
