import { entryOfObject } from "../entries.ts";
import type { PathKey } from "../path-key.ts";
import type { TreeEntryDigest } from "../port.ts";
import type { RunGit } from "./command.ts";

/** What a base commit holds at the paths where the index differs from it, `null` for nothing. */
export type BaseEntries = ReadonlyMap<PathKey, TreeEntryDigest | null>;

const COMMIT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Compares the index with a commit; `null` if the repository has no such commit. */
export async function baseEntries(
  runGit: RunGit,
  top: string,
  commit: string,
): Promise<BaseEntries | null> {
  if (!COMMIT_ID.test(commit)) return null;
  const options = [
    "--cached",
    "--ita-visible-in-index",
    "--raw",
    "--no-abbrev",
    "-z",
    "--no-renames",
  ];
  const { exitCode, stdout } = await runGit(
    ["diff-index", ...options, "--ignore-submodules=dirty", `${commit}^{commit}`, "--"],
    { cwd: top },
  );
  return exitCode === 0 ? parseRawDifference(stdout) : null;
}

/** Reads pairs of `:MODE MODE ID ID STATE` NUL and `PATH` NUL. @see git-diff-index(1), Raw output format */
function parseRawDifference(output: Buffer): BaseEntries {
  const base = new Map<PathKey, TreeEntryDigest | null>();
  const fields = output.toString("latin1").split("\0");
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [mode = "", , id = ""] = (fields[at] ?? "").slice(1).split(" ");
    base.set(fields[at + 1] ?? "", entryOfObject(mode, id));
  }
  return base;
}
