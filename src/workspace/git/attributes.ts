import { createHash } from "node:crypto";
import { diskState } from "../disk.ts";
import type { SortedEntries } from "../entries.ts";
import { keyOfText, type PathKey } from "../path-key.ts";
import type { WorkingTree } from "./working-tree.ts";

const NAME = ".gitattributes";

/**
 * Changes with anything that may change how git converts a file: the settings and each attributes
 * file of the tree and the repository.
 */
export function attributeStamp(tree: WorkingTree, changed: readonly PathKey[]): string {
  const { root, place, settings, index } = tree;
  const hash = createHash("sha256").update(settings.text);
  const ownFile = diskState(place.commonDir, keyOfText("info/attributes"));
  hash.update(`\0${ownFile?.stamp ?? "none"}`);
  for (const key of new Set([...trackedFiles(index), ...changed.filter(isAttributesFile)])) {
    hash.update(`\0${key}\0${diskState(root.path, key)?.stamp ?? "none"}`, "latin1");
  }
  return hash.digest("hex");
}

function isAttributesFile(key: PathKey): boolean {
  return key === NAME || key.endsWith(`/${NAME}`);
}

function trackedFiles({ bytes }: SortedEntries): PathKey[] {
  const found: PathKey[] = [];
  const end = `${NAME}\0`;
  for (let at = bytes.indexOf(end); at !== -1; at = bytes.indexOf(end, at + end.length)) {
    const key = bytes.toString("latin1", bytes.lastIndexOf(0, at) + 1, at + NAME.length);
    if (isAttributesFile(key)) found.push(key);
  }
  return found;
}
