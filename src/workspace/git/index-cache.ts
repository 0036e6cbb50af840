import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import path from "node:path";
import { readCache, writeCache } from "../cache-folder.ts";
import type { PathKey } from "../path-key.ts";
import { ReadingStopped } from "../reading-stopped.ts";
import type { RunGit } from "./command.ts";
import {
  type HiddenPath,
  INDEX_ARGUMENTS,
  type IndexEntries,
  parseIndex,
} from "./index-entries.ts";

/** What an index held when it was last read. Deleting it costs time and nothing else. */
export type IndexCache = {
  readonly get: (key: string) => IndexEntries | null;
  readonly set: (key: string, index: IndexEntries) => void;
};

/** Longest checksum that git puts at the end of an index, in bytes. */
const CHECKSUM_BYTES = 32;

/** Differs whenever git has written the index again: its file, its size and times, and its own checksum. */
export function indexStamp(gitDir: string): string {
  let file: number;
  try {
    file = openSync(path.join(gitDir, "index"), "r");
  } catch {
    return "none"; // before the first `git add`
  }
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
    const end = Buffer.alloc(CHECKSUM_BYTES);
    readSync(file, end, 0, CHECKSUM_BYTES, Math.max(0, Number(size) - CHECKSUM_BYTES));
    return [dev, ino, size, mtimeNs, ctimeNs, end.toString("hex")].join(":");
  } finally {
    closeSync(file);
  }
}

/**
 * What the index of a working tree holds, from the cache while the index is as it was.
 *
 * @param as how the index stands, and the folder whose entries are dropped
 * @throws ReadingStopped `git-failed`
 */
export async function readIndex(
  runGit: RunGit,
  top: string,
  as: { readonly stamp: string; readonly leftOut: PathKey | null },
  cache: IndexCache,
): Promise<IndexEntries> {
  const key = JSON.stringify([as.stamp, as.leftOut]);
  const known = cache.get(key);
  if (known !== null) return known;
  const { exitCode, stdout } = await runGit(INDEX_ARGUMENTS, { cwd: top });
  if (exitCode !== 0) throw new ReadingStopped("git-failed");
  const index = parseIndex(stdout, as.leftOut);
  cache.set(key, index);
  return index;
}

/** @param file where the cache is stored; in a folder that is not there it lives in memory only */
export function openIndexCache(file: string): IndexCache {
  let known: { readonly key: string; readonly index: IndexEntries } | null = null;
  return {
    get: (key) => {
      if (known?.key !== key) known = load(file, key);
      return known?.index ?? null;
    },
    set: (key, index) => {
      known = { key, index };
      writeCache(file, stored(key, index));
    },
  };
}

const FORMAT = 1;

type Header = {
  readonly format: typeof FORMAT;
  readonly key: string;
  readonly hidden: readonly HiddenPath[];
  readonly submodules: readonly PathKey[];
  /** How many bytes of records come after the header; where each begins stands behind them. */
  readonly records: number;
  /** SHA-256 over all that. */
  readonly digest: string;
};

function stored(key: string, { entries, hidden, submodules }: IndexEntries): Buffer {
  const starts = Buffer.from(
    entries.starts.buffer,
    entries.starts.byteOffset,
    entries.starts.byteLength,
  );
  const body = Buffer.concat([entries.bytes, starts]);
  const header: Header = {
    format: FORMAT,
    key,
    hidden,
    submodules,
    records: entries.bytes.length,
    digest: sha256(body),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`, "utf8"), body]);
}

function load(file: string, key: string): { key: string; index: IndexEntries } | null {
  const content = readCache(file);
  if (content === null) return null;
  const headerEnd = content.indexOf("\n");
  const header = headerOf(content.toString("utf8", 0, headerEnd));
  const body = content.subarray(headerEnd + 1);
  if (header?.format !== FORMAT || header.key !== key || header.digest !== sha256(body))
    return null;
  const bytes = body.subarray(0, header.records);
  const starts = new Uint32Array(Uint8Array.from(body.subarray(header.records)).buffer);
  const { hidden, submodules } = header;
  return { key, index: { entries: { bytes, starts }, hidden, submodules } };
}

function headerOf(text: string): Header | null {
  try {
    return JSON.parse(text);
  } catch {
    return null; // damaged: an empty cache
  }
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
