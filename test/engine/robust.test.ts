import { expect, test } from "vitest";
import { observed, openEngineOver, provedTask } from "./makers.ts";

test("what was asked before the engine is closed is carried out", async () => {
  const { engine, store } = await openEngineOver();
  const asked = Array.from({ length: 50 }, (_, n) =>
    engine.journal.append({ type: "x.noted", body: { n } }, { session: "s" }),
  );
  await engine.close();
  expect(await Promise.all(asked)).toHaveLength(50);
  expect((await store.extent()).head.seq).toBe(51);
  await expect(engine.state()).rejects.toMatchObject({ code: "journal/closed" });
});

test("the state that a caller gets can't be changed under the engine", async () => {
  const { engine } = await provedTask();
  const state = await engine.state();
  expect(() => {
    (state.runs as Record<string, unknown>).forged = {};
  }).toThrow(TypeError);
  const [observations] = Object.values(state.evidence.latest);
  expect(() => {
    (observations?.[0] as { verdict: string }).verdict = "pass";
  }).toThrow(TypeError);
});

test.each([[null], [{}], [{ session: 7 }], [{ session: "" }], [{ session: "s", key: 7 }]])(
  "a call that does not say who asks (%j) is refused as input",
  async (asking) => {
    const { engine } = await openEngineOver();
    const given = engine.dispatch({ type: "recordGate" }, asking as never);
    await expect(given).rejects.toMatchObject({ code: "input/invalid" });
  },
);

test("an observation is recorded even if the tree never holds still, and proves nothing then", async () => {
  const { engine, workspace, store } = await provedTask();
  const { engine: other } = await openEngineOver({ store, workspace: workspace, kind: 4 });
  let writes = 0;
  let isBusy = false;
  workspace.onRead = async () => {
    if (isBusy) return;
    isBusy = true;
    workspace.write("src/other.js", `v${writes++}`);
    await other.dispatch(observed(workspace.digest, { command: "ls", call: `other-${writes}` }), {
      session: "bob",
    });
    isBusy = false;
  };
  const { refusal, events } = await engine.dispatch(observed(workspace.digest, { call: "late" }), {
    session: "ada",
  });
  expect(refusal).toBeNull();
  expect(events[0]).toMatchObject({
    header: { type: "command.observed" },
    body: { treeAfter: null },
  });
  const gate = engine.recordGate(undefined, { session: "ada" });
  await expect(gate).rejects.toMatchObject({ code: "tree/unstable" });
});
