import { type ContractState, hasEnded, INSTRUCTION_KEPT_MAX, isUsers } from "../contract/index.ts";
import { clipMiddle } from "../evidence/index.ts";
import { JOURNAL_STREAM, SHED } from "../journal/index.ts";
import { moveAtNewWishes } from "../trajectory/index.ts";
import { accept, type DecidedEvent, type Decision, phasesEntered, refused } from "./decision.ts";
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
  const to = run?.task.contract.run ?? JOURNAL_STREAM;
  const move =
    run?.task.status === "open" && isUsers({ by })
      ? moveAtNewWishes(run.trajectory.phase, run.task.contract)
      : null;
  const event = {
    run: to,
    type: "instruction.given",
    body: {
      text: clipMiddle(text, INSTRUCTION_KEPT_MAX),
      whole: text.length <= INSTRUCTION_KEPT_MAX,
      bytes: new TextEncoder().encode(text).length,
      digest: facts.sha256(text),
      by,
    },
  } as const;
  return accept(event, ...phasesEntered(to, move === null ? [] : [move], "task-state"));
}

/** What was said in an attempt binds the next one as well; of what is not known any more, that it is not. */
export function instructionsAgain(
  { instructions }: ContractState,
  run: string,
  { sha256 }: Facts,
): readonly DecidedEvent[] {
  const { recent, unknownSeq } = instructions;
  const known = recent.map(({ seq, at: _, first = seq, ...said }) => ({ ...said, first }));
  const lost = { text: SHED, whole: false, bytes: 0, digest: sha256(""), by: "user" } as const;
  const unknown = unknownSeq === null ? [] : [{ ...lost, first: unknownSeq }];
  return [...unknown, ...known].map((body) => ({ run, type: "instruction.given", body }));
}
