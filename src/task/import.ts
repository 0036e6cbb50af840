import {
  attemptOfV1,
  type Contract,
  type ContractV1,
  contractOf,
  draftOfV1,
  migrationOf,
} from "../contract/index.ts";
import { criteriaProblem } from "../criteria/index.ts";
import type { Refusal } from "../errors.ts";
import { moveAtStart, movesAtConclusion } from "../trajectory/index.ts";
import { accept, type Decision, phasesEntered, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState } from "./projection.ts";
import type { ImportContract } from "./schemas.ts";
import {
  attemptsAt,
  attemptsUsed,
  beginningOf,
  resolvedOn,
  startedWith,
  whyNoFurther,
  whyNotAgreed,
  whyNotNow,
} from "./start.ts";

/**
 * Makes a run of a contract of version 1. A pending one is gone on with by the importing session:
 * on the tree of now, under its own number, without any evidence. One that had ended counts as an
 * attempt that is over; what it says of its outcome is recorded, and proves nothing.
 *
 * @see docs/contract-import.md
 */
export function importContract(
  state: ProjectState,
  { contract: given, archive }: ImportContract,
  facts: Facts,
): Decision {
  const old = given as ContractV1;
  const agreed = contractOf(draftOfV1(old), {
    ...beginningOf(facts),
    intakeMode: old.intakeMode ?? "model",
    redact: (text: string) => facts.redact(text).text,
  });
  const migratedFrom = migrationOf(old, { archive, isOwnSession: isNamedBy(old, facts) });
  const asked = { ...agreed, attempt: attemptOfV1(old) };
  const isPending = old.trace.outcome === "pending";
  const refusal =
    whyNotAgreed(asked, facts) ??
    (isPending ? (criteriaProblem(asked) ?? whyNotNow(state, asked, facts)) : null) ??
    attemptProblem(state, asked, isPending);
  if (refusal !== null) return refused(refusal);
  // The files of today say nothing of an attempt that is over.
  const resolution = isPending
    ? resolvedOn(asked, facts, old.scope !== undefined)
    : { contract: asked, warnings: [] };
  if ("refused" in resolution) return refused(resolution.refused);
  const { ceiling } = attemptsAt(state, asked.taskId);
  const contract = { ...resolution.contract, maxAttempts: ceiling ?? asked.maxAttempts };
  const moves = isPending
    ? [moveAtStart(contract)].filter((move) => move !== null)
    : movesAtConclusion("intake", contract, old.trace.outcome);
  return accept(
    ...startedWith({ contract, migratedFrom }, resolution.warnings, facts),
    ...phasesEntered(contract.run, moves, "task-state"),
  );
}

/** Whether the deciding session is the one that a contract names, as its host called it or as we do. */
function isNamedBy({ sessionId }: ContractV1, { session, sha256 }: Facts): boolean {
  return sessionId !== undefined && [sessionId, `pi:${sessionId}`].map(sha256).includes(session);
}

/** Why an attempt can't have its number here, or null. Its number is what earlier ones are told by. */
function attemptProblem(
  state: ProjectState,
  { taskId, attempt, maxAttempts }: Contract,
  isPending: boolean,
): Refusal | null {
  const known = attemptsAt(state, taskId);
  const further = isPending ? whyNoFurther(state, taskId, known) : null;
  if (further !== null) return further;
  if (attempt > maxAttempts) {
    return {
      code: "contract/invalid",
      message: `The contract is attempt ${attempt} of at most ${maxAttempts}.`,
      remedy: "Import the file as version 1 wrote it.",
    };
  }
  const ceiling = known.ceiling ?? maxAttempts;
  if (attempt > ceiling) return attemptsUsed(taskId, ceiling);
  const taken = known.runs.find(({ task }) => task.contract.attempt === attempt);
  if (taken !== undefined) {
    const { run } = taken.task.contract;
    return attemptTaken(`Attempt ${attempt} at ${taskId} is in the journal already (run ${run}).`);
  }
  if (attempt <= known.removed) {
    const removed = `Attempts up to ${known.removed} at ${taskId} were removed by a compaction`;
    return attemptTaken(`${removed}, so whether attempt ${attempt} is one of them can't be told.`);
  }
  if (!isPending || attempt > known.last) return null;
  const later = `Attempt ${known.last} at ${taskId} is in the journal already`;
  return attemptTaken(`${later}, so attempt ${attempt} can't be gone on with.`);
}

const attemptTaken = (message: string): Refusal => ({
  code: "contract/attempt-taken",
  message,
  remedy: "See the runs with `holdfast task list`, and go on from there: holdfast task retry.",
});
