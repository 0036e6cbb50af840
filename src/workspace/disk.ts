import { createHash, type Hash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { setImmediate } from "node:timers/promises";
import { FILES_PER_TURN, READ_CHUNK_BYTES } from "./limits.ts";
import { bytesOfKey, type PathKey } from "./path-key.ts";
import { ReadingStopped } from "./reading-stopped.ts";

/** What a path is, without following a link at its end. */
export type DiskState = {
  readonly kind: "file" | "link" | "folder" | "other";
  readonly isExecutable: boolean;
  readonly size: number;
  /** Differs whenever the content may differ: device, inode, size, mode and both times in nanoseconds. */
  readonly stamp: string;
  /** When content or state last changed, by the file system's clock. */
  readonly changedAtMs: number;
};

const OWNER_MAY_EXECUTE = 0o100n;

/** An absolute path below a real folder. */
export function pathBelow(root: string, key: PathKey): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`, "utf8"), bytesOfKey(key)]);
}

/** @throws ReadingStopped `unreadable` if the path can't be looked at */
export function diskState(root: string, key: PathKey): DiskState | null {
  try {
    return stateOf(lstatSync(pathBelow(root, key), { bigint: true }));
  } catch (error) {
    if (isAbsence(error)) return null;
    throw new ReadingStopped("unreadable", key);
  }
}

/**
 * Looks at many paths of one tree: what lies behind a link that stands for a folder is not there,
 * as git sees it, and a folder that is missing is looked for once.
 */
export function disk(root: string): (key: PathKey) => DiskState | null {
  const folders = new Map<PathKey, boolean>();
  const isFolder = (key: PathKey): boolean => {
    const answer = folders.get(key) ?? stateBelow(key)?.kind === "folder";
    folders.set(key, answer);
    return answer;
  };
  const stateBelow = (key: PathKey): DiskState | null => {
    const nameAt = key.lastIndexOf("/");
    return nameAt === -1 || isFolder(key.slice(0, nameAt)) ? diskState(root, key) : null;
  };
  return stateBelow;
}

function stateOf(stat: BigIntStats): DiskState {
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = stat;
  return {
    kind: kindOf(stat),
    isExecutable: (mode & OWNER_MAY_EXECUTE) !== 0n,
    size: Number(size),
    stamp: [dev, ino, size, mode, mtimeNs, ctimeNs].join(":"),
    changedAtMs: Math.max(Number(stat.mtimeMs), Number(stat.ctimeMs)),
  };
}

function kindOf(stat: BigIntStats): DiskState["kind"] {
  if (stat.isFile()) return "file";
  if (stat.isSymbolicLink()) return "link";
  return stat.isDirectory() ? "folder" : "other";
}

function isAbsence(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ENOTDIR";
}

/** The text of a link, byte for byte. */
export function linkText(root: string, key: PathKey): Buffer {
  try {
    return readlinkSync(pathBelow(root, key), { encoding: "buffer" });
  } catch {
    throw new ReadingStopped("changed-while-read", key); // it was a link a moment ago
  }
}

/** A hash of SHA-256 over bytes as they are. */
export function rawHash(): Hash {
  return createHash("sha256");
}

/** A hash that gives git's id of a blob of so many bytes. @see gitdatamodel(7), Objects */
export function blobHash(objectFormat: "sha1" | "sha256", size: number): Hash {
  return createHash(objectFormat).update(`blob ${size}\0`, "latin1");
}

/**
 * The hash over one ordinary file, in hex, read in pieces and without following a link at its end.
 *
 * @throws ReadingStopped `unreadable`, or `changed-while-read` if it is not the file of `state`
 *   before or after
 */
export async function hashFile(
  root: string,
  key: PathKey,
  state: DiskState,
  hash: Hash,
): Promise<string> {
  const file = openFile(root, key);
  try {
    if (stateOf(fstatSync(file, { bigint: true })).stamp !== state.stamp) {
      throw new ReadingStopped("changed-while-read", key);
    }
    const chunk = Buffer.allocUnsafe(Math.min(READ_CHUNK_BYTES, state.size + 1));
    let count = readSync(file, chunk);
    while (count > 0) {
      hash.update(chunk.subarray(0, count));
      if (count === READ_CHUNK_BYTES) await setImmediate();
      count = readSync(file, chunk);
    }
    if (stateOf(fstatSync(file, { bigint: true })).stamp !== state.stamp) {
      throw new ReadingStopped("changed-while-read", key);
    }
    return hash.digest("hex");
  } catch (error) {
    if (error instanceof ReadingStopped) throw error;
    throw new ReadingStopped("unreadable", key);
  } finally {
    closeSync(file);
  }
}

/** Whether a file can be opened is known only by opening it. */
export function assertReadable(root: string, key: PathKey): void {
  closeSync(openFile(root, key));
}

function openFile(root: string, key: PathKey): number {
  // A pipe that took the file's place would otherwise wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return openSync(pathBelow(root, key), flags);
  } catch (error) {
    throw new ReadingStopped(isAbsence(error) ? "changed-while-read" : "unreadable", key);
  }
}

/** Gives the event loop its turn after each `FILES_PER_TURN` calls. */
export function turns(): () => Promise<void> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls % FILES_PER_TURN === 0) await setImmediate();
  };
}
