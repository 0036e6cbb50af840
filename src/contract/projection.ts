import type { Draft } from "immer";
import { INSTRUCTIONS_KEPT } from "./limits.ts";
import type { ContractStatus } from "./machine.ts";
import type {
  Amendment,
  Contract,
  CriteriaProposed,
  InstructionGiven,
  Migration,
  NarrowedScope,
  PlanRecorded,
  PlanStep,
  PlanStepMoved,
  TaskAbandoned,
  TaskConcluded,
  TaskPaused,
  TaskStarted,
  TaskTakenOver,
} from "./schemas.ts";

/**
 * Where a run stands. Two ends are told by no event of this journal, so they prove nothing. `unknown`:
 * the event that said how it ended was shed; `historical`: it had ended in version 1.
 */
export type RunStatus = ContractStatus | "unknown" | "historical";

/** Whether nothing changes a run any more. A paused one has not ended. */
export function hasEnded(status: RunStatus): status is Exclude<RunStatus, "open" | "paused"> {
  return status !== "open" && status !== "paused";
}

/** Whether a run has ended, and no event of this journal tells how. */
export function isUntold(status: RunStatus): status is Exclude<RunStatus, ContractStatus> {
  return status === "unknown" || status === "historical";
}

/** When something was done to a run and why. */
export interface RecordedAct {
  /** Null where none was given, and where it was shed. */
  readonly reason: string | null;
  readonly seq: number;
  readonly at: string;
}

/** What of an accepted amendment is told later; the criteria themselves are in the contract. */
export type AcceptedAmendment = Omit<Amendment, "criteria"> & {
  readonly seq: number;
  readonly at: string;
};

/** What the user said after the start, with where it stands in the journal. */
export type LaterInstruction = Pick<InstructionGiven, "text" | "whole" | "by"> & {
  readonly seq: number;
  readonly at: string;
};

/** One run of a task as its events tell it. */
export interface ContractState {
  /** What the run is held to: as agreed on at the start, with what a person accepted since. */
  readonly contract: Contract;
  /** How often other criteria were proposed; the number of the last proposal. */
  readonly proposals: number;
  /** The last proposal; null where none is open. */
  readonly proposal: (CriteriaProposed & { readonly seq: number; readonly at: string }) | null;
  /** What a person accepted, oldest first. */
  readonly amendments: readonly AcceptedAmendment[];
  /** How often the user said more after the start, and the newest of that, oldest first. */
  readonly instructions: { readonly count: number; readonly recent: readonly LaterInstruction[] };
  /** What it was made of, where it began as a contract of version 1. */
  readonly migratedFrom?: Migration;
  readonly status: RunStatus;
  /** The work plan as it stands; `contract.plan` is the one that was agreed on. */
  readonly plan: readonly PlanStep[];
  /** SHA-256 of the owning session's id; only the owner changes the run. */
  readonly owner: string;
  /** Raised at each takeover, so that an owner of before is told apart. */
  readonly epoch: number;
  /** Position in the run of the last event that changed it; what `expectedVersion` compares. */
  readonly version: number;
  /** The same event by its position in the journal. */
  readonly changedSeq: number;
  readonly startedSeq: number;
  readonly startedAt: string;
  /** Null as well where it was shed. */
  readonly conclusion: (TaskConcluded & { readonly seq: number; readonly at: string }) | null;
  /** Since when it is paused; null unless it is. */
  readonly pause: RecordedAct | null;
  readonly abandonment: RecordedAct | null;
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
    instructions: { count: 0, recent: [] },
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
  task.conclusion = { ...body, seq: at.seq, at: at.at };
}

export function planRecorded(
  task: Draft<ContractState>,
  { plan }: PlanRecorded,
  at: EventPosition,
): void {
  task.plan = plan;
  runChanged(task, at);
}

export function planStepMoved(
  task: Draft<ContractState>,
  { step: moved, to, started }: PlanStepMoved,
  at: EventPosition,
): void {
  for (const step of task.plan) {
    if (step.id === moved) step.status = to;
    if (step.id === started) step.status = "in-progress";
  }
  runChanged(task, at);
}

/** Without a body: what was proposed was shed, so nobody can accept it. */
export function criteriaProposed(
  task: Draft<ContractState>,
  body: CriteriaProposed | null,
  at: EventPosition,
): void {
  task.proposals += 1;
  task.proposal = body === null ? null : { ...body, seq: at.seq, at: at.at };
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
  task.contract.criteria = criteria;
  if (amendment.scope !== null) task.contract.scope = amendment.scope;
  task.amendments.push({ ...amendment, seq: at.seq, at: at.at });
}

export function scopeNarrowed(
  task: Draft<ContractState>,
  { scope, outOfScope, protectedPaths }: NarrowedScope,
  at: EventPosition,
): void {
  Object.assign(task.contract, { scope, outOfScope, protectedPaths });
  runChanged(task, at);
}

/** Without a body: the user said something, and what was shed. */
export function instructionGiven(
  task: Draft<ContractState>,
  body: InstructionGiven | null,
  at: EventPosition,
): void {
  runChanged(task, at);
  const { instructions } = task;
  instructions.count += 1;
  if (body === null) return;
  const { text, whole, by } = body;
  instructions.recent.push({ text, whole, by, seq: at.seq, at: at.at });
  if (instructions.recent.length > INSTRUCTIONS_KEPT) instructions.recent.shift();
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
