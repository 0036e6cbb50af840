import { expect, test } from "vitest";
import type { ResumeInput } from "../../src/handoff/index.ts";
import { initialState } from "../../src/task/index.ts";
import { ADA, aDraft, aReading, BOB, deepFrozen, FAILED, VERIFIER } from "../task/makers.ts";
import { Project, started } from "../task/project.ts";

const DAMAGE = { seq: 7, message: "Event 7 does not hash to what it says." };

const INSPECT = {
  action: "inspect-journal",
  commands: ["holdfast journal verify", "holdfast log"],
};

test("a project without a task has nothing to resume", () => {
  expect(new Project().resume()).toEqual({
    decision: "none",
    safe: true,
    reasonCodes: ["no-task"],
    phase: null,
    run: null,
    taskId: null,
    owner: null,
    instructions: { count: 0, newest: [] },
    uncertain: [],
    uncertainUnlisted: 0,
    staleVerifiers: [],
    changed: { paths: [], count: 0 },
    next: { action: "start-task", commands: ["holdfast task start …"] },
  });
});

test("a run of one's own is resumed, with what is known of it", () => {
  const project = started(aDraft());
  const { run, taskId } = project.own().task.contract;
  project.write("src/cart.js", "v2");
  expect(project.resume()).toEqual({
    decision: "resume",
    safe: true,
    reasonCodes: [],
    phase: "plan",
    run,
    taskId,
    owner: ADA,
    instructions: { count: 0, newest: [] },
    uncertain: [],
    uncertainUnlisted: 0,
    staleVerifiers: [],
    changed: { paths: ["src/cart.js"], count: 1 },
    next: { action: "rerun-exact-verifier", commands: ["holdfast verify"] },
  });
});

test("a concluded run is terminal, and nothing else matters", () => {
  for (const outcome of ["blocked", "partial"] as const) {
    const project = started(aDraft());
    project.request("rm -rf build");
    project.conclude(outcome, { reason: "no way" });
    project.unavailable = ["src/cart.js (unreadable)"];
    for (const session of [ADA, BOB]) {
      expect(project.resume(session, { damage: DAMAGE })).toMatchObject({
        decision: "terminal",
        safe: false,
        reasonCodes: [`task-${outcome}`],
        phase: "terminal",
        next: { action: "terminal" },
      });
    }
  }
});

test("a paused run is told as paused, with what is uncertain, once nothing blocks it", () => {
  const project = started(aDraft());
  const { run } = project.own().task.contract;
  const seq = project.request("rm -rf build");
  project.accept({ type: "pauseTask" });
  expect(project.resume()).toMatchObject({
    decision: "paused",
    safe: false,
    reasonCodes: ["task-paused", "uncertain-calls"],
    run,
    uncertain: [{ seq }],
    next: { action: "wait-paused", commands: [`holdfast task continue ${run}`] },
  });
  expect(project.resume(ADA, { damage: DAMAGE }).decision).toBe("blocked");
  expect(project.resume(BOB)).toMatchObject({
    decision: "blocked",
    reasonCodes: ["owned-by-other-session"],
  });
  project.accept({ type: "continueTask" });
  expect(project.resume()).toMatchObject({ decision: "resume", safe: true });
});

test("a run that ended short of completion leads to its retry while attempts are left", () => {
  const project = started(aDraft({ taskId: "cart", maxAttempts: 2 }));
  project.accept({ type: "abandonTask", reason: "the wrong way" });
  const { run } = project.own().task.contract;
  expect(project.resume()).toMatchObject({
    decision: "terminal",
    reasonCodes: ["task-abandoned"],
    next: { commands: [`holdfast task retry ${run}`] },
  });
  const { [run]: ended } = project.state.runs;
  if (ended === undefined) throw new Error("The run is not there.");
  const state = { ...project.state, runs: { [run]: { ...ended, shed: true as const } } };
  expect(project.resume(ADA, { state }).next.commands).toEqual([
    "holdfast task start --task-id cart …",
  ]);
  project.accept({ type: "retryTask" });
  project.accept({ type: "abandonTask", reason: "no way at all" });
  expect(project.resume().next.commands).toEqual(["holdfast task start …"]);
});

test("another session's run is blocked, and says how to take it over", () => {
  const project = started(aDraft());
  const { run } = project.own().task.contract;
  const { events } = project;
  const count = events.length;
  expect(project.resume(BOB)).toMatchObject({
    decision: "blocked",
    safe: false,
    reasonCodes: ["owned-by-other-session"],
    owner: ADA,
    next: { action: "take-over", commands: [`holdfast takeover --run ${run} --reason …`] },
  });
  expect(events).toHaveLength(count);
  project.accept({ type: "takeOverTask", run, reason: "Ada is gone" }, { session: BOB });
  expect(project.resume(BOB)).toMatchObject({ decision: "resume", safe: true, owner: BOB });
  expect(project.resume(ADA)).toMatchObject({ decision: "blocked", owner: BOB });
});

test("one's own open run goes before another's, an open one before a concluded one", () => {
  const project = new Project();
  const past = project.start(aReading({ taskId: "past" }));
  project.conclude("partial", { reason: "enough" });
  expect(project.resume().run).toBe(past);
  const theirs = project.start(aReading({ taskId: "theirs" }), { session: BOB });
  expect(project.resume(ADA)).toMatchObject({ run: theirs, decision: "blocked" });
  const own = project.start(aReading({ taskId: "own" }));
  expect(project.resume(ADA)).toMatchObject({ run: own, decision: "resume" });
  expect(project.resume(BOB)).toMatchObject({ run: theirs, decision: "resume" });
});

