import { HoldfastError } from "./errors.ts";

/** better-sqlite3 crashes the whole process on an older Node, so this is asked before it is loaded. */
const NODE_MIN = [22, 19] as const;

/** @throws HoldfastError `runtime/node-too-old` */
export function assertNodeVersion(version: string): void {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  throw new HoldfastError(
    "runtime/node-too-old",
    `Holdfast needs Node ${NODE_MIN.join(".")} or newer, and this is ${version}.`,
    "Run it with a newer Node, for instance: npx -p node@24 -p holdfast holdfast …",
  );
}
