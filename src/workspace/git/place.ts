import { existsSync } from "node:fs";
import path from "node:path";
import type { GitOutput, RunGit } from "./command.ts";

/** The place that a folder has in a git repository. */
export type GitPlace = {
  /** The top of the working tree: an absolute real path. */
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
  /** The folder relative to the top, empty at the top. */
  readonly folder: string;
  /** `main` or the git name of the linked working tree. */
  readonly name: string;
  readonly objectFormat: "sha1" | "sha256";
};

export type Placement =
  | { readonly kind: "git"; readonly place: GitPlace }
  /** In no working tree, or in one that ignores the whole folder. */
  | { readonly kind: "none" }
  /** git declines to work here. */
  | { readonly kind: "refused" };

const PLACE_ARGUMENTS = [
  "rev-parse",
  "--path-format=absolute",
  ...["--git-dir", "--git-common-dir", "--show-toplevel", "--show-prefix", "--show-object-format"],
];

/** Asks git where a folder stands. `folder` is an absolute real path. */
export async function placeOf(runGit: RunGit, folder: string): Promise<Placement> {
  const [output, isIgnored] = await Promise.all([
    runGit(PLACE_ARGUMENTS, { cwd: folder }),
    isIgnoredFolder(runGit, folder),
  ]);
  if (output.exitCode !== 0)
    return isNoWorkingTree(output) ? { kind: "none" } : { kind: "refused" };

  const lines = output.stdout.toString("utf8").split("\n");
  const [gitDir, commonDir, top, prefix, objectFormat, ...rest] = lines;
  const isWhole = rest.length === 1 && rest[0] === ""; // a newline in a path would add a line
  if (!isWhole || !gitDir || !commonDir || !top || prefix === undefined) return { kind: "refused" };
  if (objectFormat !== "sha1" && objectFormat !== "sha256") return { kind: "refused" };
  if (prefix !== "" && isIgnored) return { kind: "none" };

  const name = placeName(gitDir, commonDir);
  const inTop = prefix.replace(/\/$/, "");
  return { kind: "git", place: { top, gitDir, commonDir, folder: inTop, name, objectFormat } };
}

function isNoWorkingTree({ stderr }: GitOutput): boolean {
  return /not a git repository|must be run in a work tree/.test(stderr);
}

/** A project that the repository around it ignores would have no file in its digest. */
async function isIgnoredFolder(runGit: RunGit, folder: string): Promise<boolean> {
  const { exitCode } = await runGit(["check-ignore", "--quiet", "."], { cwd: folder });
  return exitCode === 0;
}

/** Linked trees that have the name of another place are told apart by a mark that git allows in no name. */
function placeName(gitDir: string, commonDir: string): string {
  if (path.dirname(gitDir) !== path.join(commonDir, "worktrees")) return "main";
  const name = path.basename(gitDir);
  return name === "main" || name === "folder" ? `linked:${name}` : name;
}

const OPERATIONS = [
  ["rebase-merge", "rebase"],
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

/** What git is in the middle of in a working tree. @see gitrepository-layout(5) */
export function operationIn(gitDir: string): string | null {
  return OPERATIONS.find(([file]) => existsSync(path.join(gitDir, file)))?.[1] ?? null;
}
