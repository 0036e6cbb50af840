import { expect, test } from "vitest";
import { DRAFT, observed, openEngineOver, provedTask } from "./makers.ts";

const ADA = { session: "ada" } as const;

test("a run paused by one process is found paused by the next, and goes on where it stood", async () => {
  const { engine, store, workspace, run } = await provedTask("ada");
  const { refusal } = await engine.dispatch({ type: "pauseTask", reason: "a meeting" }, ADA);
  expect(refusal).toBeNull();

  const { engine: second } = await openEngineOver({ store, workspace, kind: 2 });
  expect(await second.resume(ADA)).toMatchObject({ decision: "paused", safe: false, run });
  expect(await second.status(ADA)).toMatchObject({ state: "paused", task: { status: "paused" } });
  await expect(second.gate(run, ADA)).rejects.toMatchObject({ code: "contract/paused" });
  await expect(second.conclude({ outcome: "completed" }, ADA)).rejects.toMatchObject({
    code: "contract/paused",
    remedy: expect.stringContaining("holdfast task continue"),
  });
  await second.dispatch({ type: "continueTask" }, ADA);

  const { engine: third } = await openEngineOver({ store, workspace, kind: 3 });
  expect(await third.resume(ADA)).toMatchObject({ decision: "resume", safe: true, run });
  expect((await third.conclude({ outcome: "completed" }, ADA)).outcome).toBe("completed");
  expect(await third.journal.verify()).toMatchObject({ ok: true });
});

test("a run abandoned by one process is tried again by the next", async () => {
  const { engine, store, workspace } = await openEngineOver();
  const { run, taskId } = await engine.startTask(DRAFT, ADA);
  await engine.dispatch({ type: "abandonTask", reason: "the wrong way" }, ADA);

  const { engine: second } = await openEngineOver({ store, workspace, kind: 2 });
  workspace.write("src/cart.js", "half");
  const { events, refusal } = await second.dispatch({ type: "retryTask" }, { session: "bob" });
  expect(refusal).toBeNull();
  const next = await second.task(events[0]?.header.run, { session: "bob" });
  expect(next.task).toMatchObject({ status: "open", contract: { taskId, attempt: 2 } });
  const before = (await second.task(run)).task;
  expect(next.task.contract.baseline).toEqual(before.contract.baseline);
  expect(before).toMatchObject({ status: "abandoned", contract: { attempt: 1 } });
  expect(await second.state()).toEqual(await engine.state());
});

test("of a pause and a conclusion at once one wins, and the other is told", async () => {
  const { engine, store, workspace, run } = await provedTask("ada");
  const { engine: second } = await openEngineOver({ store, workspace, kind: 2 });
  const answers = await Promise.all([
    engine.dispatch({ type: "concludeTask", run, outcome: "completed" }, ADA),
    second.dispatch({ type: "pauseTask", run }, ADA),
  ]);
  const codes = answers.map(({ refusal }) => refusal?.code ?? null);
  expect([
    [null, "contract/not-open"],
    ["contract/paused", null],
  ]).toContainEqual(codes);
});

test("what another session observes while a run is paused is kept", async () => {
  const { engine, workspace } = await provedTask("ada");
  await engine.dispatch({ type: "pauseTask" }, ADA);
  for (const session of ["ada", "bob"]) {
    const seen = await engine.dispatch(observed(workspace.digest), { session });
    expect(seen.refusal).toBeNull();
  }
});
