import { setTimeout as pause } from "node:timers/promises";
import { TURN_MS, YIELD_MS } from "./limits.ts";

/**
 * Keeps one process with a backlog from shutting the others out. SQLite's lock has no queue: whoever
 * locks again right after each commit may win for seconds. So a writer that has gone on without a
 * break for a turn leaves the lock alone for a moment that is longer than the others' pauses.
 */
export class Turn {
  #beganAt = Number.NEGATIVE_INFINITY;
  #lastCommitAt = Number.NEGATIVE_INFINITY;

  /** Before the lock is taken. Null, not a promise, where nothing is to be waited for. */
  before(): Promise<void> | null {
    const now = performance.now();
    if (now - this.#lastCommitAt >= YIELD_MS) this.#beganAt = now;
    if (now - this.#beganAt < TURN_MS) return null;
    return pause(YIELD_MS).then(() => {
      this.#beganAt = performance.now();
    });
  }

  /** After a commit. */
  committed(): void {
    this.#lastCommitAt = performance.now();
  }
}
