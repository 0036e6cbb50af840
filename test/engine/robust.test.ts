import { expect, test } from "vitest";
import type { VerifyOptions } from "../../src/engine/index.ts";
import { EMPTY_HEAD } from "../../src/journal/index.ts";
import { observed, openEngineOver, provedTask } from "./makers.ts";

test("what was asked before the engine is closed is carried out", async () => {
  const { engine, store } = await openEngineOver();
  store.close = async () => {}; // What it holds is looked at afterwards.
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

test.each<[string, unknown]>([
  ["nothing at all", null],
  ["a text", "5"],
  ["a noted head as people write it", { noted: "5:0000" }],
  ["a noted head of nothing", { noted: {} }],
  ["a noted head that is null", { noted: null }],
  ["a noted head with a short hash", { noted: { seq: 1, hash: "0000" } }],
  ["a noted head of no event with a hash", { noted: { seq: 0, hash: "a".repeat(64) } }],
  ["a beginning of zero", { from: 0 }],
  ["a beginning that is a text", { from: "1" }],
  ["an end between two events", { to: 1.5 }],
  ["an end that is no number", { to: Number.NaN }],
  ["an end that is null", { to: null }],
  ["a progress that can't be told", { onProgress: true }],
])("a verification by %s is refused, and not answered", async (_, asked) => {
  const { engine } = await provedTask();
  const verified = engine.journal.verify(asked as VerifyOptions);
  await expect(verified).rejects.toMatchObject({ code: "input/invalid" });
  expect(await engine.journal.verify({ noted: EMPTY_HEAD })).toMatchObject({ ok: true });
});
