import { writeSync } from "node:fs";
import process from "node:process";

/** Ends this process the hard way: nothing is flushed, rolled back or said. */
export function die(): never {
  process.kill(process.pid, "SIGKILL");
  for (;;); // Until the signal arrives.
}

/** Straight to the pipe, so that what was said before a kill has been said. */
export function say(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(1, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error; // The pipe is full.
    }
  }
}
