import { spawnSync } from "node:child_process";
import process from "node:process";
import tty from "node:tty";

/**
 * How a command stands to the terminal.
 *
 * - `own`: in a session and process group of its own, so that a signal reaches all that it started
 * - `shared`: in ours, because its stdin is the terminal: only so do Ctrl-C, Ctrl-Z, password
 *   prompts and full-screen programs work as without Holdfast. The terminal sends its signals to
 *   the whole group, so they are not sent a second time.
 */
export type Grouping = "own" | "shared";

export function groupingForStdin(): Grouping {
  return tty.isatty(0) ? "shared" : "own";
}

/** Sends a signal to a command and all that it started. What has ended meanwhile is left out. */
export function signalAll(pid: number, grouping: Grouping, signal: NodeJS.Signals): void {
  const receivers = grouping === "own" ? [-pid] : familyOf(pid);
  for (const receiver of receivers) send(receiver, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

/** A process with its descendants, parents first. Without a `ps` program the process alone. */
function familyOf(pid: number): readonly number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = (stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const family = [pid];
  for (const parent of family) {
    for (const [child, of] of pairs) if (of === parent && child !== undefined) family.push(child);
  }
  return family;
}
