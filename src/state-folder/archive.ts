import fs from "node:fs";
import path from "node:path";
import { HoldfastError } from "../errors.ts";
import { fileFailure } from "./failures.ts";
import { ARCHIVE_FOLDER } from "./names.ts";
import { draftOf, nameUnlessTaken, removeDraft, syncFolder } from "./new-file.ts";
import { FILE_MODE, FOLDER_MODE } from "./rights.ts";
import { assertKind } from "./safety.ts";

/**
 * Keeps a text in the archive of a state folder, under the digest of its bytes: whole, or not at all.
 * What is kept there already is left as it is.
 *
 * @returns the file's absolute path
 * @throws HoldfastError `contract/archive-conflict` where something else has its name;
 * `journal/unsafe-path`, `journal/not-writable`, `journal/storage-full`
 */
export function keepInArchive(stateDir: string, digest: string, text: string): string {
  const folder = path.join(stateDir, ARCHIVE_FOLDER);
  const file = path.join(folder, `contract-${digest}.json`);
  const bytes = Buffer.from(text);
  assertKind(folder, "folder");
  try {
    if (!isKept(file, bytes)) {
      makeFolder(folder);
      write(file, bytes);
      isKept(file, bytes); // Unless another process took the name for something else.
    }
    return file;
  } catch (error) {
    throw error instanceof HoldfastError ? error : fileFailure(file, error);
  }
}

function makeFolder(folder: string): void {
  if (fs.existsSync(folder)) return;
  try {
    fs.mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // Another process was faster.
  }
  syncFolder(path.dirname(folder));
}

function write(file: string, bytes: Buffer): void {
  const draft = draftOf(file, { replace: true });
  try {
    fs.writeFileSync(draft, bytes, { flag: "wx", mode: FILE_MODE, flush: true });
    nameUnlessTaken(draft, file);
    syncFolder(path.dirname(file));
  } finally {
    removeDraft(draft);
  }
}

/** @throws HoldfastError `contract/archive-conflict` where something else has the name */
function isKept(file: string, bytes: Buffer): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.isFile() && stat.size === bytes.length && fs.readFileSync(file).equals(bytes))
    return true;
  throw new HoldfastError(
    "contract/archive-conflict",
    `${file} is not the file that its name says, so nothing was imported.`,
    "Look at it, move it away, and import again.",
  );
}
