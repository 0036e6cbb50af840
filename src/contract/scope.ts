import { Minimatch, minimatch } from "minimatch";

/** Brace expansion multiplies, and comments and negation change what an entry means: all are off. */
const MATCHING = { dot: true, nobrace: true, nocomment: true, nonegate: true } as const;

const EVERYTHING = new Set(["", ".", "**", "**/*"]);

/** What is wrong with a scope entry in one clause, or null. Entries are relative to the project. */
export function scopeEntryProblem(entry: string): string | null {
  if (entry.trim() === "") return "it is empty";
  if (entry.includes("\0")) return "it holds a NUL character";
  if (entry.includes("\\")) return "it holds a backslash; folders are separated by /";
  if (entry.startsWith("/") || /^[A-Za-z]:/.test(entry)) return "it is an absolute path";
  if (entry.split("/").includes("..")) return "it leads out of the project by ..";
  return null;
}

/**
 * Whether a path lies in a scope entry: everything, a glob, or an exact path, which also covers
 * what is below it.
 *
 * @param path relative to the project folder, with forward slashes
 */
export function entryCovers(entry: string, path: string): boolean {
  const plain = plainOf(entry);
  if (EVERYTHING.has(plain)) return true;
  if (path === plain || path.startsWith(`${plain}/`)) return true;
  return minimatch(path, plain, MATCHING);
}

/** What an entry stands for in a project with these paths. */
type Resolved =
  | { readonly entry: string; readonly isFound: boolean }
  /** A bare name that several files have. */
  | { readonly candidates: readonly string[] };

/**
 * The name of a file alone stands for that file, wherever it is, as long as there is one of this name.
 * Whatever else is found nowhere stays as it is, and may be made by the task.
 *
 * @param paths of all files, relative to the project folder
 */
export function resolvedEntry(entry: string, paths: readonly string[]): Resolved {
  const plain = plainOf(entry);
  if (EVERYTHING.has(plain)) return { entry, isFound: true };
  if (paths.some((path) => path === plain || path.startsWith(`${plain}/`))) {
    return { entry, isFound: true };
  }
  const glob = new Minimatch(plain, MATCHING);
  if (glob.hasMagic()) return { entry, isFound: paths.some((path) => glob.match(path)) };
  if (plain.includes("/")) return { entry, isFound: false };
  const candidates = paths.filter((path) => path.endsWith(`/${plain}`));
  const [only] = candidates;
  if (only === undefined) return { entry, isFound: false };
  return candidates.length === 1 ? { entry: only, isFound: true } : { candidates };
}

/** Paths that no project is likely to have: who covers one of them covers about everything. */
const UNLIKELY = ["zq", ".zq", "7_zq", "ÄZQ"].flatMap((name) =>
  [1, 2, 3, 4].map((depth) => Array.from({ length: depth }, () => name).join("/")),
);

/** Whether a scope is about some of the project: it covers no path of whatever name. */
export function isBounded(scope: readonly string[]): boolean {
  return !scope.some((entry) => UNLIKELY.some((path) => entryCovers(entry, path)));
}

/**
 * Whether an entry surely covers nothing but what one of the others covers. One without a glob also
 * covers what is below it, unless it is a file.
 */
export function isNarrower(
  entry: string,
  others: readonly string[],
  isFile: (path: string) => boolean,
): boolean {
  const plain = plainOf(entry);
  return others.map(plainOf).some((other) => {
    if (EVERYTHING.has(other) || other === plain) return true;
    if (EVERYTHING.has(plain)) return false;
    const folder = other.replace(/(?:\/\*\*)+$/, "");
    if (!hasMagic(folder)) return plain.startsWith(`${folder}/`);
    return isFile(plain) && minimatch(plain, other, MATCHING);
  });
}

const plainOf = (entry: string) => entry.replace(/^\.\//, "").replace(/\/$/, "");

/** Whether any character may stand for others: more than the matcher takes for a pattern. */
const hasMagic = (entry: string) => /[*?[\](){}!+@|]/.test(entry);

export interface Bounds {
  readonly scope: readonly string[];
  readonly outOfScope: readonly string[];
  readonly protectedPaths: readonly string[];
}

/** Whether a task with these bounds may change a path (relative to the project folder). */
export function isInScope(bounds: Bounds, path: string): boolean {
  const covers = (entry: string) => entryCovers(entry, path);
  return (
    !path.startsWith("../") &&
    bounds.scope.some(covers) &&
    !bounds.outOfScope.some(covers) &&
    !bounds.protectedPaths.some(covers)
  );
}
