import { expect, test } from "vitest";
import type { ExtensionEvent } from "../../src/engine/index.ts";
import type { Command } from "../../src/task/index.ts";
import { DRAFT, observed, openEngineOver, provedTask } from "./makers.ts";

const start: Command = { type: "startTask", draft: DRAFT, intakeMode: "person" };
const session = "ada";
const key = "start-1";

const idsOf = (events: readonly { readonly header: { readonly id: string } }[]) =>
  events.map(({ header }) => header.id);

test("a command repeated with its key gets the events of the first time, also from another engine", async () => {
  const { engine, store, workspace } = await openEngineOver();
  const first = await engine.dispatch(start, { session, key });
  const again = await engine.dispatch(start, { session, key });
  const { engine: other } = await openEngineOver({ store, workspace, kind: 2 });
  const elsewhere = await other.dispatch(start, { session, key });
  expect(first.replayed).toBe(false);
  for (const answer of [again, elsewhere]) {
    expect(answer.replayed).toBe(true);
    expect(idsOf(answer.events)).toEqual(idsOf(first.events));
    expect(answer.head).toEqual(first.head);
  }
  expect((await engine.journal.head()).seq).toBe(first.head.seq);
});

test("a command repeated within one commit is carried out once", async () => {
  const { engine } = await openEngineOver();
  const asking = { session, key };
  const [first, second] = await Promise.all([
    engine.dispatch(start, asking),
    engine.dispatch(start, asking),
  ]);
  expect(first.replayed).toBe(false);
  expect(second.replayed).toBe(true);
  expect(idsOf(second.events)).toEqual(idsOf(first.events));
});

test("a key with another command is refused by name, with the event that used it first", async () => {
  const { engine } = await openEngineOver();
  await engine.dispatch(start, { session, key });
  const other: Command = { ...start, draft: { ...DRAFT, summary: "Something else altogether" } };
  const reused = {
    code: "journal/key-reused",
    message: expect.stringMatching(/key "start-1" was used before, at event 2 \(task\.started\)/),
  };
  await expect(engine.dispatch(other, { session, key })).rejects.toMatchObject(reused);
  const extension = engine.journal.append([{ type: "x.noted", body: {} }], { session, key });
  await expect(extension).rejects.toMatchObject(reused);
});

test("a key that is reused within one commit is refused, and the rest of the commit stands", async () => {
  const { engine } = await openEngineOver();
  const note = (n: number): Command => ({
    type: "appendExtension",
    events: [{ type: "x.noted", body: { n } }],
  });
  const results = await Promise.allSettled([
    engine.dispatch(note(1), { session, key: "k" }),
    engine.dispatch(note(2), { session, key: "k" }),
    engine.dispatch(note(3), { session, key: "other" }),
  ]);
  expect(results[0]).toMatchObject({ value: { replayed: false } });
  expect(results[1]).toMatchObject({ reason: { code: "journal/key-reused" } });
  expect(results[2]).toMatchObject({ value: { events: [{ header: { seq: 3 } }] } });
});

test("a key of a refused command is free", async () => {
  const { engine } = await openEngineOver();
  const settle: Command = {
    type: "settleCall",
    seq: 1,
    as: "happened",
    reason: "r",
    by: "program",
  };
  const refused = await engine.dispatch(settle, { session, key });
  expect(refused.refusal?.code).toBe("call/not-uncertain");
  expect((await engine.dispatch(start, { session, key })).replayed).toBe(false);
});

test("without a key the same command twice is two commands", async () => {
  const { engine, workspace } = await openEngineOver();
  const first = await engine.dispatch(observed(workspace.digest), { session });
  const second = await engine.dispatch(observed(workspace.digest), { session });
  expect(idsOf(first.events)).not.toEqual(idsOf(second.events));
});

test("events of one's own types are compared themselves, and get no field added", async () => {
  const { engine } = await openEngineOver();
  const events: readonly ExtensionEvent[] = [
    { type: "x.one", body: { commandDigest: "mine" } },
    { type: "x.two", body: JSON.parse('{"__proto__":{"a":1}}') },
  ];
  const first = await engine.journal.append(events, { session, key });
  const again = await engine.journal.append(events, { session, key });
  expect(idsOf(again)).toEqual(idsOf(first));
  expect(first[0]?.body).toEqual({ commandDigest: "mine" });
  expect(Object.hasOwn(first[1]?.body ?? {}, "__proto__")).toBe(true);
  const changed = engine.journal.append([events[0] as ExtensionEvent], { session, key });
  await expect(changed).rejects.toMatchObject({ code: "journal/key-reused" });
});

test("a conclusion that was refused is refused again under its key, and asked anew under another", async () => {
  const { engine, workspace } = await provedTask();
  workspace.write("src/cart.js", "v3");
  const conclude: Command = { type: "concludeTask", outcome: "completed" };
  const first = await engine.dispatch(conclude, { session, key: "c-1" });
  expect(first.refusal?.code).toBe("gate/refused");
  workspace.write("src/cart.js", "v2");
  const again = await engine.dispatch(conclude, { session, key: "c-1" });
  expect(again).toMatchObject({ replayed: true, refusal: { code: "gate/refused" } });
  const head = await engine.journal.head();
  const anew = await engine.dispatch(conclude, { session, key: "c-2" });
  expect(anew).toMatchObject({ replayed: false, events: [{ header: { seq: head.seq + 1 } }] });
});

test.each([
  ["a map", new Map([["a", 1]])],
  ["a list", [1]],
  ["a text", "text"],
  ["nothing", null],
])("an event of one's own type whose body is %s is refused and never adapted", async (_, body) => {
  const { engine } = await openEngineOver();
  const appended = engine.journal.append([{ type: "x.noted", body: body as never }], { session });
  await expect(appended).rejects.toMatchObject({ kind: "input" });
  expect((await engine.journal.head()).seq).toBe(1);
});

test("what the engine keeps to recognise a key is no part of a gate report", async () => {
  const { engine, run } = await provedTask();
  const keyed = await engine.recordGate(run, { session: "ada", key: "g-1" });
  const plain = await engine.recordGate(run, { session: "ada" });
  expect(Object.keys(keyed).toSorted()).toEqual(Object.keys(plain).toSorted());
});
