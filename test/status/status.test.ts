import { expect, test } from "vitest";
import { projectStatus, type StatusInput, taskSummary } from "../../src/status/index.ts";
import { ADA, aDraft, aReading, BEHAVIOR, BOB, VERIFIED, VERIFIER } from "../task/makers.ts";
import { Project, started } from "../task/project.ts";

function statusOf(project: Project, session = ADA, over: Partial<StatusInput> = {}) {
  const head = { seq: project.events.length, hash: project.events.at(-1)?.hash ?? "" };
  return projectStatus({
    ...project.resumeInput(session),
    head,
    checkedFrom: 1,
    removed: 0,
    ...over,
  });
}

test("a project without a task is idle", () => {
  expect(statusOf(new Project())).toMatchObject({
    state: "idle",
    task: null,
    criteria: [],
    verifiers: [],
    gate: null,
    otherOpenRuns: [],
    journal: { events: 0, damage: null },
    tree: { place: "main", changed: 0 },
    next: { action: "start-task" },
  });
});

test("the status of an active task shows how each criterion and verifier stands", () => {
  const project = started(aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  project.write("src/cart.js", "v2");
  const seq = project.run();
  expect(statusOf(project)).toMatchObject({
    state: "active",
    task: { status: "open", open: true, phase: "review", ownedByThisSession: true },
    criteria: [
      { id: "criterion-01", text: BEHAVIOR, status: "pending", missing: ["behavioral-check"] },
      { id: "criterion-02", text: VERIFIED, status: "satisfied", missing: [], evidence: [seq] },
    ],
    verifiers: [{ command: VERIFIER, currency: "current", seq }],
    gate: { decision: "pending" },
    tree: { changed: 1 },
    next: { action: "supply-evidence" },
  });
});

test("a criterion that a person judges is pending, whatever its verifier says", () => {
  const project = started(aDraft({ acceptanceCriteria: [{ text: VERIFIED, kind: "human" }] }));
  const seq = project.run();
  expect(statusOf(project).criteria).toMatchObject([{ status: "pending", evidence: [seq] }]);
});

test("the status says what the gate and the resume decision say", () => {
  const project = started(aDraft());
  project.request("rm -rf build");
  const { decision, missing, warnings } = project.gate();
  const { uncertain, next } = project.resume();
  expect(statusOf(project)).toMatchObject({
    gate: { decision, missing, warnings },
    uncertain,
    next,
  });
});

test("a concluded task is terminal", () => {
  const project = started(aDraft());
  project.conclude("partial", { reason: "enough" });
  expect(statusOf(project)).toMatchObject({
    state: "terminal",
    task: { status: "partial", open: false, phase: "terminal" },
    next: { action: "terminal" },
  });
});

test("a damaged journal makes the state corrupt, and says up to where it was checked", () => {
  const project = started(aDraft());
  const damage = { seq: 3, message: "Event 3 does not hash to what it says." };
  const head = { seq: 2, hash: "0".repeat(64) };
  expect(statusOf(project, ADA, { damage, head })).toMatchObject({
    state: "corrupt",
    journal: {
      events: 2,
      verifiedUpTo: 2,
      head,
      verifiedFrom: 1,
      damage: damage.message,
    },
    next: { action: "inspect-journal" },
  });
});

test("other open runs are told apart from the one that the session works on", () => {
  const project = new Project();
  const own = project.start(aReading({ taskId: "own" }));
  const theirs = project.start(aReading({ taskId: "theirs" }), { session: BOB });
  const runs = (session: string) => {
    const { task, otherOpenRuns } = statusOf(project, session);
    return { task: task?.run, others: otherOpenRuns.map(({ run }) => run) };
  };
  expect(runs(ADA)).toEqual({ task: own, others: [theirs] });
  expect(runs(BOB)).toEqual({ task: theirs, others: [own] });
  project.conclude("partial", { reason: "enough" });
  expect(runs(ADA)).toEqual({ task: theirs, others: [] });
});

test("a paused run is shown before an open one of another session, and told as paused", () => {
  const project = started(aDraft());
  const { run } = project.own().task.contract;
  project.accept({ type: "pauseTask" });
  const theirs = project.start(aReading(), { session: BOB });
  expect(statusOf(project)).toMatchObject({
    state: "paused",
    task: { run, status: "paused", open: true },
    otherOpenRuns: [{ run: theirs }],
    next: { action: "wait-paused" },
  });
});

test("a summary says who owns the run, and whether that is oneself", () => {
  const project = started(aDraft({ taskId: "cart" }));
  const run = project.own();
  expect(taskSummary(run, ADA)).toEqual({
    run: run.task.contract.run,
    taskId: "cart",
    summary: "Reject quantities below one",
    attempt: 1,
    maxAttempts: 3,
    status: "open",
    open: true,
    phase: "plan",
    owner: ADA,
    ownedByThisSession: true,
    startedAt: "2026-01-02T00:00:01.000Z",
    startedSeq: 1,
    version: 1,
  });
  expect(taskSummary(run, BOB).ownedByThisSession).toBe(false);
});
