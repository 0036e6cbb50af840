import { GIT_PATH_ARGUMENTS_MAX } from "../limits.ts";
import { keyOfBytes, type PathKey, utf8OfKey } from "../path-key.ts";
import { ReadingStopped } from "../reading-stopped.ts";
import type { RunGit } from "./command.ts";
import type { GitSettings } from "./settings.ts";

/**
 * What becomes of the line ends of a tracked file when git takes it in.
 *
 * - `convertible`: CRLF becomes LF
 * - `kept`: nothing, since the recorded text has CRLF already and git then leaves it so
 * - `mixed`: git would even out lines that end differently; no checkout gives them back, so the file
 *   is not what is recorded and counts by its bytes
 *
 * @see gitattributes(5), text
 */
export type LineEnds = "convertible" | "kept" | "mixed";

/** For files that a conversion would change. Paths that are not UTF-8 are left out: `convertible`. */
export async function lineEndsOf(
  runGit: RunGit,
  top: string,
  keys: readonly PathKey[],
  settings: GitSettings,
): Promise<ReadonlyMap<PathKey, LineEnds>> {
  const paths = keys.map(utf8OfKey).filter((path) => path !== null);
  const found = new Map<PathKey, LineEnds>();
  for (let at = 0; at < paths.length; at += GIT_PATH_ARGUMENTS_MAX) {
    const some = paths.slice(at, at + GIT_PATH_ARGUMENTS_MAX).map((path) => `:(literal)${path}`);
    const { exitCode, stdout } = await runGit(["ls-files", "--eol", "-z", "--", ...some], {
      cwd: top,
    });
    if (exitCode !== 0) throw new ReadingStopped("git-failed");
    for (const [key, lineEnds] of parseLineEnds(stdout, settings)) found.set(key, lineEnds);
  }
  return found;
}

const LINE = /^i\/(\S*) +w\/(\S*) +attr\/([^\t]*?) *\t(.*)$/s;

function parseLineEnds(output: Buffer, settings: GitSettings): [PathKey, LineEnds][] {
  return keyOfBytes(output)
    .split("\0")
    .map((line) => line.match(LINE))
    .filter((match) => match !== null)
    .map(([, recorded = "", working = "", attribute = "", key = ""]) => {
      const isAutomatic =
        attribute.startsWith("text=auto") || (attribute === "" && settings.convertsByDefault);
      if (isAutomatic && (recorded === "crlf" || recorded === "mixed")) return [key, "kept"];
      return [key, working === "mixed" ? "mixed" : "convertible"];
    });
}
