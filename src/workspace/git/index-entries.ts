import { entryOf, entryOfObject, type SortedEntries } from "../entries.ts";
import { isWithin, type PathKey } from "../path-key.ts";

/** What the index holds, as `git ls-files -s -v -z` tells it. */
export type IndexEntries = {
  /** The entries without conflict. Submodules are among them with the commit that is recorded. */
  readonly entries: SortedEntries;
  /** Flagged assume-unchanged or skip-worktree: `git status` says nothing about them. */
  readonly hidden: readonly HiddenPath[];
  readonly submodules: readonly PathKey[];
};

export type HiddenPath = {
  readonly key: PathKey;
  /** Absent from the working tree by design, as in a sparse checkout. */
  readonly mayBeAbsent: boolean;
};

export const INDEX_ARGUMENTS = ["ls-files", "-s", "-v", "-z"] as const;

const [NUL, TAB, SPACE, STAGE_ZERO] = [0x00, 0x09, 0x20, 0x30];
/** Bytes before the object id: the tag, a space, six digits of mode, a space. */
const ID_AT = 9;
/** The shortest line is longer, so this bounds how many lines there are. */
const LINE_BYTES_MIN = 50;
/** How much longer a record can be than its line. */
const RECORD_GROWTH = 4;

/**
 * Reads lines of the form `TAG MODE ID STAGE TAB PATH NUL`, sorted by path as git keeps them.
 *
 * @param leftOut a folder whose entries are dropped, `null` for none
 * @see git-ls-files(1) on -s and -v
 */
export function parseIndex(output: Buffer, leftOut: PathKey | null): IndexEntries {
  const hidden: HiddenPath[] = [];
  const submodules: PathKey[] = [];
  const linesMax = Math.ceil(output.length / LINE_BYTES_MIN);
  const bytes = Buffer.allocUnsafe(output.length + RECORD_GROWTH * linesMax);
  const starts = new Uint32Array(linesMax + 1);
  let count = 0;
  let written = 0;

  for (let start = 0; start < output.length; ) {
    const idEnd = output.indexOf(SPACE, start + ID_AT);
    const pathStart = output.indexOf(TAB, idEnd) + 1;
    const end = output.indexOf(NUL, pathStart);
    const tag = output.toString("latin1", start, start + 1);
    const mode = output.toString("latin1", start + 2, start + ID_AT - 1);
    const lineStart = start;
    start = end + 1;
    if (output[idEnd + 1] !== STAGE_ZERO) continue;

    const isSubmodule = mode === "160000";
    const isHidden = tag !== "H";
    if (isSubmodule || isHidden || leftOut !== null) {
      const key = output.toString("latin1", pathStart, end);
      if (leftOut !== null && isWithin(key, leftOut)) continue;
      if (isSubmodule) submodules.push(key);
      else if (isHidden) hidden.push({ key, mayBeAbsent: tag.toUpperCase() === "S" });
    }
    written += output.copy(bytes, written, pathStart, end + 1);
    const entry = entryOfObject(mode, "") ?? entryOf(mode, "blob", "");
    written += bytes.write(entry, written, "latin1");
    written += output.copy(bytes, written, lineStart + ID_AT, idEnd);
    bytes[written] = NUL;
    written += 1;
    count += 1;
    starts[count] = written;
  }

  const entries = { bytes: bytes.subarray(0, written), starts: starts.slice(0, count + 1) };
  return { entries, hidden, submodules };
}
