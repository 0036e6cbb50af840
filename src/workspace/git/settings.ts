import type { PathKey } from "../path-key.ts";
import { ReadingStopped } from "../reading-stopped.ts";
import type { RunGit } from "./command.ts";

/** The part of git's configuration that decides how files are read. */
export type GitSettings = {
  /** The content filters that are configured, and would be run. */
  readonly filters: readonly string[];
  /** Whether the file system's executable bit means anything. */
  readonly fileMode: boolean;
  /** Whether links are checked out as links. */
  readonly symlinks: boolean;
  /** Whether text files without an attribute get their line ends converted. */
  readonly convertsByDefault: boolean;
  /** Changes with any of these settings. */
  readonly text: string;
};

/** Reads the settings anew each time: a filter that was configured a moment ago must not be run. */
export async function readSettings(runGit: RunGit, top: string): Promise<GitSettings> {
  const names = "^(filter\\..*|core\\.(filemode|symlinks|autocrlf|eol|attributesfile))$";
  const { exitCode, stdout } = await runGit(["config", "-z", "--get-regexp", names], { cwd: top });
  if (exitCode > 1) throw new ReadingStopped("git-refused");
  return parseSettings(stdout.toString("utf8"));
}

/** Reads `NAME NEWLINE VALUE NUL`; a name alone means true, and the last one of a name counts. */
function parseSettings(text: string): GitSettings {
  const values = new Map<string, string>();
  for (const setting of text.split("\0").filter((line) => line !== "")) {
    const nameEnd = setting.indexOf("\n");
    if (nameEnd === -1) values.set(setting, "true");
    else values.set(setting.slice(0, nameEnd), setting.slice(nameEnd + 1));
  }
  const filters = [...values.keys()].map((name) => name.match(/^filter\.(.+)\.[^.]+$/s)?.[1]);
  const autocrlf = values.get("core.autocrlf") ?? "false";
  return {
    filters: [...new Set(filters.filter((name) => name !== undefined))],
    fileMode: isTrue(values.get("core.filemode") ?? "true"),
    symlinks: isTrue(values.get("core.symlinks") ?? "true"),
    convertsByDefault: autocrlf === "input" || isTrue(autocrlf),
    text,
  };
}

function isTrue(value: string): boolean {
  return /^(true|yes|on|[1-9][0-9]*)$/i.test(value);
}

/** Settings for one call that leave each filter without a program to run. */
export function withoutFilters({ filters }: GitSettings): string[] {
  return filters.flatMap((name) => [
    `filter.${name}.clean=`,
    `filter.${name}.smudge=`,
    `filter.${name}.process=`,
    `filter.${name}.required=false`,
  ]);
}

/** What git allows in a search for an attribute's value. @see gitglossary(7), pathspec, attr */
const SEARCHABLE = /^[A-Za-z0-9_,-]+$/;

/**
 * Tracked and untracked files that a configured filter would convert.
 *
 * @throws ReadingStopped `filter-unsupported` if git can't search for a filter of that name
 */
export async function filteredPaths(
  runGit: RunGit,
  top: string,
  settings: GitSettings,
): Promise<readonly PathKey[]> {
  if (settings.filters.length === 0) return [];
  if (!settings.filters.every((name) => SEARCHABLE.test(name))) {
    throw new ReadingStopped("filter-unsupported");
  }
  const searches = settings.filters.map((name) => `:(top,attr:filter=${name})`);
  const { exitCode, stdout } = await runGit(
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...searches],
    { cwd: top },
  );
  if (exitCode !== 0) throw new ReadingStopped("git-failed");
  const keys = stdout.toString("latin1").split("\0");
  return [...new Set(keys)].filter((key) => key !== "" && !key.endsWith("/"));
}
