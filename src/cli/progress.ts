import process from "node:process";

/** For how long a call says nothing, and how often it says something then, in milliseconds. */
const SILENT_MS = 1_000;
const EVERY_MS = 100;

export interface Progress {
  readonly told: (done: number) => void;
  /** Takes the line away again. */
  readonly end: () => void;
}

/** One line on stderr that says how far a long call is; only on a terminal. */
export function progressOf(what: string, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { told: () => {}, end: () => {} };
  let nextMs = performance.now() + SILENT_MS;
  let isShown = false;
  return {
    told: (done) => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + EVERY_MS;
      isShown = true;
      stream.write(`\r${done.toLocaleString("en")} ${what}`);
    },
    // From the line's beginning, clear to its end. @see ECMA-48 §8.3.41 (EL)
    end: () => void (isShown && stream.write("\r\u001b[K")),
  };
}
