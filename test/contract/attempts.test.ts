import { expect, test } from "vitest";
import { ADA, aDraft, aReading, BOB } from "../task/makers.ts";
import { Project, startOf } from "../task/project.ts";

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
