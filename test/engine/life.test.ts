import { expect, test } from "vitest";
import { DRAFT, observed, openEngineOver, provedTask, VERIFIER } from "./makers.ts";

const typesOf = async (engine: Awaited<ReturnType<typeof openEngineOver>>["engine"]) => {
  const types: string[] = [];
  for await (const row of engine.journal.rows()) types.push(row.header.type);
  return types;
};

test("a task that was worked on and verified passes its gate and is concluded", async () => {
  const { engine, run } = await provedTask();
  expect(await engine.gate(run, { session: "ada" })).toMatchObject({
    decision: "pass",
    missing: [],
  });
  const { receipt, head } = await engine.conclude({ outcome: "completed" }, { session: "ada" });
  expect(receipt).toMatchObject({ run, outcome: "completed", head });
  expect((await engine.task(run)).task.status).toBe("completed");
  expect(await engine.journal.verify({ noted: head })).toMatchObject({ ok: true, head });
});

test("a conclusion that the gate refuses is on record, and the run stays open", async () => {
  const { engine } = await openEngineOver();
  const { run } = await engine.startTask(DRAFT, { session: "ada" });
  await expect(engine.conclude({ outcome: "completed" }, { session: "ada" })).rejects.toMatchObject(
    { code: "gate/refused" },
  );
  expect((await typesOf(engine)).at(-1)).toBe("gate.evaluated");
  expect((await engine.task(run)).task.status).toBe("open");
});

test("looking at the gate, at the status and at what may be resumed stores nothing", async () => {
  const { engine, run } = await provedTask();
  const head = await engine.journal.head();
  await engine.gate(run, { session: "ada" });
  await engine.status({ session: "ada" });
  await engine.resume({ session: "bob" });
  await engine.tasks();
  expect(await engine.journal.head()).toEqual(head);
});

test("another engine over the same journal sees the same state", async () => {
  const { engine, store, workspace } = await provedTask();
  await engine.dispatch(observed(workspace.digest, { exitCode: 1 }), { session: "ada" });
  const { engine: second } = await openEngineOver({ store, workspace, kind: 2 });
  expect(await second.state()).toEqual(await engine.state());
});

test("a reading of the tree that another event has overtaken is made again", async () => {
  const { engine, store, workspace } = await openEngineOver();
  await engine.startTask(DRAFT, { session: "ada" });
  const { engine: other } = await openEngineOver({ store, workspace, kind: 2 });
  let edits = 0;
  workspace.onRead = async () => {
    if (edits > 0) return;
    edits++;
    workspace.write("src/cart.js", "v2");
    await other.dispatch(observed(workspace.digest), { session: "bob" });
  };
  const before = workspace.readings;
  const gate = await engine.recordGate(undefined, { session: "ada" });
  expect(gate.tree).toBe(workspace.digest);
  expect(workspace.readings - before).toBeGreaterThan(2);
});

test("a tree that never stands still ends in an error after three readings", async () => {
  const { engine, store, workspace } = await openEngineOver();
  await engine.startTask(DRAFT, { session: "ada" });
  const { engine: other } = await openEngineOver({ store, workspace, kind: 2 });
  let edits = 0;
  let isBusy = false;
  workspace.onRead = async () => {
    if (isBusy) return;
    isBusy = true;
    workspace.write("src/cart.js", `edit ${++edits}`);
    await other.dispatch(observed(workspace.digest, { call: `c-${edits}` }), { session: "bob" });
    isBusy = false;
  };
  await expect(engine.recordGate(undefined, { session: "ada" })).rejects.toMatchObject({
    code: "tree/unstable",
  });
  expect(edits).toBe(3);
});

test("output with half of a surrogate pair is kept as text that can be stored (FR-022)", async () => {
  const { engine, workspace } = await openEngineOver();
  await engine.dispatch(observed(workspace.digest, { output: "x\ud99cy" }), { session: "ada" });
  await engine.dispatch(observed(workspace.digest, { output: "cut 😀".slice(0, -1) }), {
    session: "ada",
  });
  const exported = [];
  for await (const line of engine.journal.export()) exported.push(line);
  const text = exported.join("");
  expect(text).toContain('"head":"x\ufffdy"');
  expect(text).toContain('"head":"cut \ufffd"');
  expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
  expect(await engine.journal.verify()).toMatchObject({ ok: true });
});

test("output with half of a surrogate pair is kept also where the command has a key (FR-022)", async () => {
  const { engine, workspace } = await openEngineOver();
  const command = observed(workspace.digest, { output: "x\ud99cy" });
  const first = await engine.dispatch(command, { session: "ada", key: "k" });
  const again = await engine.dispatch(command, { session: "ada", key: "k" });
  expect(again).toMatchObject({ replayed: true, head: first.head });
});

test("output is never cut between two halves of a pair (FR-022)", async () => {
  const { engine, workspace } = await openEngineOver();
  // Wherever a bound falls, one of the two falls into a pair.
  const pairs = [10_000, 3_000, 2_048].map((count) => "😀".repeat(count));
  for (const output of pairs.flatMap((text) => [text, `x${text}`])) {
    const { events } = await engine.dispatch(observed(workspace.digest, { output }), {
      session: "ada",
    });
    const kept = events[0]?.body?.output as { head: string; tail: string };
    expect(kept.head.isWellFormed() && kept.tail.isWellFormed()).toBe(true);
    expect(`x${output}`).toContain(kept.head);
  }
});

test("an import takes another project's journal over, and its observations prove nothing here", async () => {
  const source = await provedTask();
  const lines: string[] = [];
  for await (const line of source.engine.journal.export()) lines.push(line);
  const { engine } = await openEngineOver({ workspace: source.workspace, kind: 2 });
  expect(await engine.journal.import(lines)).toMatchObject({
    imported: lines.length,
    torn: false,
    head: await source.engine.journal.head(),
  });
  expect((await engine.tasks()).map(({ run }) => run)).toEqual([source.run]);
  const gate = await engine.gate(source.run, { session: "ada" });
  expect(gate.decision).not.toBe("pass");
  await engine.dispatch(observed(source.workspace.digest, { command: VERIFIER }), {
    session: "ada",
  });
  expect((await engine.state()).notUnderstood).toBeNull();
});

test("an engine that was open while another one imported goes on under the imported journal's key", async () => {
  const source = await provedTask("ada");
  const lines: string[] = [];
  for await (const line of source.engine.journal.export()) lines.push(line);
  const { engine, store, workspace } = await openEngineOver({
    workspace: source.workspace,
    kind: 5,
  });
  const { engine: sleeping } = await openEngineOver({ store, workspace, kind: 6 });
  const keyOf = async (by: typeof engine) => {
    const { events } = await by.dispatch(observed(workspace.digest), { session: "ada" });
    return events[0]?.body?.keyId;
  };
  await sleeping.status({ session: "ada" });
  await engine.journal.import(lines);
  expect(await keyOf(sleeping)).toBe(await keyOf(engine));
});
