import { castDraft, type Draft, original } from "immer";
import { SHED } from "../journal/index.ts";
import { INSTRUCTION_CHARACTERS_KEPT, INSTRUCTIONS_KEPT } from "./limits.ts";
import type { ContractStatus } from "./machine.ts";
import type {
  Amendment,
  CriteriaProposed,
  InstructionGiven,
  NarrowedScope,
  PlanRecorded,
  PlanStepMoved,
  TaskAbandoned,
  TaskConcluded,
  TaskPaused,
  TaskStarted,
  TaskTakenOver,
} from "./schemas.ts";
import type { ContractState, RunStatus } from "./view-schemas.ts";

/** Whether nothing changes a run any more. A paused one has not ended. */
export function hasEnded(status: RunStatus): status is Exclude<RunStatus, "open" | "paused"> {
  return status !== "open" && status !== "paused";
}

/** Whether a run has ended, and no event of this journal tells how. */
export function isUntold(status: RunStatus): status is Exclude<RunStatus, ContractStatus> {
  return status === "unknown" || status === "historical";
}

/** Where an event stands; projections need nothing else of its header. */
export interface EventPosition {
  readonly id: string;
  readonly seq: number;
  readonly runSeq: number;
  readonly at: string;
  readonly session: string | null;
}

export function taskStarted(body: TaskStarted, at: EventPosition): ContractState {
  const { migratedFrom } = body;
  return {
    contract: body.contract,
    proposals: 0,
    proposal: null,
    amendments: [],
    instructions: { count: 0, recent: [], unknownSeq: null },
    ...(migratedFrom === undefined ? {} : { migratedFrom }),
    status: migratedFrom?.status === "historical-unverifiable" ? "historical" : "open",
    plan: body.contract.plan,
    owner: at.session ?? "",
    epoch: 1,
    version: at.runSeq,
    changedSeq: at.seq,
    startedSeq: at.seq,
    startedAt: at.at,
    conclusion: null,
    pause: null,
    abandonment: null,
  };
}

/** The run has a new version: who decided on the one before has to look again. */
export function runChanged(task: Draft<ContractState>, at: EventPosition): void {
  task.version = at.runSeq;
  task.changedSeq = at.seq;
}

/** Folds into a draft of the run, which only its projection hands out. */
export function taskTakenOver(
  task: Draft<ContractState>,
  body: TaskTakenOver,
  at: EventPosition,
): void {
  task.owner = body.to;
  task.epoch = body.epoch;
  runChanged(task, at);
}

/** Another session took the run over: which one, the header of a shed event still says. */
export function takenOverUnknown(task: Draft<ContractState>, at: EventPosition): void {
  task.owner = at.session ?? "";
  task.epoch += 1;
  runChanged(task, at);
}

/** The run ended, and how it did was shed: it is never taken for completed. */
export function concludedUnknown(task: Draft<ContractState>, at: EventPosition): void {
  task.status = "unknown";
  runChanged(task, at);
}

export function taskConcluded(
  task: Draft<ContractState>,
  body: TaskConcluded,
  at: EventPosition,
): void {
  task.status = body.outcome;
  runChanged(task, at);
  task.conclusion = castDraft({ ...body, seq: at.seq, at: at.at });
}

export function planRecorded(
  task: Draft<ContractState>,
  { plan }: PlanRecorded,
  at: EventPosition,
): void {
  task.plan = castDraft(plan);
  runChanged(task, at);
}

export function planStepMoved(
  task: Draft<ContractState>,
  { step: moved, to, started, observed }: PlanStepMoved,
  at: EventPosition,
): void {
  for (const step of task.plan) {
    if (step.id === moved) step.status = to;
    if (step.id === started) step.status = "in-progress";
  }
  if (observed !== true) runChanged(task, at);
}

/** Without a body: what was proposed was shed, so nobody can accept it. */
export function criteriaProposed(
  task: Draft<ContractState>,
  body: CriteriaProposed | null,
  at: EventPosition,
): void {
  task.proposals += 1;
  task.proposal = body === null ? null : castDraft({ ...body, seq: at.seq, at: at.at });
}

/** Without a body: the run is held to something else since, and to what was shed. */
export function contractAmended(
  task: Draft<ContractState>,
  body: Amendment | null,
  at: EventPosition,
): void {
  runChanged(task, at);
  task.proposal = null;
  if (body === null) return;
  const { criteria, ...amendment } = body;
  task.contract.criteria = castDraft(criteria);
  if (amendment.scope !== null) task.contract.scope = castDraft(amendment.scope);
  task.amendments.push(castDraft({ ...amendment, seq: at.seq, at: at.at }));
}

export function scopeNarrowed(
  task: Draft<ContractState>,
  { scope, outOfScope, protectedPaths }: NarrowedScope,
  at: EventPosition,
): void {
  Object.assign(task.contract, { scope, outOfScope, protectedPaths });
  runChanged(task, at);
}

/** Without a body: something was said, perhaps by the user, and what was shed. */
export function instructionGiven(
  task: Draft<ContractState>,
  body: InstructionGiven | null,
  at: EventPosition,
): void {
  runChanged(task, at);
  // Outside of the draft: a long list is slow to look through within one.
  const before = original(task.instructions) ?? task.instructions;
  task.instructions = castDraft(instructionsAfter(before, body, at));
}

function instructionsAfter(
  { count, recent, unknownSeq }: ContractState["instructions"],
  body: InstructionGiven | null,
  at: EventPosition,
): ContractState["instructions"] {
  const isLost = body === null || body.text.includes(SHED);
  let unknown = isLost ? at.seq : unknownSeq;
  if (body === null) return { count: count + 1, recent, unknownSeq: unknown };
  let kept = [...recent, { ...body, seq: at.seq, at: at.at }];
  while (isOverfull(kept)) {
    const other = kept.findIndex((said) => !isUsers(said));
    if (other < 0) unknown = kept[0]?.seq ?? unknown;
    kept = kept.toSpliced(Math.max(other, 0), 1);
  }
  return { count: count + 1, recent: kept, unknownSeq: unknown };
}

/** Whether an instruction is the user's own word, and not what a program passed on. */
export function isUsers({ by }: Pick<InstructionGiven, "by">): boolean {
  return by === "user" || by === "terminal";
}

function isOverfull(kept: readonly Pick<InstructionGiven, "text">[]): boolean {
  const characters = kept.reduce((sum, { text }) => sum + text.length, 0);
  return kept.length > INSTRUCTIONS_KEPT || characters > INSTRUCTION_CHARACTERS_KEPT;
}

/** Without a body: it was paused, and why was shed. */
export function taskPaused(
  task: Draft<ContractState>,
  body: TaskPaused | null,
  at: EventPosition,
): void {
  task.status = "paused";
  runChanged(task, at);
  task.pause = { reason: body?.reason ?? null, seq: at.seq, at: at.at };
}

export function taskContinued(task: Draft<ContractState>, at: EventPosition): void {
  task.status = "open";
  runChanged(task, at);
  task.pause = null;
}

/** Without a body: it was abandoned, and why was shed. */
export function taskAbandoned(
  task: Draft<ContractState>,
  body: TaskAbandoned | null,
  at: EventPosition,
): void {
  task.status = "abandoned";
  runChanged(task, at);
  task.pause = null;
  task.abandonment = { reason: body?.reason ?? null, seq: at.seq, at: at.at };
}
