import { hasEnded, INSTRUCTION_KEPT_MAX } from "../contract/index.ts";
import { clipMiddle } from "../evidence/index.ts";
import { JOURNAL_STREAM } from "../journal/index.ts";
import { accept, type Decision, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState } from "./projection.ts";
import { openRunOf } from "./runs.ts";
import type { GiveInstruction } from "./schemas.ts";
import { namedRun, notOpen } from "./which.ts";

/**
 * Records what the user said after the start, word for word. Anybody may pass it on, since it can only
 * bind further. What a host hears is a fact like an observation: it names no run and is never refused.
 */
export function giveInstruction(
  state: ProjectState,
  { run: id, text: given, by }: GiveInstruction,
  facts: Facts,
): Decision {
  const run = id === undefined ? openRunOf(state, facts.session) : namedRun(state, facts, id);
  if (run !== null && "refused" in run) return refused(run.refused);
  if (run !== null && hasEnded(run.task.status)) return refused(notOpen(run));
  const text = facts.redact(given.toWellFormed()).text;
  return accept({
    run: run?.task.contract.run ?? JOURNAL_STREAM,
    type: "instruction.given",
    body: {
      text: clipMiddle(text, INSTRUCTION_KEPT_MAX),
      whole: text.length <= INSTRUCTION_KEPT_MAX,
      bytes: new TextEncoder().encode(text).length,
      digest: facts.sha256(text),
      by,
    },
  });
}
