import { expect, test } from "vitest";
import { expectTypedWhenCallsFail, FAILURES, whyNoFailingCalls } from "./failing-calls.ts";
import type { OperationName } from "./operations.ts";

/** One of each kind; the others go the same ways. */
const NAMES: readonly OperationName[] = [
  "append three events",
  "make a journal",
  "export to a new file",
];

test.for(NAMES)(
  "when any system call that writes fails or is the last, this is done or not, and it is said: %s",
  async (operation, { skip }) => {
    const why = whyNoFailingCalls();
    if (why !== null) skip(why);
    const counts: string[] = [];
    const waiting = [...FAILURES];
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const failed = await expectTypedWhenCallsFail(operation, ...next);
        if (failed > 0) counts.push(`${failed} of ${next.join(" ")}`);
      }
    };
    await Promise.all([lane(), lane()]);
    console.info(`${operation}: ${counts.join(", ")}`);
    expect(counts.length).toBeGreaterThan(0);
  },
);
