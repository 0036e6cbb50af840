import { type Contract, entryCovers } from "../contract/index.ts";
import { FOCUSED_FILES_MAX } from "./limits.ts";
import type { CriterionGraph } from "./schemas.ts";

/** Which files there are, and which were seen to matter, oldest first; relative to the project folder. */
interface Files {
  readonly paths: readonly string[];
  readonly observed: readonly string[];
}

/**
 * The files to look at first: those that the criteria point to, in the graph's order and for each
 * criterion in the order of its hints; then those that were seen to matter, newest first. None twice,
 * and none that the task protects. It is advice: it grants nothing and says nothing of what holds.
 *
 * @param limit at most `FOCUSED_FILES_MAX`
 */
export function focusedFiles(
  { nodes, order }: CriterionGraph,
  { protectedPaths }: Pick<Contract, "protectedPaths">,
  { paths, observed }: Files,
  limit: number,
): readonly string[] {
  const isOpen = (path: string) => !protectedPaths.some((entry) => entryCovers(entry, path));
  const hints = order.flatMap((id) => nodes.find((node) => node.id === id)?.targetHints ?? []);
  const focused = new Set<string>();
  const isFull = () => focused.size >= Math.min(limit, FOCUSED_FILES_MAX);
  const sorted = paths.toSorted();
  for (const hint of new Set(hints)) {
    for (const path of sorted) {
      if (isFull()) return [...focused];
      if (entryCovers(hint, path) && isOpen(path)) focused.add(path);
    }
  }
  for (const path of observed.toReversed()) {
    if (isFull()) break;
    if (isOpen(path)) focused.add(path);
  }
  return [...focused];
}
