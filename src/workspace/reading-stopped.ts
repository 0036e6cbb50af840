import type { PathKey } from "./path-key.ts";
import type { UnavailableReason } from "./port.ts";

/** Something that keeps a reading from having a digest. */
export type Problem = { readonly key: PathKey | null; readonly reason: UnavailableReason };

/** Ends a reading before its end; the workspace turns it into an answer and throws it at nobody. */
export class ReadingStopped extends Error {
  readonly problem: Problem;

  constructor(reason: UnavailableReason, key: PathKey | null = null) {
    super(`The working tree can't be read: ${reason}.`);
    this.name = "ReadingStopped";
    this.problem = { key, reason };
  }
}
