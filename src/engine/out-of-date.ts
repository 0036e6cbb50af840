import { HoldfastError } from "../errors.ts";
import { OutOfDate } from "../journal/index.ts";
import { OUT_OF_DATE_TRIES_MAX } from "./limits.ts";

/**
 * Decides on what was read of the journal, and begins again on what is stored now where that was out
 * of date.
 *
 * @throws HoldfastError `journal/busy` where it was so each time
 */
export async function decidedUpToDate<T>(
  decide: () => Promise<T>,
  catchUp: () => Promise<void>,
): Promise<T> {
  for (let tries = 1; tries <= OUT_OF_DATE_TRIES_MAX; tries++) {
    try {
      return await decide();
    } catch (error) {
      if (!(error instanceof OutOfDate)) throw error;
      await catchUp();
    }
  }
  throw new HoldfastError(
    "journal/busy",
    `Other processes changed the journal during each of ${OUT_OF_DATE_TRIES_MAX} attempts to decide on it.`,
    "Repeat the call once fewer of them write to the journal.",
  );
}
