import type { CommandEnd, Verdict } from "./schemas.ts";

/**
 * What the end of a command shows. Only a clean exit with code 0 is a pass, and only a clean exit
 * with another code is a failure; everything else says nothing about the project.
 */
export function verdictOf(end: CommandEnd): {
  readonly verdict: Verdict;
  readonly reason: string | null;
} {
  const inconclusive = (reason: string) => ({ verdict: "inconclusive", reason }) as const;
  if (end.timedOut) return inconclusive("timed-out");
  if (end.aborted) return inconclusive("aborted");
  if (end.signal !== null) {
    return inconclusive(end.exitCode === 0 ? "contradictory" : `signal:${end.signal}`);
  }
  if (end.exitCode === null) return inconclusive("no-exit-code");
  return { verdict: end.exitCode === 0 ? "pass" : "fail", reason: null };
}

/** Commands that end well whatever the project does, print, or only show files. */
const NO_CHECK = new Set([
  ":",
  "cat",
  "cd",
  "dir",
  "echo",
  "exit",
  "false",
  "find",
  "grep",
  "head",
  "less",
  "ls",
  "more",
  "printf",
  "pwd",
  "rg",
  "sleep",
  "stat",
  "tail",
  "true",
  "wc",
  "which",
]);

/** Whether a command checks something, so that its success can speak for a criterion. */
export function isCheck(command: string): boolean {
  const program = command.trim().split(/\s/, 1)[0] ?? "";
  return program !== "" && !NO_CHECK.has(program.split("/").at(-1) ?? "");
}
