import {
  assertReadable,
  blobHash,
  type DiskState,
  disk,
  diskState,
  hashFile,
  linkText,
  turns,
} from "../disk.ts";
import { entryAt, entryOf } from "../entries.ts";
import { joinKeys, type PathKey, quotedKey } from "../path-key.ts";
import type { TreeEntryDigest } from "../port.ts";
import { ReadingStopped } from "../reading-stopped.ts";
import { noting, rawId, spend } from "../session.ts";
import { attributeStamp } from "./attributes.ts";
import { type LineEnds, lineEndsOf } from "./line-ends.ts";
import type { GitSettings } from "./settings.ts";
import type { WorkingTree } from "./working-tree.ts";

type Found = Map<PathKey, TreeEntryDigest | null>;
type OrdinaryFile = {
  readonly key: PathKey;
  readonly state: DiskState;
  readonly recorded: TreeEntryDigest | null;
};

/**
 * The entries that `git add` would make of paths of the working tree, `null` where no file is.
 * Files under a content filter count by their bytes, since filters are programs and are not run.
 * A path that can't be read is noted and has no entry.
 */
export async function workingEntries(
  tree: WorkingTree,
  keys: Iterable<PathKey>,
  filtered: ReadonlySet<PathKey>,
): Promise<Found> {
  const { session, root } = tree;
  const found: Found = new Map();
  const ordinary: OrdinaryFile[] = [];
  const stateOf = disk(root.path);
  const turn = turns();
  for (const key of keys) {
    spend(session, "files", 1);
    await turn();
    await noting(session, root, async () => {
      const state = stateOf(key);
      if (state === null || state.kind === "folder") found.set(key, null);
      else if (state.kind === "link") found.set(key, linkEntry(tree, key));
      else if (state.kind === "other") throw new ReadingStopped("not-a-file", key);
      else if (filtered.has(key)) found.set(key, await rawEntry(tree, key, state));
      else ordinary.push({ key, state, recorded: entryAt(tree.index, key) });
    });
  }
  for (const [key, entry] of await ordinaryEntries(tree, ordinary)) found.set(key, entry);
  return found;
}

function linkEntry({ root, place }: WorkingTree, key: PathKey): TreeEntryDigest {
  const text = linkText(root.path, key);
  return entryOf(
    "120000",
    "link",
    blobHash(place.objectFormat, text.length).update(text).digest("hex"),
  );
}

async function rawEntry(
  tree: WorkingTree,
  key: PathKey,
  state: DiskState,
): Promise<TreeEntryDigest> {
  const mode = modeOf(tree.settings, { key, state, recorded: entryAt(tree.index, key) });
  return entryOf(mode, "raw", await rawId(tree.session, tree.root, key, state));
}

function modeOf({ fileMode }: GitSettings, { state, recorded }: OrdinaryFile): string {
  if (fileMode) return state.isExecutable ? "100755" : "100644";
  return recorded?.startsWith("100755 ") ? "100755" : "100644";
}

async function ordinaryEntries(tree: WorkingTree, files: readonly OrdinaryFile[]): Promise<Found> {
  const found: Found = new Map();
  if (files.length === 0) return found;
  const { session, root, settings } = tree;
  const attributes = attributeStamp(
    tree,
    files.map(({ key }) => key),
  );
  const scheme = (file: OrdinaryFile) => `${attributes} ${file.recorded ?? "untracked"}`;
  const unknown: OrdinaryFile[] = [];
  for (const file of files) {
    const id = session.cache.get(scheme(file), joinKeys(root.prefix, file.key), file.state);
    if (id === null) unknown.push(file);
    else found.set(file.key, entryOf(modeOf(settings, file), "blob", id));
  }
  const hashedAtMs = Date.now();
  for (const [file, entry] of await hashedEntries(tree, unknown)) {
    found.set(file.key, entry);
    const [, kind, id = ""] = entry.split(" ");
    if (kind !== "blob") continue;
    session.cache.set(scheme(file), joinKeys(root.prefix, file.key), file.state, id, hashedAtMs);
  }
  return found;
}

async function hashedEntries(
  tree: WorkingTree,
  files: readonly OrdinaryFile[],
): Promise<Map<OrdinaryFile, TreeEntryDigest>> {
  const { session, root } = tree;
  const asTheyAre = await unconvertedIds(tree, files);
  const readable = files.filter((file) => asTheyAre.has(file));
  const converted = await convertedIds(tree, readable);
  const differing = readable.filter((file, at) => {
    const plain = asTheyAre.get(file);
    return plain !== null && plain !== converted[at];
  });
  const lineEnds = await lineEndsOf(
    tree.runGit,
    root.path,
    differing.map(({ key }) => key),
    tree.settings,
  );

  const found = new Map<OrdinaryFile, TreeEntryDigest>();
  for (const [at, file] of readable.entries()) {
    await noting(session, root, async () => {
      if (!isUnchanged(root.path, file)) {
        throw new ReadingStopped("changed-while-read", file.key);
      }
      const ids = { plain: asTheyAre.get(file) ?? null, converted: converted[at] ?? "" };
      found.set(file, await entryOfFile(tree, file, ids, lineEnds.get(file.key) ?? "convertible"));
    });
  }
  return found;
}

function isUnchanged(root: string, { key, state }: OrdinaryFile): boolean {
  return diskState(root, key)?.stamp === state.stamp;
}

async function entryOfFile(
  tree: WorkingTree,
  file: OrdinaryFile,
  ids: { readonly plain: string | null; readonly converted: string },
  lineEnds: LineEnds,
): Promise<TreeEntryDigest> {
  const mode = modeOf(tree.settings, file);
  if (!tree.settings.symlinks && file.recorded?.startsWith("120000 ")) {
    return entryOf("120000", "link", ids.plain ?? ids.converted);
  }
  if (lineEnds === "mixed") return rawEntry(tree, file.key, file.state);
  return entryOf(mode, "blob", lineEnds === "kept" ? (ids.plain ?? "") : ids.converted);
}

/** Ids without any conversion, for tracked files; others are only tried, and have `null`. */
async function unconvertedIds(
  tree: WorkingTree,
  files: readonly OrdinaryFile[],
): Promise<Map<OrdinaryFile, string | null>> {
  const { session, root, place } = tree;
  const ids = new Map<OrdinaryFile, string | null>();
  const turn = turns();
  for (const file of files) {
    await turn();
    await noting(session, root, async () => {
      if (file.recorded === null) {
        assertReadable(root.path, file.key);
        ids.set(file, null);
        return;
      }
      const hash = blobHash(place.objectFormat, file.state.size);
      ids.set(file, await hashFile(root.path, file.key, file.state, hash));
    });
  }
  return ids;
}

/** Ids after the conversions that git does by itself, in the order of the files. */
async function convertedIds(
  { runGit, root }: WorkingTree,
  files: readonly OrdinaryFile[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const input = Buffer.from(files.map(({ key }) => `${quotedKey(key)}\n`).join(""), "latin1");
  const { exitCode, stdout } = await runGit(["hash-object", "--stdin-paths"], {
    cwd: root.path,
    input,
  });
  const ids = stdout.toString("latin1").split("\n").slice(0, -1);
  if (exitCode === 0 && ids.length === files.length) return ids;
  // git stops at the first file that it can't read, which could be read a moment ago.
  const failed = files[ids.length];
  const isSame = failed === undefined || isUnchanged(root.path, failed);
  throw new ReadingStopped(isSame ? "git-failed" : "changed-while-read", failed?.key ?? null);
}
