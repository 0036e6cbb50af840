import { hasEnded } from "../contract/index.ts";
import { type CriterionGraph, planningOf } from "../criteria/index.ts";
import { assess, type CriterionStanding, isSettled } from "../evidence/index.ts";
import { decideResume, type ResumeInput, runToResume } from "../handoff/index.ts";
import type { Head } from "../journal/index.ts";
import { type RunState, runsOf } from "../task/index.ts";
import type { CriterionView, ProjectStatus, TaskSummary } from "./view-schemas.ts";

export function taskSummary({ task, trajectory }: RunState, session: string): TaskSummary {
  const { contract } = task;
  return {
    run: contract.run,
    taskId: contract.taskId,
    summary: contract.summary,
    attempt: contract.attempt,
    maxAttempts: contract.maxAttempts,
    status: task.status,
    open: !hasEnded(task.status),
    phase: trajectory.phase,
    owner: task.owner,
    ownedByThisSession: task.owner === session,
    startedAt: task.startedAt,
    startedSeq: task.startedSeq,
    version: task.version,
  };
}

export interface StatusInput extends ResumeInput {
  /** The last event that was read and checked. */
  readonly head: Head;
  /** The first event that was read and checked, and not taken from a snapshot. */
  readonly checkedFrom: number;
  /** The last event that compaction removed, 0 without one. */
  readonly removed: number;
}

export function projectStatus(input: StatusInput): ProjectStatus {
  const { state, session, tree, damage, head, checkedFrom, removed } = input;
  const run = runToResume(state, session);
  const resume = decideResume(input);
  const others = runsOf(state).filter(({ task }) => !hasEnded(task.status));
  return {
    state: damage === null ? stateOf(run) : "corrupt",
    task: run === null ? null : taskSummary(run, session),
    ...proofOf(input, run),
    uncertain: resume.uncertain,
    otherOpenRuns: others.filter((other) => other !== run).map((it) => taskSummary(it, session)),
    journal: {
      events: head.seq - removed,
      head,
      verifiedFrom: checkedFrom,
      verifiedUpTo: head.seq,
      damage: damage?.message ?? null,
    },
    tree: {
      digest: tree.digest,
      commit: tree.commit,
      place: tree.place,
      operation: tree.operation,
      changed: resume.changed.count,
    },
    next: resume.next,
  };
}

function stateOf(run: RunState | null): ProjectStatus["state"] {
  if (run === null) return "idle";
  if (run.task.status === "paused") return "paused";
  return hasEnded(run.task.status) ? "terminal" : "active";
}

function proofOf(
  { state, tree, hashing }: StatusInput,
  run: RunState | null,
): Pick<ProjectStatus, "criteria" | "verifiers" | "gate"> {
  if (run?.graph == null) return { criteria: [], verifiers: [], gate: null };
  const { task, graph } = run;
  const assessed = assess({ task, graph, evidence: state.evidence, tree, hashing });
  const { decision, missing, warnings } = assessed.gate;
  const { verifiers } = assessed;
  const criteria = criterionViews(graph, assessed.criteria);
  return { criteria, verifiers, gate: { decision, missing, warnings } };
}

function criterionViews(
  graph: CriterionGraph,
  standings: readonly CriterionStanding[],
): readonly CriterionView[] {
  const settled = new Set(standings.filter(isSettled).map(({ id }) => id));
  const planning = planningOf(graph, settled);
  return graph.nodes.flatMap(({ id, kind, proofKinds, dependsOn, targetHints }) => {
    const standing = standings.find((other) => other.id === id);
    if (standing === undefined) return [];
    const plan = planning.get(id) ?? "waiting";
    return [{ ...standing, kind, proofKinds, dependsOn, targetHints, planning: plan }];
  });
}
