import { expect, test } from "vitest";
import { ADA, aDraft, aReading, BOB, VERIFIED } from "../task/makers.ts";
import { Project, started, startOf } from "../task/project.ts";

const draft = aDraft({ taskId: "cart", maxAttempts: 2 });
const GIVE_UP = { reason: "no way in sight" };

function concludedOnce(): Project {
  const project = new Project();
  project.start(draft);
  expect(project.conclude("partial", GIVE_UP).refusal).toBeNull();
  return project;
}

test("a session has one open run at a time, and any number one after the other", () => {
  const project = new Project();
  project.start(aReading());
  expect(project.refusal(startOf(aDraft()))).toBe("contract/session-has-open-run");
  project.conclude("partial", GIVE_UP);
  project.start(aDraft());
  expect(Object.keys(project.state.runs)).toHaveLength(2);
});

test("two sessions work on two tasks of one project", () => {
  const project = new Project();
  project.start(aReading({ taskId: "one" }), { session: ADA });
  project.start(aReading({ taskId: "two" }), { session: BOB });
  expect(project.own(ADA).task.contract.taskId).toBe("one");
  expect(project.own(BOB).task.contract.taskId).toBe("two");
});

test("a task that is open in another session is not started again", () => {
  const project = new Project();
  project.start(draft, { session: ADA });
  expect(project.dispatch(startOf(draft), { session: BOB })).toMatchObject({
    events: [],
    refusal: {
      code: "contract/session-has-open-run",
      remedy: expect.stringContaining("holdfast takeover"),
    },
  });
});

test("attempts at a task count over all sessions", () => {
  const project = concludedOnce();
  project.start(draft, { session: BOB });
  expect(project.own(BOB).task.contract).toMatchObject({ attempt: 2, maxAttempts: 2 });
});

test("the ceiling of the first attempt holds, whatever a later draft asks for", () => {
  const project = concludedOnce();
  const greedy = { ...draft, maxAttempts: 10 };
  project.start(greedy, { session: BOB });
  expect(project.own(BOB).task.contract.maxAttempts).toBe(2);
  project.conclude("failed", { ...GIVE_UP, failedAt: "execute" }, { session: BOB });
  expect(project.dispatch(startOf(greedy))).toMatchObject({
    events: [],
    refusal: {
      code: "contract/attempts-used",
      message: expect.stringContaining("2 attempts at cart"),
      remedy: expect.stringContaining("task list"),
    },
  });
});

test("a task that was completed is not started again", () => {
  const project = new Project();
  project.start(draft);
  project.write("src/cart.js", "fixed");
  project.run();
  expect(project.conclude("completed").refusal).toBeNull();
  for (const session of [ADA, BOB]) {
    expect(project.refusal(startOf(draft), { session })).toBe("contract/task-completed");
  }
});

test("tasks without an id of their own are different tasks, even with equal words", () => {
  const project = new Project();
  const first = project.start(aDraft());
  project.conclude("partial", GIVE_UP);
  const second = project.start(aDraft());
  const idOf = (run: string) => project.state.runs[run]?.task.contract.taskId;
  expect(idOf(first)).not.toBe(idOf(second));
  expect(project.own().task.contract.attempt).toBe(1);
});

test("a start that was refused leaves nothing", () => {
  const project = concludedOnce();
  project.start(draft);
  const { state } = project;
  expect(project.refusal(startOf(aReading()))).toBe("contract/session-has-open-run");
  expect(project.state).toBe(state);
});

test("a retry is held to the same words, from where the first attempt began, as the next attempt", () => {
  const project = concludedOnce();
  const { run, attempt, ...before } = project.own().task.contract;
  project.write("src/cart.js", "half");
  const [begun, pinned] = project.accept({ type: "retryTask" }, { session: BOB });
  const now = project.own(BOB).task;
  expect(begun?.header).toMatchObject({ type: "task.started", run: now.contract.run });
  expect(pinned?.header.type).toBe("criteria.pinned");
  expect(now.contract).toMatchObject({ ...before, attempt: 2 });
  expect(now.contract.run).not.toBe(run);
  expect(project.gate({ session: BOB }).changed.paths).toEqual(["src/cart.js"]);
  expect(project.state.runs[run]?.task.status).toBe("partial");
});

test("a retry counts as an attempt, and stops at the ceiling of the first", () => {
  const project = concludedOnce();
  const first = project.own().task.contract.run;
  project.accept({ type: "retryTask" });
  project.accept({ type: "abandonTask", reason: "no use" });
  expect(project.refusal({ type: "retryTask" })).toBe("contract/attempts-used");
  expect(project.refusal({ type: "retryTask", run: first })).toBe("contract/attempts-used");
  expect(project.refusal(startOf(draft))).toBe("contract/attempts-used");
});

