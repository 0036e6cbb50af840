import {
  type ContractState,
  isKeptByObservation,
  type PlanStep,
  planAfter,
  plannedAnew,
  type StepEvent,
  stepMayMove,
  waitedFor,
} from "../contract/index.ts";
import { movesAtProgress } from "../trajectory/index.ts";
import {
  accept,
  type DecidedEvent,
  type Decision,
  phasesEntered,
  refuse,
  refused,
} from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState } from "./projection.ts";
import type { MoveStep, RecordPlan } from "./schemas.ts";
import { ownRun } from "./which.ts";

/** Puts another work plan in the place of the one there is, and the phase follows where it leads. */
export function recordPlan(state: ProjectState, command: RecordPlan, facts: Facts): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const { contract, plan } = own.task;
  const anew = plannedAnew(contract, plan, command.plan);
  const secret = command.plan.findIndex(({ id }) => facts.redact(id).redacted);
  if (typeof anew === "string" || secret >= 0) {
    const problem = secret < 0 ? anew : `the id of step ${secret + 1} looks like a secret`;
    return refuse(
      "contract/plan-invalid",
      `The plan can't be followed: ${problem}.`,
      "See the plan as it stands with holdfast task show, and change what is still to come.",
    );
  }
  const { run } = contract;
  return accept(
    { run, type: "plan.recorded", body: { plan: anew } },
    ...phasesEntered(
      run,
      movesAtProgress(own.trajectory.phase, contract, plan, anew),
      "task-state",
    ),
  );
}

/**
 * Moves a step of the work plan. Finishing one starts the next that is ready where none is at work,
 * and the phase follows as far as the plan now leads.
 */
export function moveStep(state: ProjectState, command: MoveStep, facts: Facts): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const { contract, plan } = own.task;
  const { step: id, status: to, note } = command;
  const step = plan.find((known) => known.id === id);
  if (step === undefined) {
    return refuse(
      "contract/step-unknown",
      `The plan has no step ${id}.`,
      `Name one of ${plan.map((known) => known.id).join(", ")}.`,
    );
  }
  const waiting = waitedFor(plan, step);
  const event = {
    type: "move",
    to,
    isReady: waiting.length === 0,
    hasNote: note !== undefined,
  } as const;
  if (!stepMayMove(step.status, event)) return notMoved(step, event, waiting);
  const { after, started } = planAfter(plan, id, to);
  const { run } = contract;
  return accept(
    {
      run,
      type: "plan.step-moved",
      body: { step: id, from: step.status, to, note: note ?? null, started },
    },
    ...phasesEntered(
      run,
      movesAtProgress(own.trajectory.phase, contract, plan, after),
      "task-state",
    ),
  );
}

/** Steps whose work is shown by every verify command on one tree: the change, and that it is verified. */
const SHOWN_BY_PROOF = ["implement", "verify"] as const;

/** What proof finishes of a plan that keeps to its kind of task. */
export function stepsProved({ contract, plan }: ContractState): readonly DecidedEvent[] {
  if (!isKeptByObservation(contract, plan)) return [];
  const events: DecidedEvent[] = [];
  let now = plan;
  for (const id of SHOWN_BY_PROOF) {
    if (!now.some((step) => step.id === id && step.status === "in-progress")) continue;
    const { after, started } = planAfter(now, id, "done");
    now = after;
    events.push({
      run: contract.run,
      type: "plan.step-moved",
      body: { step: id, from: "in-progress", to: "done", note: null, started, observed: true },
    });
  }
  return events;
}

function notMoved(
  { id, status }: PlanStep,
  { to, isReady, hasNote }: StepEvent,
  waiting: readonly string[],
): Decision {
  if (status === "done" || status === "skipped") {
    return refuse(
      "contract/step-refused",
      `Step ${id} is ${status}, which is final.`,
      "Go on with the next step: holdfast task show",
    );
  }
  if (!isReady && (to === "in-progress" || to === "done")) {
    return refuse(
      "contract/step-refused",
      `Step ${id} waits for ${waiting.join(" and ")}.`,
      `Finish that first: holdfast plan step ${waiting[0]} --status done`,
    );
  }
  if (!hasNote && (to === "failed" || status === "failed")) {
    return refuse(
      "contract/step-refused",
      "A step fails, and is taken up again, with a note that says why.",
      "Add --note …",
    );
  }
  return refuse(
    "contract/step-refused",
    `Step ${id} is ${status} and does not go from there to ${to}.`,
    "See the plan with holdfast task show.",
  );
}
