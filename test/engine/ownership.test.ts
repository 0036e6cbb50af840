import { expect, test } from "vitest";
import type { Command } from "../../src/task/index.ts";
import { observed, openEngineOver, provedTask } from "./makers.ts";

test("a command that expects another version of the run is refused with both versions", async () => {
  const { engine, run } = await provedTask();
  const { task } = await engine.task(run, { session: "ada" });
  await engine.recordGate(run, { session: "ada" });
  const late: Command = {
    type: "concludeTask",
    outcome: "completed",
    expectedVersion: task.version,
  };
  const { refusal, events } = await engine.dispatch(late, { session: "ada" });
  expect(refusal).toMatchObject({
    code: "journal/version-conflict",
    message: expect.stringContaining(`expected ${task.version}`),
  });
  expect(events).toEqual([]);
  const now = (await engine.task(run, { session: "ada" })).task.version;
  const timely = await engine.dispatch({ ...late, expectedVersion: now }, { session: "ada" });
  expect(timely.refusal).toBeNull();
});

test("observations do not move the version that a command expects", async () => {
  const { engine, workspace, run } = await provedTask();
  const { task } = await engine.task(run, { session: "ada" });
  await engine.dispatch(observed(workspace.digest, { command: "ls" }), { session: "ada" });
  const { refusal } = await engine.dispatch(
    { type: "recordGate", expectedVersion: task.version },
    { session: "ada" },
  );
  expect(refusal).toBeNull();
});

test("after a takeover the old owner's late commands are refused, and its observations are not", async () => {
  const { engine, store, workspace, run } = await provedTask("ada");
  const { engine: bobs } = await openEngineOver({ store, workspace, kind: 2 });
  const stranger = await bobs.dispatch({ type: "recordGate", run }, { session: "bob" });
  expect(stranger.refusal?.code).toBe("contract/not-owner");

  const taken = await bobs.dispatch(
    { type: "takeOverTask", run, reason: "Ada's terminal is gone" },
    { session: "bob" },
  );
  expect(taken.events[0]).toMatchObject({
    header: { type: "task.taken-over" },
    body: { epoch: 2 },
  });

  const late = await engine.dispatch(
    { type: "concludeTask", run, outcome: "completed" },
    { session: "ada" },
  );
  expect(late.refusal?.code).toBe("contract/not-owner");
  const seen = await engine.dispatch(observed(workspace.digest), { session: "ada" });
  expect(seen.refusal).toBeNull();

  const concluded = await bobs.conclude({ outcome: "completed" }, { session: "bob" });
  expect(concluded.outcome).toBe("completed");
});

test("of two takeovers at once one wins, and the other is told who owns the run", async () => {
  const { engine, store, workspace, run } = await provedTask("ada");
  const { engine: second } = await openEngineOver({ store, workspace, kind: 2 });
  const takeOver = (reason: string): Command => ({ type: "takeOverTask", run, reason });
  const { owner } = (await engine.task(run)).task;
  await Promise.all([
    engine.dispatch(takeOver("bob needs it"), { session: "bob" }),
    second.dispatch(takeOver("eve needs it"), { session: "eve" }),
  ]);
  const { task } = await engine.task(run);
  expect(task.owner).not.toBe(owner);
  const gates = await Promise.all(
    ["bob", "eve"].map((session) => engine.dispatch({ type: "recordGate", run }, { session })),
  );
  expect(gates.map(({ refusal }) => refusal?.code ?? "accepted").sort()).toEqual([
    "accepted",
    "contract/not-owner",
  ]);
});

test("a run that is the session's own needs no takeover, and the refusal says so", async () => {
  const { engine, run } = await provedTask();
  const { refusal } = await engine.dispatch(
    { type: "takeOverTask", run, reason: "to be sure" },
    { session: "ada" },
  );
  expect(refusal?.message).toContain("this session's already");
});

test("FR-076: what was decided on an older version is a conflict that brings the event in between", async () => {
  const { engine, store, workspace, run } = await provedTask("ada");
  const { engine: second } = await openEngineOver({ store, workspace, kind: 2 });
  const read = (await second.task(run)).task.version;
  const changed = await engine.dispatch({ type: "recordGate", run }, { session: "ada" });
  const changing: Command = { type: "recordGate", run, expectedVersion: read };
  const late = await second.dispatch(changing, { session: "ada" });
  expect(late.refusal).toMatchObject({ code: "journal/version-conflict" });
  expect(late.conflict).toEqual(changed.events[0]);

  const note = { type: "x.noted", body: { text: "needs no agreement" } } as const;
  expect(await second.journal.append(note, { session: "ada" })).toHaveLength(1);

  const actual = (await second.task(run)).task.version;
  const retried = await second.dispatch(
    { ...changing, expectedVersion: actual },
    { session: "ada" },
  );
  expect(retried).toMatchObject({ refusal: null, conflict: null });
  expect(retried.events[0]?.header.type).toBe("gate.evaluated");
});
