/**
 * What is at one path, as `MODE KIND ID` in ASCII, for example `100644 blob <hex>`.
 *
 * `docs/working-tree.md` lists the kinds and what their ids are made of.
 */
export type TreeEntryDigest = string;

/** Why a digest could not be made. Stable: programs branch on it. */
export type UnavailableReason =
  /** The file exists and can't be read. */
  | "unreadable"
  /** It changed each time while it was read. */
  | "changed-while-read"
  /** Neither a file, a symbolic link nor a folder. */
  | "not-a-file"
  /** More files, bytes, folders or repositories than `limits.ts` allows. */
  | "incomplete"
  /** The project folder is gone. */
  | "folder-missing"
  /** The state folder is the project or contains it, so nothing would be left to read. */
  | "inside-state-folder"
  /** git is there but declines this repository: owned by someone else, damaged, of an unknown format. */
  | "git-refused"
  | "git-failed"
  | "git-timeout"
  /** A content filter whose name git can't search for. */
  | "filter-unsupported"
  /** A nested repository at a path that is not UTF-8. */
  | "path-unsupported"
  /** The given base is no commit of this repository: `dirty` is empty and counts as truncated. */
  | "base-missing";

export type Unavailable = { readonly path: string | null; readonly reason: UnavailableReason };

/** One look at the working tree that contains the project folder. Holds no absolute path. */
export type TreeReading = {
  /** `main`, the git name of a linked working tree, or `folder` without git. */
  readonly place: string;
  /** The project folder relative to the top of the working tree; empty at the top. */
  readonly folder: string;
  readonly method: "git" | "folder";
  /** 64 hex characters over the content; `null` when it could not be read as a whole. */
  readonly digest: string | null;
  /** Why `digest` is `null`, or `base-missing`; at most `UNAVAILABLE_MAX`. */
  readonly unavailable: readonly Unavailable[];
  /** The commit that is checked out. */
  readonly commit: string | null;
  readonly branch: string | null;
  /** `rebase`, `am`, `merge`, `cherry-pick`, `revert` or `bisect` while one is under way. */
  readonly operation: string | null;
  /** Each path whose content differs from `base`, or each path at all without one; `null` is deleted. */
  readonly dirty: Readonly<Record<string, TreeEntryDigest | null>>;
  /** The commit that `dirty` is relative to; `null` is the empty tree. */
  readonly base: string | null;
  /** `dirty` is not the whole list: more than `DIRTY_PATHS_MAX`, or `base-missing`. */
  readonly dirtyTruncated: boolean;
  /** All paths, in no particular order, where they were asked for; left out where they are not known or too many. */
  readonly paths?: readonly string[];
};

export type ReadOptions = {
  /**
   * What `dirty` is relative to: a commit id, or `null` for the empty tree, as a reading without
   * any commit says itself. Default: the commit that is checked out.
   */
  readonly base?: string | null | undefined;
  /** Whether all paths are to be listed. */
  readonly paths?: boolean;
};

/** The working tree, as the engine sees it. */
export interface Workspace {
  /** Reads the tree and writes nothing to it. What can't be read is said in the reading, never thrown. */
  read(options?: ReadOptions): Promise<TreeReading>;

  /**
   * `sha256:` and 64 hex characters over the raw bytes of one file.
   *
   * @param path relative to the project folder, or absolute within it
   * @returns `null` if it is no readable ordinary file of the project, or a link leads out of it
   */
  fileDigest(path: string): Promise<string | null>;

  /**
   * The text of one file.
   *
   * @param path relative to the project folder
   * @returns `null` if it is no ordinary file of the project, larger than `bytesMax`, or no UTF-8 text
   */
  readText(path: string, bytesMax: number): Promise<string | null>;
}
