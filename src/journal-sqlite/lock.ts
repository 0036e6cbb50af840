import { setTimeout as pause } from "node:timers/promises";
import { busy, isBusy } from "./failures.ts";
import { LOCK_RETRY_MS } from "./limits.ts";

/**
 * Repeats `attempt` with short random pauses until nobody else holds the lock that it needs; the
 * event loop goes on meanwhile.
 *
 * Gives a value, not a promise, where the first attempt finds nobody holding it.
 *
 * Reading needs this too: a process that closes the journal as the last one, or puts it in order
 * after a crash, holds everyone else off for a moment.
 *
 * @throws HoldfastError `journal/busy`
 */
export function whenFree<T>(file: string, waitMs: number, attempt: () => T): T | Promise<T> {
  try {
    return attempt();
  } catch (error) {
    if (!isBusy(error)) throw error;
    return onceFree(file, waitMs, attempt);
  }
}

async function onceFree<T>(file: string, waitMs: number, attempt: () => T): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    await pause(LOCK_RETRY_MS.min + Math.random() * (LOCK_RETRY_MS.max - LOCK_RETRY_MS.min));
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadline) throw busy(file, error);
    }
  }
}
