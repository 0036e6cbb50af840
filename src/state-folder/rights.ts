import { chmodSync, lstatSync, readdirSync, type Stats } from "node:fs";
import path from "node:path";
import process from "node:process";

/** Only the owner reads the journal, its folder, and what comes out of it. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

const RIGHTS_OF_OWNER = 0o700;
const RIGHTS_OF_OTHERS = 0o077;

/** Takes rights away from group and others; leaves a file of another owner alone, and a link. */
export function tighten(entry: string): void {
  const stat = lstatSync(entry);
  if (!isOpenToOthers(stat) || stat.uid !== process.getuid?.()) return;
  chmodSync(entry, stat.mode & RIGHTS_OF_OWNER);
}

/** The folder and what lies below it, as far as group or others have rights to it. */
export function entriesOpenToOthers(stateDir: string): readonly string[] {
  return entriesFrom(stateDir).filter((entry) => {
    const stat = lstatSync(entry, { throwIfNoEntry: false });
    return stat !== undefined && isOpenToOthers(stat);
  });
}

/** Not Node's own recursion, which goes behind links to folders, and so out of the state folder. */
function entriesFrom(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries.flatMap((entry) => {
    const its = path.join(folder, entry.name);
    return entry.isDirectory() ? entriesFrom(its) : [its];
  });
  return [folder, ...below];
}

/** The rights of a link itself mean nothing. */
function isOpenToOthers(stat: Stats): boolean {
  return !stat.isSymbolicLink() && (stat.mode & RIGHTS_OF_OTHERS) !== 0;
}