test("a run that was abandoned is tried again", () => {
  const project = new Project();
  project.start(draft);
  project.accept({ type: "abandonTask", reason: "wrong way" });
  project.accept({ type: "retryTask" });
  expect(project.own().task).toMatchObject({ status: "open", contract: { attempt: 2 } });
});

test("a run is not tried again before it has ended, nor after its task was completed", () => {
  const project = new Project();
  expect(project.refusal({ type: "retryTask" })).toBe("task/none");
  const run = project.start(draft);
  expect(project.refusal({ type: "retryTask" })).toBe("contract/not-concluded");
  project.accept({ type: "pauseTask" });
  expect(project.dispatch({ type: "retryTask", run })).toMatchObject({
    events: [],
    refusal: { code: "contract/not-concluded", message: expect.stringContaining("is paused") },
  });
  project.accept({ type: "continueTask" });
  project.write("src/cart.js", "fixed");
  project.run();
  expect(project.conclude("completed").refusal).toBeNull();
  for (const session of [ADA, BOB]) {
    expect(project.refusal({ type: "retryTask" }, { session })).toBe("contract/task-completed");
  }
});

test("a retry is refused while the session or another attempt is at work", () => {
  const project = concludedOnce();
  const run = project.own().task.contract.run;
  project.start(aReading(), { session: BOB });
  const retry = { type: "retryTask", run } as const;
  expect(project.refusal(retry, { session: BOB })).toBe("contract/session-has-open-run");
  project.accept(retry);
  project.accept({ type: "pauseTask" });
  project.conclude("partial", GIVE_UP, { session: BOB });
  expect(project.refusal(retry, { session: BOB })).toBe("contract/session-has-open-run");
});

test("what was agreed on is not agreed on again once text of it was shed", () => {
  const project = concludedOnce();
  const { run } = project.own().task.contract;
  const state = structuredClone(project.state);
  project.state = { ...state, runs: { [run]: { ...project.own(), shed: true } } };
  expect(project.dispatch({ type: "retryTask" })).toMatchObject({
    events: [],
    refusal: { code: "contract/text-shed", remedy: expect.stringContaining("--task-id cart") },
  });
});

test("giving up and trying again makes nothing allowed that was not", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED], maxAttempts: 3 }));
  project.accept({ type: "giveInstruction", text: "leave src/cart.js", by: "user" });
  project.write("README.md", "v2");
  project.write("src/cart.js", "v2");
  project.run();
  const before = project.missing();
  expect(before).toEqual(["out-of-scope", "instruction-names-changed"]);
  project.accept({ type: "abandonTask", reason: "again" });
  project.accept({ type: "retryTask" });
  project.run();
  expect(project.missing()).toEqual(before);
  expect(project.resume().instructions).toMatchObject({ count: 1, newest: [{ by: "user" }] });
});

test("only the last attempt is tried again: what was agreed on since is not undone", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED], maxAttempts: 5 }));
  const first = project.own().task.contract.run;
  project.accept({ type: "abandonTask", reason: "again" });
  project.accept({ type: "retryTask" });
  project.accept({
    type: "proposeCriteria",
    acceptanceCriteria: [{ id: "criterion-01" }, { text: "it reads well", kind: "human" }],
    reason: "more is wanted",
  });
  const amendment = "amendment-01";
  project.accept({ type: "acceptCriteria", amendment, reason: "Yes.", by: "terminal" });
  project.accept({ type: "abandonTask", reason: "again" });
  expect(project.dispatch({ type: "retryTask", run: first }).refusal).toMatchObject({
    code: "contract/attempt-taken",
    remedy: expect.stringContaining("holdfast task retry"),
  });
  project.accept({ type: "retryTask" });
  expect(project.own().task.contract.criteria).toHaveLength(2);
});

test("an attempt in another working tree moves no baseline of the first one", () => {
  const project = started(aDraft({ acceptanceCriteria: [VERIFIED], maxAttempts: 5 }));
  project.write("README.md", "v2");
  project.accept({ type: "abandonTask", reason: "again" });
  project.link("linked");
  project.accept({ type: "retryTask" }, { place: "linked" });
  project.accept({ type: "abandonTask", reason: "again" });
  project.accept({ type: "retryTask" });
  project.run();
  expect(project.missing()).toEqual(["out-of-scope"]);
});
