import { entryOfObject } from "../entries.ts";
import type { PathKey } from "../path-key.ts";
import type { TreeEntryDigest } from "../port.ts";

/** What `git status` says about a working tree. */
export type GitStatus = {
  readonly commit: string | null;
  readonly branch: string | null;
  /** What HEAD holds at each path that is listed, `null` where it holds nothing. */
  readonly head: ReadonlyMap<PathKey, TreeEntryDigest | null>;
  /** Files whose content or mode may differ from the index; a look at them decides. */
  readonly changed: readonly PathKey[];
  readonly deleted: readonly PathKey[];
  readonly untracked: readonly PathKey[];
  /** Untracked folders that are repositories of their own. */
  readonly repositories: readonly PathKey[];
  /** Files and folders that git could not look at. */
  readonly unreadable: readonly PathKey[];
};

export const STATUS_ARGUMENTS = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--no-ahead-behind",
  "--no-renames",
  "--untracked-files=all",
  "--ignored=no",
  "--ignore-submodules=dirty",
] as const;

/** Reads the records of `git status --porcelain=v2 -z`. @see git-status(1), Porcelain Format Version 2 */
export function parseStatus(stdout: Buffer, stderr: string): GitStatus {
  const status = {
    commit: null as string | null,
    branch: null as string | null,
    head: new Map<PathKey, TreeEntryDigest | null>(),
    changed: [] as PathKey[],
    deleted: [] as PathKey[],
    untracked: [] as PathKey[],
    repositories: [] as PathKey[],
    unreadable: unreadablePaths(stderr),
  };
  for (const record of stdout.toString("latin1").split("\0")) {
    const fields = record.split(" ");
    switch (record.charAt(0)) {
      case "#":
        if (fields[1] === "branch.oid") status.commit = named(fields[2], "(initial)");
        if (fields[1] === "branch.head") status.branch = branchName(fields.slice(2).join(" "));
        break;
      case "1": {
        const [, states = "", , headMode = "", , , headId = ""] = fields;
        const key = fields.slice(8).join(" ");
        status.head.set(key, entryOfObject(headMode, headId));
        if (states[1] === "D") status.deleted.push(key);
        else if (states[1] !== ".") status.changed.push(key);
        break;
      }
      case "u": {
        // Stage 2 of a conflict is what HEAD holds.
        const [, , , , ourMode = "", , , , ourId = ""] = fields;
        const key = fields.slice(10).join(" ");
        status.head.set(key, entryOfObject(ourMode, ourId));
        status.changed.push(key);
        break;
      }
      case "?": {
        const key = record.slice(2);
        if (key.endsWith("/")) status.repositories.push(key.slice(0, -1));
        else status.untracked.push(key);
        break;
      }
    }
  }
  return status;
}

function named(value: string | undefined, none: string): string | null {
  return value === undefined || value === none ? null : value;
}

function branchName(latin1: string): string | null {
  return named(Buffer.from(latin1, "latin1").toString("utf8"), "(detached)");
}

const FAILURES =
  "Permission denied|Operation not permitted|Input/output error|Stale file handle|Too many levels of symbolic links|File name too long";
const UNREADABLE_FOLDER = new RegExp(`^warning: could not open directory '(.*)': (?:${FAILURES})$`);
const UNREADABLE_FILE = new RegExp(`^(?:error: )?(.*): (?:${FAILURES})$`);

/** git goes on without what it can't look at and says so only here, so that would be missing in silence. */
function unreadablePaths(stderr: string): PathKey[] {
  const paths: PathKey[] = [];
  for (const line of stderr.split("\n")) {
    if (line.startsWith("warning: unable to access ")) continue; // a settings file of git
    const path = line.match(UNREADABLE_FOLDER)?.[1] ?? line.match(UNREADABLE_FILE)?.[1];
    if (path !== undefined)
      paths.push(Buffer.from(path.replace(/\/$/, ""), "utf8").toString("latin1"));
  }
  return paths;
}
