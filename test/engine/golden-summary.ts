import type { ProjectState } from "../../src/task/index.ts";

/** What a folded journal says, without the fields that later versions may add. */
export function summaryOf(state: ProjectState) {
  const { evidence } = state;
  return {
    runs: Object.values(state.runs).map(({ task, trajectory, graph }) => ({
      run: task.contract.run,
      taskId: task.contract.taskId,
      attempt: task.contract.attempt,
      criteria: task.contract.criteria.map(({ id, text }) => `${id} ${text}`),
      graphDigest: graph?.graphDigest ?? null,
      status: task.status,
      owner: task.owner,
      epoch: task.epoch,
      version: task.version,
      phase: trajectory.phase,
      transitions: trajectory.count,
      concludedSeq: task.conclusion?.seq ?? null,
    })),
    observed: evidence.recent.map(({ seq, command, verdict }) => `${seq} ${command}: ${verdict}`),
    openCalls: Object.values(evidence.openCalls).map(({ seq, command }) => `${seq} ${command}`),
    trees: evidence.trees,
    notUnderstood: state.notUnderstood,
  };
}
