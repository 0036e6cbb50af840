import type { Draft } from "immer";
import type { ContractStatus } from "./machine.ts";
import type { Contract, TaskConcluded, TaskStarted, TaskTakenOver } from "./schemas.ts";

/** Where a run stands; `unknown`: it has ended, and the event that said how was shed. */
export type RunStatus = ContractStatus | "unknown";

/** One run of a task as its events tell it. */
export interface ContractState {
  readonly contract: Contract;
  readonly status: RunStatus;
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
  return {
    contract: body.contract,
    status: "open",
    owner: at.session ?? "",
    epoch: 1,
    version: at.runSeq,
    changedSeq: at.seq,
    startedSeq: at.seq,
    startedAt: at.at,
    conclusion: null,
  };
}

/** Folds into a draft of the run, which only its projection hands out. */
export function taskTakenOver(
  task: Draft<ContractState>,
  body: TaskTakenOver,
  at: EventPosition,
): void {
  task.owner = body.to;
  task.epoch = body.epoch;
  task.version = at.runSeq;
  task.changedSeq = at.seq;
}

/** Another session took the run over: which one, the header of a shed event still says. */
export function takenOverUnknown(task: Draft<ContractState>, at: EventPosition): void {
  task.owner = at.session ?? "";
  task.epoch += 1;
  task.version = at.runSeq;
  task.changedSeq = at.seq;
}

/** The run ended, and how it did was shed: it is never taken for completed. */
export function concludedUnknown(task: Draft<ContractState>, at: EventPosition): void {
  task.status = "unknown";
  task.version = at.runSeq;
  task.changedSeq = at.seq;
}

export function taskConcluded(
  task: Draft<ContractState>,
  body: TaskConcluded,
  at: EventPosition,
): void {
  task.status = body.outcome;
  task.version = at.runSeq;
  task.changedSeq = at.seq;
  task.conclusion = { ...body, seq: at.seq, at: at.at };
}
