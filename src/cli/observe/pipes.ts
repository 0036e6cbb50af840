import { spawnSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import type { OutputCapture } from "./captured-output.ts";

/**
 * How long after a command's end its output is waited for, in milliseconds without a byte: what it
 * left running in the background may keep the pipes open for ever.
 */
const QUIET_MS = 500;

/** How long it is waited for in all: something in the background may print for ever. */
const BACKGROUND_MS = 5_000;

/** Both ends of a pipe; the command's is to be closed once the command has it. */
interface NamedPipe {
  readonly readEnd: number;
  readonly writeEnd: number;
}

/**
 * Makes real pipes for a command's output; null where that can't be done.
 *
 * What Node calls a pipe is a socket, and a socket can't be opened again under the name
 * `/dev/stderr`, so that a script that prints there would fail only because it is watched.
 */
export function makePipes(names: readonly string[]): readonly NamedPipe[] | null {
  let folder: string;
  try {
    folder = mkdtempSync(path.join(os.tmpdir(), "holdfast-pipes-"));
  } catch {
    return null; // No place for them.
  }
  try {
    const files = names.map((name) => path.join(folder, name));
    if (spawnSync("mkfifo", ["-m", "600", ...files]).status !== 0) return null;
    return files.map((file) => ({
      // Opened without waiting for a writer; the writer's end is opened apart and does wait.
      readEnd: openSync(file, constants.O_RDONLY | constants.O_NONBLOCK),
      writeEnd: openSync(file, constants.O_WRONLY),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function closeWriteEnds(pipes: readonly NamedPipe[] | null): void {
  for (const { writeEnd } of pipes ?? []) closeSync(writeEnd);
}

export function readerOf({ readEnd }: NamedPipe): Readable {
  return new net.Socket({ fd: readEnd, readable: true, writable: false });
}

/** Passes what comes out of one pipe on and keeps what the record needs of it. */
export class Passage {
  readonly #source: Readable;
  readonly #ended: Promise<void>;
  #isBlocked = false;
  #chunks = 0;

  constructor(source: Readable, target: NodeJS.WriteStream, capture: OutputCapture) {
    this.#source = source;
    this.#ended = new Promise((resolve) => source.once("close", resolve));
    // Nobody reads our output any more: the command gets to feel it as it would without us.
    const stop = () => source.destroy();
    target.once("error", stop);
    source.once("close", () => target.off("error", stop));
    source.once("error", stop);
    source.on("data", (chunk: Buffer) => {
      this.#chunks++;
      capture.add(chunk);
      if (target.write(chunk)) return;
      this.#isBlocked = true;
      source.pause();
      target.once("drain", () => {
        this.#isBlocked = false;
        source.resume();
      });
    });
  }

  /** Resolves at its end, when it stays quiet although all was taken from it, or after a while. */
  async emptied(): Promise<void> {
    const deadline = performance.now() + BACKGROUND_MS;
    while (this.#isBlocked || performance.now() < deadline) {
      const before = this.#chunks;
      if (await this.#endsWithin(QUIET_MS)) return;
      if (this.#chunks === before && !this.#isBlocked) break;
    }
    this.#source.destroy();
  }

  async #endsWithin(waitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const quiet = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), waitMs);
    });
    try {
      return await Promise.race([this.#ended.then(() => true as const), quiet]);
    } finally {
      clearTimeout(timer);
    }
  }
}
