import type { Engine } from "../src/engine/index.ts";
import type { Command } from "../src/task/index.ts";
import { STILL_DIGEST } from "./world.ts";

export const ASKING = { session: "bench" };

export const DRAFT = {
  summary: "Something to observe commands for",
  acceptanceCriteria: ["it works"],
  verifyCommands: ["npm test"],
};

const callOf = (n: number) => ({
  call: `call-${n}`,
  tool: "shell",
  command: `npm run test -- --filter part-${n % 50}`,
});

/** The n-th call is about to run. */
function requested(n: number): Command {
  return { type: "requestTool", effect: "shell", ...callOf(n) };
}

/** The n-th call was seen to end. */
export function observed(n: number): Command {
  return {
    type: "observeCommand",
    ...callOf(n),
    treeBefore: STILL_DIGEST,
    end: { exitCode: n % 17 === 0 ? 1 : 0, signal: null, timedOut: false, aborted: false },
    output: { digest: STILL_DIGEST, bytes: 240, head: "ok ".repeat(80), tail: "" },
    durationMs: 40 + (n % 900),
  };
}

/** Commands that are asked for at once, and committed together. */
const GROUP = 64;

/** Requests and ends of calls, in turns: one event each. */
export async function dispatchMixed(engine: Engine, count: number): Promise<void> {
  const { seq } = await engine.journal.head();
  for (let n = 0; n < count; n += GROUP) {
    const commands = Array.from({ length: Math.min(GROUP, count - n) }, (_, at) => {
      const call = Math.floor((n + at) / 2) + seq;
      return (n + at) % 2 === 0 ? requested(call) : observed(call);
    });
    await Promise.all(commands.map((command) => engine.dispatch(command, ASKING)));
  }
}
