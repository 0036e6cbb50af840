import { lstatSync, readdirSync, type Stats } from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { fileFailure } from "./failures.ts";
import { ARCHIVE_FOLDER, IGNORE_FILE, JOURNAL_FILE, JOURNAL_SIDE_FILES } from "./names.ts";
import { pathWithin, realPathOfFuture } from "./paths.ts";

/**
 * Refuses a state folder that is reached over a symbolic link below one of the roots (what is
 * written there would leave the project), and one that is no folder, or whose files are no files.
 *
 * @throws HoldfastError `journal/unsafe-path`; `journal/not-writable` if it can't be looked at
 */
export function assertSafe(stateDir: string, roots: readonly string[]): void {
  assertNoLinks(stateDir, roots);
  assertKind(stateDir, "folder");
  for (const name of [JOURNAL_FILE, ...JOURNAL_SIDE_FILES, IGNORE_FILE]) {
    assertKind(path.join(stateDir, name), "file");
  }
}

/**
 * Refuses a path that goes over a symbolic link below one of the roots.
 *
 * @throws HoldfastError `journal/unsafe-path`, `journal/not-writable`
 */
export function assertNoLinks(stateDir: string, roots: readonly string[]): void {
  for (let entry = stateDir; entry !== path.dirname(entry); entry = path.dirname(entry)) {
    const stat = statOf(entry);
    if (stat?.isSymbolicLink() !== true) continue;
    const folder = realPathOfFuture(path.dirname(entry));
    if (roots.some((root) => pathWithin(root, folder) !== null))
      throw unsafe(entry, stat, "folder");
  }
}

/**
 * Refuses what is there and is of another kind, a link among them.
 *
 * @throws HoldfastError `journal/unsafe-path`, `journal/not-writable`
 */
export function assertKind(entry: string, kind: "folder" | "file"): void {
  const stat = statOf(entry);
  if (stat === undefined || (kind === "folder" ? stat.isDirectory() : stat.isFile())) return;
  throw unsafe(entry, stat, kind);
}

function statOf(entry: string): Stats | undefined {
  try {
    return lstatSync(entry, { throwIfNoEntry: false });
  } catch (error) {
    throw fileFailure(entry, error);
  }
}

function unsafe(entry: string, stat: Stats, kind: "folder" | "file"): HoldfastError {
  const found = stat.isSymbolicLink() ? "a symbolic link" : `no ordinary ${kind}`;
  return new HoldfastError(
    "journal/unsafe-path",
    `${entry} is ${found}, and the journal is never reached over one.`,
    "Move it away, or name another state folder with HOLDFAST_DIR.",
  );
}

/** What stands in a state folder of ours; SQLite and unfinished drafts add endings to the first. */
const OWN_NAMES = [JOURNAL_FILE, IGNORE_FILE, ARCHIVE_FOLDER, "cache"];

/**
 * Refuses a folder that is somebody else's: as a state folder it would be hidden from git, closed to
 * others, and left out of every reading of the working tree.
 *
 * @throws HoldfastError `journal/unsafe-path`
 */
export function assertNobodyElses(stateDir: string): void {
  const foreign = stateDir.split(path.sep).includes(".git") ? ".git" : foreignEntry(stateDir);
  if (foreign === null) return;
  throw new HoldfastError(
    "journal/unsafe-path",
    `${stateDir} can't be the state folder: it ${foreign === ".git" ? "belongs to git" : `holds ${foreign}, which is not Holdfast's`}.`,
    "Name an empty folder, or one that does not exist yet, with HOLDFAST_DIR.",
  );
}

function foreignEntry(stateDir: string): string | null {
  try {
    const names = readdirSync(stateDir);
    return names.find((name) => !OWN_NAMES.some((own) => name.startsWith(own))) ?? null;
  } catch {
    return null; // Not there yet; whatever else is wrong comes up when it is made.
  }
}
