import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import path from "node:path";

/**
 * All that is below a folder, with kind, rights and content: equal if nothing was written.
 *
 * The index of a log is left out: whoever comes first makes it anew from the log.
 */
export function treeOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => `${name} ${described(path.join(folder, name))}`);
}

function described(entry: string): string {
  const stat = lstatSync(entry);
  const mode = (stat.mode & 0o777).toString(8);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(entry)}`;
  if (entry.endsWith("-shm")) return mode;
  return stat.isFile() ? `${mode} ${readFileSync(entry, "base64")}` : mode;
}
