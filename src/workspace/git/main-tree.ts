import path from "node:path";
import { realPath, type WorkingTrees } from "../../state-folder/index.ts";
import { ReadingStopped } from "../reading-stopped.ts";
import { findGit, gitRunner } from "./command.ts";
import { findLayout, type GitLayout } from "./layout.ts";

/** The tops of the working trees around a folder, an absolute real path; `null` without git. */
export async function workingTreesOf(folder: string): Promise<WorkingTrees | null> {
  const layout = findLayout(folder);
  if (layout === null) return null;
  return { top: layout.top, main: (await mainTop(layout)) ?? layout.top };
}

/**
 * The top of the main working tree, `null` where there is none: beside a bare repository, or where
 * it was moved without telling git.
 */
async function mainTop(layout: GitLayout): Promise<string | null> {
  if (!layout.linked) return layout.top;
  const commonDir = realPath(layout.commonDir);
  if (commonDir === null || path.basename(commonDir) !== ".git") return null;
  const top = path.dirname(commonDir);
  return (await isWorkingTree(top)) ? top : null;
}

/** Whether git works in a folder as the top of a working tree, and not as the home of a bare repository. */
async function isWorkingTree(top: string): Promise<boolean> {
  const program = findGit(process.env.PATH);
  if (program === null) return findLayout(top)?.top === top;
  try {
    const runGit = gitRunner(program, process.env);
    const { exitCode, stdout } = await runGit(["rev-parse", "--show-toplevel"], { cwd: top });
    return exitCode === 0 && stdout.toString("utf8") === `${top}\n`;
  } catch (error) {
    if (error instanceof ReadingStopped) return false;
    throw error;
  }
}
