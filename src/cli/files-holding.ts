import { closeSync, type Dirent, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";

/** Bytes of a file that are looked at in one go. */
const READ_BYTES = 1_048_576;

export interface Search {
  /** Absolute paths, in order. */
  readonly holding: readonly string[];
  /** Files that could not be looked at. */
  readonly unreadable: readonly string[];
}

/**
 * Looks through every file of a folder, whatever it is, for a text: as UTF-8, and as JSON writes it.
 *
 * Not to be called while this process has a database of the folder open: closing its file drops the
 * locks that SQLite holds on it.
 */
export function filesHolding(folder: string, text: string): Search {
  const needles = [...new Set([text, JSON.stringify(text).slice(1, -1)])].map((it) =>
    Buffer.from(it),
  );
  const holding: string[] = [];
  const unreadable: string[] = [];
  for (const file of filesIn(folder)) {
    try {
      if (holdsOneOf(file, needles)) holding.push(file);
    } catch (error) {
      if (isGone(error)) continue;
      unreadable.push(file);
    }
  }
  return { holding: holding.toSorted(), unreadable: unreadable.toSorted() };
}

/** Links are left alone: what they lead to is not part of the folder. */
function filesIn(folder: string): readonly string[] {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return isGone(error) ? [] : [folder]; // It turns out unreadable when it is looked at.
  }
  return entries.flatMap((entry) => {
    const inner = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(inner);
    return entry.isFile() ? [inner] : [];
  });
}

function holdsOneOf(file: string, needles: readonly Buffer[]): boolean {
  const beside = Math.max(...needles.map(({ length }) => length)) - 1;
  const descriptor = openSync(file, "r");
  try {
    let kept = Buffer.alloc(0);
    for (;;) {
      const buffer = Buffer.allocUnsafe(kept.length + READ_BYTES);
      kept.copy(buffer);
      const bytes = readSync(descriptor, buffer, kept.length, READ_BYTES, null);
      if (bytes === 0) return false;
      const piece = buffer.subarray(0, kept.length + bytes);
      if (needles.some((needle) => piece.includes(needle))) return true;
      kept = Buffer.from(piece.subarray(Math.max(0, piece.length - beside)));
    }
  } finally {
    closeSync(descriptor);
  }
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