const blocks: readonly {
  readonly code: string;
  readonly given: (project: Project) => Partial<ResumeInput>;
  readonly action: string;
}[] = [
  { code: "journal-damaged", given: () => ({ damage: DAMAGE }), action: "inspect-journal" },
  {
    code: "journal-newer",
    given: (project) => {
      project.plant("task.teleported", {});
      return { state: project.state };
    },
    action: "inspect-journal",
  },
  {
    code: "criterion-graph-differs",
    given: (project) => {
      const graph = project.own().graph as unknown as { readonly graphDigest: string };
      const { run } = project.own().task.contract;
      const other = { ...graph, graphDigest: "0".repeat(64) };
      project.plant("criteria.pinned", { graph: other } as never, run);
      return { state: project.state };
    },
    action: "inspect-journal",
  },
  {
    code: "tree-unavailable",
    given: (project) => {
      project.unavailable = ["src/cart.js (unreadable)"];
      return { tree: project.tree() };
    },
    action: "restore-tree",
  },
];

test.each(blocks)("a run is blocked by $code", ({ code, given, action }) => {
  const project = started(aDraft());
  expect(project.resume(ADA, given(project))).toMatchObject({
    decision: "blocked",
    safe: false,
    reasonCodes: [code],
    next: { action },
  });
});

test("all that blocks is told, the journal first", () => {
  const project = started(aDraft());
  const given = blocks.map((block) => block.given(project));
  const over: Partial<ResumeInput> = Object.assign({}, ...given, { state: project.state });
  expect(project.resume(BOB, over)).toMatchObject({
    reasonCodes: [
      "journal-damaged",
      "journal-newer",
      "criterion-graph-differs",
      "owned-by-other-session",
      "tree-unavailable",
    ],
    next: INSPECT,
  });
});

test("a run whose graph was lost is blocked", () => {
  const project = started(aDraft());
  const { run } = project.own().task.contract;
  const { [run]: own } = project.state.runs;
  if (own === undefined) throw new Error("The run is not there.");
  const state = { ...project.state, runs: { [run]: { ...own, graph: null } } };
  expect(project.resume(ADA, { state })).toMatchObject({
    decision: "blocked",
    reasonCodes: ["criterion-graph-differs"],
  });
});

test("no task in a journal that can't be read whole is no all-clear", () => {
  const project = new Project();
  expect(project.resume(ADA, { damage: DAMAGE })).toMatchObject({
    decision: "blocked",
    safe: false,
    reasonCodes: ["journal-damaged"],
    next: INSPECT,
  });
  project.plant("task.teleported", {});
  expect(project.resume()).toMatchObject({
    decision: "blocked",
    safe: false,
    reasonCodes: ["journal-newer"],
    next: INSPECT,
  });
});

test("calls whose end nobody saw are shown with their exact input, and do not block", () => {
  const project = started(aDraft());
  const first = project.request("rm  -rf build");
  const second = project.request(VERIFIER);
  expect(project.resume()).toMatchObject({
    decision: "resume",
    safe: true,
    reasonCodes: ["uncertain-calls"],
    uncertain: [
      { seq: first, tool: "bash", input: "rm  -rf build" },
      { seq: second, tool: "bash", input: VERIFIER },
    ],
  });
});

test("a call of a session without a run is nobody's doubt, unless it is the run's verifier", () => {
  const project = started(aDraft());
  project.request("rm -rf build", { session: BOB });
  expect(project.resume().uncertain).toEqual([]);
  const seq = project.request(VERIFIER, { session: BOB });
  expect(project.resume().uncertain).toEqual([{ seq, tool: "bash", input: VERIFIER }]);
});

test("verifiers that say nothing of the tree as it is are stale, and do not block", () => {
  const project = started(aDraft({ verifyCommands: [VERIFIER, "npm run lint", "npm run types"] }));
  project.run(VERIFIER);
  project.run("npm run lint", FAILED);
  expect(project.resume().staleVerifiers).toEqual([]);
  project.write("src/cart.js", "v2");
  expect(project.resume()).toMatchObject({
    decision: "resume",
    safe: true,
    reasonCodes: ["stale-verifiers"],
    staleVerifiers: [VERIFIER, "npm run lint"],
  });
});

test("a rebase or the like under way is told", () => {
  const project = started(aDraft());
  project.operation = "rebase";
  expect(project.resume().reasonCodes).toEqual(["rebase-in-progress"]);
});

test("a second identical question gets the identical answer, and nothing is changed by it", () => {
  const project = started(aDraft());
  project.request("rm -rf build");
  project.run(VERIFIER, FAILED);
  project.write("src/cart.js", "v2");
  const input = deepFrozen(project.resumeInput());
  const first = project.resume(ADA, input);
  expect(JSON.stringify(project.resume(ADA, input))).toBe(JSON.stringify(first));
});

test("what is decided from an empty state does not depend on who asks", () => {
  const project = new Project();
  expect(project.resume(BOB, { state: initialState })).toEqual(project.resume(ADA));
});
