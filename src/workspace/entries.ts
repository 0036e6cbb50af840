import { createHash } from "node:crypto";
import { bytesOfKey, type PathKey } from "./path-key.ts";
import type { TreeEntryDigest } from "./port.ts";

/** The first bytes that a tree digest is made of; they name its format. */
const TREE_DOMAIN = "holdfast.tree.v1\n";

const NUL = 0;

/** What an id is made of; see `docs/working-tree.md`. */
export type EntryKind = "blob" | "link" | "raw" | "commit" | "repository" | "folder";

export function entryOf(mode: string, kind: EntryKind, id: string): TreeEntryDigest {
  return `${mode} ${kind} ${id}`;
}

/** The entry that git's mode and object id stand for, `null` for mode 000000: nothing. */
export function entryOfObject(mode: string, id: string): TreeEntryDigest | null {
  if (/^0+$/.test(mode)) return null;
  return entryOf(mode, kindOfMode(mode), id);
}

function kindOfMode(mode: string): EntryKind {
  if (mode === "120000") return "link";
  return mode === "160000" ? "commit" : "blob";
}

/**
 * Many entries as the bytes that are hashed, path NUL entry NUL, sorted by the bytes of the path.
 * An index of 50,000 files stays one buffer, without an object for each file.
 */
export type SortedEntries = {
  readonly bytes: Buffer;
  /** Where each record begins, and at the end where the last one stops. */
  readonly starts: Uint32Array;
};

export const NO_ENTRIES: SortedEntries = { bytes: Buffer.alloc(0), starts: Uint32Array.of(0) };

function countOf(entries: SortedEntries): number {
  return entries.starts.length - 1;
}

/** What differs from sorted entries: another entry, a further one, or `null` for none. */
export type Overrides = ReadonlyMap<PathKey, TreeEntryDigest | null>;

export function entryAt(entries: SortedEntries, key: PathKey): TreeEntryDigest | null {
  const { at, found } = search(entries, bytesOfKey(key));
  return found ? recordAt(entries, at).entry : null;
}

type EntryRecord = { readonly key: PathKey; readonly entry: TreeEntryDigest };

function recordAt({ bytes, starts }: SortedEntries, at: number): EntryRecord {
  const start = starts[at] ?? 0;
  const pathEnd = bytes.indexOf(NUL, start);
  return {
    key: bytes.toString("latin1", start, pathEnd),
    entry: bytes.toString("latin1", pathEnd + 1, (starts[at + 1] ?? 0) - 1),
  };
}

/** Where a path is, or where it would have to stand. */
function search(entries: SortedEntries, path: Buffer): { at: number; found: boolean } {
  const { bytes, starts } = entries;
  let low = 0;
  let high = countOf(entries);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = starts[middle] ?? 0;
    const order = bytes.compare(path, 0, path.length, start, bytes.indexOf(NUL, start));
    if (order === 0) return { at: middle, found: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, found: false };
}

/** SHA-256 over the domain and then each record, as 64 hex characters. */
export function treeDigest(entries: SortedEntries, overrides: Overrides): string {
  const hash = createHash("sha256").update(TREE_DOMAIN, "latin1");
  let done = 0;
  for (const key of [...overrides.keys()].sort()) {
    const { at, found } = search(entries, bytesOfKey(key));
    hash.update(entries.bytes.subarray(entries.starts[done], entries.starts[at]));
    const entry = overrides.get(key) ?? null;
    if (entry !== null) hash.update(`${key}\0${entry}\0`, "latin1");
    done = found ? at + 1 : at;
  }
  return hash.update(entries.bytes.subarray(entries.starts[done])).digest("hex");
}

/** Each entry that is there after the overrides, in no particular order. */
export function* allEntries(entries: SortedEntries, overrides: Overrides): Generator<EntryRecord> {
  for (let at = 0; at < countOf(entries); at += 1) {
    const record = recordAt(entries, at);
    if (!overrides.has(record.key)) yield record;
  }
  for (const [key, entry] of overrides) if (entry !== null) yield { key, entry };
}
