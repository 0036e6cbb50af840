import { spawnSync } from "node:child_process";
import process from "node:process";
import { temporaryFolder } from "../journal-sqlite/makers.ts";

/** Runs a command that may mount disks, which nobody else sees and which are gone with it. */
export const WITH_OWN_DISKS =
  process.getuid?.() === 0 ? ["unshare", "-m"] : ["unshare", "-r", "-m"];

/** Null where this system lets a test mount disks, else why it does not. */
export function whyNoOwnDisks(): string | null {
  const [command = "", ...args] = WITH_OWN_DISKS;
  const mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", temporaryFolder()];
  const { status, stderr, error } = spawnSync(command, [...args, ...mount], { encoding: "utf8" });
  return status === 0 ? null : `No disk can be mounted here: ${error?.message ?? stderr.trim()}`;
}
