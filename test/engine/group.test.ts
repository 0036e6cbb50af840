import { expect, test } from "vitest";
import type { JournalStore } from "../../src/journal/index.ts";
import { MemoryStore } from "../../src/journal/index.ts";
import type { Command } from "../../src/task/index.ts";
import { fixedPorts } from "../journal/makers.ts";
import { openEngineOver } from "./makers.ts";

const note = (n: number): Command => ({
  type: "appendExtension",
  events: [{ type: "x.noted", body: { n } }],
});

/** A store that counts its commits. */
function countingStore(): JournalStore & { readonly commits: () => number } {
  const store = new MemoryStore(fixedPorts().ids);
  let commits = 0;
  return {
    extent: () => store.extent(),
    read: (after, limit) => store.read(after, limit),
    append: (known, keys, plan) => {
      commits++;
      return store.append(known, keys, plan);
    },
    purge: () => store.purge(),
    importRows: (given) => store.importRows(given),
    commandKey: () => store.commandKey(),
    readSnapshot: () => store.readSnapshot(),
    writeSnapshot: (snapshot) => store.writeSnapshot(snapshot),
    close: () => store.close(),
    commits: () => commits,
  };
}

const seqsOf = (answers: readonly { readonly events: readonly { header: { seq: number } }[] }[]) =>
  answers.flatMap(({ events }) => events.map(({ header }) => header.seq));

test("commands of one turn of the event loop are one commit, in the order of their calls", async () => {
  const store = countingStore();
  const { engine } = await openEngineOver({ store });
  const before = store.commits();
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, n) => engine.dispatch(note(n), { session: `s-${n % 3}` })),
  );
  expect(store.commits() - before).toBe(1);
  expect(seqsOf(answers)).toEqual(Array.from({ length: 64 }, (_, n) => n + 2));
  expect(answers.map(({ events }) => events[0]?.body)).toEqual(
    Array.from({ length: 64 }, (_, n) => ({ n })),
  );
});

test("more than 64 commands take a second commit", async () => {
  const store = countingStore();
  const { engine } = await openEngineOver({ store });
  const before = store.commits();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => engine.dispatch(note(n), { session: "s" })),
  );
  expect(store.commits() - before).toBe(2);
  expect(seqsOf(answers)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2));
});

test("a refused, an invalid and an unstorable command leave the others of their commit as they are", async () => {
  const { engine } = await openEngineOver();
  const session = "s";
  const results = await Promise.allSettled([
    engine.dispatch(note(1), { session }),
    engine.dispatch(
      { type: "settleCall", seq: 1, as: "happened", reason: "it did", by: "program" },
      { session },
    ),
    engine.dispatch({ type: "noSuchCommand" } as unknown as Command, { session }),
    engine.dispatch(note(Number.NaN), { session }),
    engine.dispatch(note(2), { session }),
  ]);
  const [first, refused, invalid, unstorable, last] = results;
  expect(first).toMatchObject({ value: { refusal: null, events: [{ header: { seq: 2 } }] } });
  expect(refused).toMatchObject({ value: { refusal: { code: "call/not-uncertain" }, events: [] } });
  expect(invalid).toMatchObject({ reason: { code: "input/invalid" } });
  expect(unstorable).toMatchObject({ reason: { code: "journal/not-canonical" } });
  expect(last).toMatchObject({ value: { refusal: null, events: [{ header: { seq: 3 } }] } });
  expect(await engine.journal.verify()).toMatchObject({ ok: true, events: 3 });
});

test("a commit that fails fails its commands, stores nothing and leaves the engine working", async () => {
  const store = countingStore();
  let isBroken = false;
  const { engine } = await openEngineOver({
    store: {
      ...store,
      append: (known, keys, plan) =>
        store.append(known, keys, (view) => {
          const rows = plan(view);
          if (isBroken) throw new Error("the disk is gone");
          return rows;
        }),
    },
  });
  await engine.dispatch(note(1), { session: "s" });
  isBroken = true;
  const failed = await Promise.allSettled([
    engine.dispatch(note(2), { session: "s" }),
    engine.dispatch(note(3), { session: "s" }),
  ]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  const { events } = await engine.dispatch(note(4), { session: "s" });
  expect(events[0]).toMatchObject({ header: { seq: 3, runSeq: 3 }, body: { n: 4 } });
  expect(await engine.journal.verify()).toMatchObject({ ok: true, events: 3 });
});

test("what was asked before the engine is closed is carried out, and nothing afterwards", async () => {
  const { engine } = await openEngineOver();
  const asked = engine.journal.append([{ type: "x.noted", body: { n: 1 } }], { session: "s" });
  await expect(asked).resolves.toHaveLength(1);
  await engine.close();
  await expect(engine.dispatch(note(2), { session: "s" })).rejects.toMatchObject({
    code: "journal/closed",
  });
  await expect(engine.state()).rejects.toMatchObject({ code: "journal/closed" });
});

test("two engines on one store decide on what the other has appended", async () => {
  const one = await openEngineOver();
  const { store, workspace } = one;
  const other = await openEngineOver({ store, workspace, kind: 2 });
  for (let n = 0; n < 10; n++) {
    await Promise.all([
      one.engine.dispatch(note(n), { session: "one" }),
      other.engine.dispatch(note(n), { session: "other" }),
    ]);
  }
  expect(await one.engine.journal.verify()).toMatchObject({ ok: true, events: 21 });
});
