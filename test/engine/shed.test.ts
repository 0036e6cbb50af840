import fc from "fast-check";
import { expect, test } from "vitest";
import type { Engine } from "../../src/engine/index.ts";
import { HoldfastError } from "../../src/errors.ts";
import {
  type JsonObject,
  MemoryStore,
  parseExport,
  portableSha256,
  SHED,
  type StoredEvent,
} from "../../src/journal/index.ts";
import { anEvent, appendTo, fixedPorts, openJournal } from "../journal/makers.ts";
import { DRAFT, MapWorkspace, observed, openEngineOver, provedTask, VERIFIER } from "./makers.ts";

const SECRET = "TOP-demo-SECRET-42";
const REASON = "a pasted key";
const ADA = { session: "ada" };

async function note(engine: Engine, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await engine.journal.append({ type: "x.noted", body: { text } }, ADA);
}

async function eventsOf(engine: Engine): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of engine.journal.read()) events.push(event);
  return events;
}

async function exported(engine: Engine): Promise<string> {
  let text = "";
  for await (const line of engine.journal.export()) text += line;
  return text;
}

/** What `journal.shed` events say was taken out. */
const bodyAt = async (engine: Engine, seq: number) =>
  (await eventsOf(engine)).find(({ header }) => header.seq === seq)?.body;

test("a text is shed from every event that holds it, and the chain still verifies", async () => {
  const { engine } = await openEngineOver();
  await note(engine, "nothing", `it is ${SECRET}.`, "nothing either", `${SECRET} again`);
  const noted = await engine.journal.head();
  const report = await engine.journal.shed({ text: SECRET, reason: REASON }, ADA);
  expect(report).toMatchObject({
    shed: [
      { seq: 3, type: "x.noted", replaced: true },
      { seq: 5, type: "x.noted", replaced: true },
    ],
    replaced: 2,
    remaining: [],
    purged: true,
    purgeProblem: null,
    head: { seq: 6 },
  });
  expect((await eventsOf(engine)).map(({ body, shed = false }) => [shed, body?.text])).toEqual([
    [false, undefined],
    [false, "nothing"],
    [true, SHED],
    [false, "nothing either"],
    [true, SHED],
    [false, undefined],
  ]);
  const verification = await engine.journal.verify({ noted });
  const told = { by: 6, at: expect.stringMatching(/^2026-/), reason: REASON };
  expect(verification).toMatchObject({
    ok: true,
    shed: [
      { seq: 3, ...told },
      { seq: 5, ...told },
    ],
    shedCount: 2,
  });
  expect(await engine.journal.shedBodies()).toEqual(verification.shed);
  expect(await exported(engine)).not.toContain(SECRET);
});

test("an export of a shed journal is taken in with what stands for its bodies", async () => {
  const { engine } = await openEngineOver();
  await note(engine, SECRET, "kept");
  await engine.journal.shed({ text: SECRET, reason: REASON });
  const other = await openEngineOver({ kind: 1 });
  const report = await other.engine.journal.import([await exported(engine)]);
  expect(report.head).toEqual(await engine.journal.head());
  expect(await eventsOf(other.engine)).toEqual(await eventsOf(engine));
  expect(await other.engine.journal.verify()).toMatchObject({ ok: true, shedCount: 1 });
});

test("a dry run and a text that nobody said change nothing", async () => {
  const { engine } = await openEngineOver();
  await note(engine, SECRET);
  const before = await exported(engine);
  const head = await engine.journal.head();
  const dry = await engine.journal.shed({ text: SECRET, reason: REASON, dryRun: true });
  expect(dry).toMatchObject({ shed: [{ seq: 2 }], purged: false, head });
  const none = await engine.journal.shed({ text: "never said", reason: REASON });
  expect(none).toMatchObject({ shed: [], remaining: [], head });
  expect(await exported(engine)).toBe(before);
});

test.each([
  [{ reason: REASON }, "input/invalid"],
  [{ text: SECRET, seq: 2, reason: REASON }, "input/invalid"],
  [{ text: "abc", reason: REASON }, "journal/text-unfit"],
  [{ text: " a b ", reason: REASON }, "journal/text-unfit"],
  [{ text: "SHED", reason: REASON }, "journal/text-unfit"],
  [{ text: "\ud83d lone", reason: REASON }, "journal/text-unfit"],
  [{ text: SECRET, reason: `it was ${SECRET}` }, "journal/reason-holds-text"],
  [{ text: SECRET, reason: " " }, "input/invalid"],
  [{ seq: 1, reason: REASON }, "journal/not-sheddable"],
  [{ seq: [2, 99], reason: REASON }, "journal/event-unknown"],
  [{ seq: 0, reason: REASON }, "input/invalid"],
] as const)("%j is refused with %s, without a word of the text", async (wish, code) => {
  const { engine } = await openEngineOver();
  await note(engine, SECRET);
  const before = await exported(engine);
  const failure = await engine.journal.shed(wish).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code });
  expect(String((failure as Error).message)).not.toContain(SECRET);
  expect(await exported(engine)).toBe(before);
});

test.each([
  ["no wish", []],
  ["null for a wish", [null]],
  ["nobody who asks", [{ text: SECRET, reason: REASON }, {}]],
  [
    "a key that is a number",
    [
      { text: SECRET, reason: REASON },
      { session: "s", key: 5 },
    ],
  ],
  ["an empty session", [{ text: SECRET, reason: REASON }, { session: "" }]],
] as const)("%s is refused before anything is shed", async (_, given) => {
  const { engine } = await openEngineOver();
  await note(engine, SECRET);
  const before = await exported(engine);
  const shed = engine.journal.shed.bind(engine.journal) as (...all: unknown[]) => Promise<unknown>;
  await expect(shed(...given)).rejects.toMatchObject({ code: "input/invalid" });
  expect(await exported(engine)).toBe(before);
});

test("a text that is too long is told so", async () => {
  const { engine } = await openEngineOver();
  const shed = engine.journal.shed({ text: "x".repeat(65_537), reason: REASON });
  await expect(shed).rejects.toMatchObject({
    code: "journal/text-unfit",
    message: expect.stringContaining("longer than 65536"),
    remedy: expect.stringContaining("Give a part of it"),
  });
});

test("a full disk at the purge is told without a word of nothing being stored", async () => {
  const { engine, store } = await openEngineOver();
  await note(engine, SECRET);
  store.purge = () =>
    Promise.reject(new HoldfastError("journal/storage-full", "nothing was stored", "Repeat it."));
  const report = await engine.journal.shed({ text: SECRET, reason: REASON });
  expect(report).toMatchObject({
    shed: [{ seq: 2 }],
    purged: false,
    purgeProblem: {
      code: "journal/storage-full",
      message: expect.not.stringContaining("nothing"),
      remedy: expect.not.stringContaining("Repeat"),
    },
  });
});

test.each([
  ["Rotate the Blue-Falcon-Project access", "Blue-Falcon-Project"],
  [`Rotate the keys of every partner there is in ${"all ".repeat(20)}`, `in ${"all ".repeat(20)}`],
])("a task id that was made from the text is listed: %s", async (summary, text) => {
  const { engine } = await openEngineOver();
  const { taskId: _, ...draft } = DRAFT;
  await engine.startTask({ ...draft, summary }, ADA);
  const wish = { text: text.trim(), reason: REASON };
  const report = await engine.journal.shed(wish, { ...ADA, key: "once" });
  expect(report.remaining).toEqual([
    { seq: expect.any(Number), type: "task.started", why: expect.stringContaining("task's id") },
  ]);
  const again = await engine.journal.shed(wish, { ...ADA, key: "once" });
  expect(again.remaining).toEqual(report.remaining);
  const another = await engine.journal.shed({ ...wish, text: "Falcon-Blue" }, ADA);
  expect(another.remaining).toEqual([]);
});

test("what a text stands in and can't be taken out of is listed", async () => {
  const { engine } = await openEngineOver();
  const journal = String((await eventsOf(engine))[0]?.body?.journal);
  await note(engine, journal);
  const report = await engine.journal.shed({ text: journal, reason: REASON });
  expect(report).toMatchObject({
    shed: [{ seq: 2 }],
    remaining: [{ seq: 1, type: "journal.opened", why: expect.any(String) }],
  });
});

test("a text that an earlier shedding left is shed from that one as well", async () => {
  const { engine } = await openEngineOver();
  await engine.journal.append({ type: "x.noted", body: { a: SECRET, b: "other-secret" } });
  await engine.journal.shed({ text: SECRET, reason: "for other-secret reasons" });
  const second = await engine.journal.shed({ text: "other-secret", reason: REASON });
  expect(second.shed).toEqual([
    { seq: 2, type: "x.noted", replaced: true },
    { seq: 3, type: "journal.shed", replaced: true },
  ]);
  expect(await bodyAt(engine, 2)).toEqual({ a: SHED, b: SHED });
  expect(await bodyAt(engine, 3)).toMatchObject({ reason: SHED });
  expect(await exported(engine)).not.toMatch(/other-secret|TOP-demo/);
  expect(await engine.journal.verify()).toMatchObject({ ok: true, shedCount: 2 });
  const other = await openEngineOver({ kind: 1 });
  await other.engine.journal.import([await exported(engine)]);
  expect(await eventsOf(other.engine)).toEqual(await eventsOf(engine));
});

test("any sheddings, one after the other, leave a journal that verifies, travels and holds none of the texts", async () => {
  const words = ["alpha-1", "beta-22", "gamma-3"] as const;
  const aNote = fc
    .array(fc.constantFrom(...words, "kept", "alpha-1 beta-22"), { maxLength: 3 })
    .map((texts) => ({ do: "note" as const, texts }));
  const aShedding = fc.oneof(
    fc.constantFrom(...words).map((text) => ({ do: "shed" as const, wish: { text } })),
    fc.nat(12).map((n) => ({ do: "shed" as const, wish: { seq: n + 2 } })),
  );
  const acts = fc.array(fc.oneof(aNote, aShedding), { minLength: 2, maxLength: 14 });
  await fc.assert(
    fc.asyncProperty(acts, fc.constantFrom("why", "for gamma-3"), async (history, reason) => {
      const { engine } = await openEngineOver();
      const gone = new Set<string>();
      for (const act of history) {
        if (act.do === "note") {
          const body: JsonObject = { list: act.texts, [act.texts.join()]: 1 };
          await engine.journal.append({ type: "x.noted", body }, ADA);
          for (const text of act.texts) {
            for (const word of words) if (text.includes(word)) gone.delete(word);
          }
          continue;
        }
        const text = "text" in act.wish ? act.wish.text : null;
        const why = text !== null && reason.includes(text) ? "why" : reason;
        if (why.includes("gamma-3")) gone.delete("gamma-3");
        try {
          await engine.journal.shed({ ...act.wish, reason: why }, ADA);
        } catch (error) {
          if ((error as { code?: unknown }).code !== "journal/event-unknown") throw error;
        }
        if (text !== null) gone.add(text);
      }
      expect(await engine.journal.verify()).toMatchObject({ ok: true });
      const text = await exported(engine);
      const standing = JSON.stringify(await eventsOf(engine));
      for (const word of gone) expect(text + standing).not.toContain(word);
      const store = new MemoryStore(fixedPorts(9).ids);
      await store.importRows(parseExport([text], portableSha256));
      const other = await openEngineOver({ store, kind: 2 });
      expect(await eventsOf(other.engine)).toEqual(await eventsOf(engine));
    }),
    { numRuns: 60 },
  );
});

test("all free text of an event goes by its number, and its command can still be told", async () => {
  const { engine, workspace } = await openEngineOver();
  await engine.startTask(DRAFT, ADA);
  const command = observed(workspace.digest, { output: SECRET });
  const asked = { ...ADA, key: "once" };
  const { events } = await engine.dispatch(command, asked);
  const seq = events[0]?.header.seq ?? 0;
  await engine.journal.shed({ seq, reason: REASON });
  const body = await bodyAt(engine, seq);
  expect(body).toMatchObject({ command: SHED, verdict: "pass", output: { head: SHED } });
  expect(body?.commandHash).toMatch(/^[0-9a-f]{64}$/);
  expect((await engine.state()).notUnderstood).toBeNull();
  expect(await engine.dispatch(command, asked)).toMatchObject({ replayed: true });
  const again = await engine.journal.shed({ seq, reason: REASON });
  expect(again.shed).toEqual([]);
});

test("events of one's own are recognised by their key after they were shed", async () => {
  const { engine } = await openEngineOver();
  const asked = { ...ADA, key: "once" };
  const given = { type: "x.noted", body: { text: SECRET } } as const;
  await engine.journal.append(given, asked);
  await engine.journal.shed({ text: SECRET, reason: REASON });
  const [same] = await engine.journal.append(given, asked);
  expect(same).toMatchObject({ header: { seq: 2 }, body: { text: SHED } });
  const other = engine.journal.append({ ...given, body: { text: SHED } }, asked);
  await expect(other).rejects.toMatchObject({ code: "journal/key-reused" });
});

test("a shedding is repeated by its key, and the key stands for nothing else", async () => {
  const { engine } = await openEngineOver();
  await note(engine, SECRET);
  const asked = { ...ADA, key: "once" };
  const first = await engine.journal.shed({ text: SECRET, reason: REASON }, asked);
  expect(await engine.journal.shed({ text: SECRET, reason: REASON }, asked)).toEqual(first);
  const other = engine.journal.shed({ text: SECRET, reason: "another" }, asked);
  await expect(other).rejects.toMatchObject({ code: "journal/key-reused" });
});

test.each([
  [{ text: SECRET }, { text: "another text" }],
  [{ text: SECRET }, { seq: 2 }],
  [{ text: SECRET }, { seq: [2, 3] }],
  [{ seq: 2 }, { seq: 3 }],
  [{ seq: [2, 3] }, { seq: 2 }],
  [{ seq: 2 }, { seq: [2, 99] }],
  [{ seq: 2 }, { text: "another text" }],
])("the key of a shedding of %j is not one of %j, and nothing else is shed", async (one, other) => {
  const { engine } = await openEngineOver();
  await note(engine, `${SECRET} and more`, "another text");
  await engine.journal.append({ type: "x.noted", body: { a: SECRET, b: "kept" } }, ADA);
  const asked = { ...ADA, key: "once" };
  await engine.journal.shed({ ...one, reason: REASON }, asked);
  const before = await exported(engine);
  const reused = engine.journal.shed({ ...other, reason: REASON }, asked);
  await expect(reused).rejects.toMatchObject({ code: "journal/key-reused" });
  expect(await exported(engine)).toBe(before);
});

test("a repeated shedding says what remains, also after its events were removed", async () => {
  const { engine } = await openEngineOver();
  await engine.journal.append({ type: "x.top-secret-42", body: { text: "top-secret-42" } }, ADA);
  await note(engine, "one", "two", "three");
  const asked = { ...ADA, key: "once" };
  const byText = { text: "top-secret-42", reason: REASON };
  const first = await engine.journal.shed(byText, asked);
  expect(first.remaining).toMatchObject([{ seq: 2 }]);
  expect(await engine.journal.shed(byText, asked)).toEqual(first);
  const bySeq = { seq: [3, 4], reason: REASON };
  const second = await engine.journal.shed(bySeq, { ...ADA, key: "twice" });
  const { through } = await engine.journal.compact({ ceiling: 4 }, ADA);
  expect(through?.seq).toBe(4);
  const again = await engine.journal.shed(bySeq, { ...ADA, key: "twice" });
  expect(again).toMatchObject({ shed: [{ seq: 3 }, { seq: 4 }], head: second.head });
});

test("a shedding of which the reason was shed later is still told by its key", async () => {
  const { engine } = await openEngineOver();
  await note(engine, SECRET);
  const asked = { ...ADA, key: "once" };
  const wish = { text: SECRET, reason: "from the shop's vault" };
  const first = await engine.journal.shed(wish, asked);
  await engine.journal.shed({ text: "the shop's vault", reason: REASON }, ADA);
  expect(await engine.journal.shed(wish, asked)).toEqual(first);
});

test("what others append under the lock is folded, whether or not anything is shed", async () => {
  const { engine, store, workspace } = await openEngineOver();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  await note(engine, SECRET);
  const append = store.append.bind(store);
  store.append = async (known, keys, plan) => {
    store.append = append;
    await other.engine.startTask(DRAFT, ADA);
    return append(known, keys, plan);
  };
  await engine.journal.shed({ text: SECRET, reason: REASON, dryRun: true });
  const state = await engine.state();
  expect(Object.keys(state.runs)).toHaveLength(1);
  expect(state).toEqual(await other.engine.state());
});

test("a shedding that is overtaken again and again ends as busy, and has changed nothing", async () => {
  const { engine, store, workspace } = await openEngineOver();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  await note(engine, SECRET);
  const append = store.append.bind(store);
  let overtakes = 0;
  store.append = async (known, keys, plan) => {
    store.append = append;
    await note(other.engine, `passing ${++overtakes}`);
    await other.engine.journal.shed({ text: `passing ${overtakes}`, reason: REASON });
    store.append = overtaken;
    return append(known, keys, plan);
  };
  const overtaken = store.append;
  const shed = engine.journal.shed({ text: SECRET, reason: REASON });
  await expect(shed).rejects.toMatchObject({ code: "journal/busy" });
  const noted = note(engine, "a command ends so as well");
  await expect(noted).rejects.toMatchObject({ code: "journal/busy" });
  store.append = append;
  expect(await exported(engine)).toContain(SECRET);
  expect(await engine.journal.verify()).toMatchObject({ ok: true, shedCount: overtakes });
});

test("a body that was changed unseen, under a snapshot, is not shed: that would hide it", async () => {
  const { engine, store, workspace } = await openEngineOver();
  await note(engine, SECRET, "two");
  const notes = Array.from({ length: 1_000 }, () => ({ type: "x.noted", body: {} }) as const);
  await engine.journal.append(notes, ADA);
  const snapshot = await store.readSnapshot();
  const rows = await store.read(0, 2_000);
  for (const bodyText of [`{"text":"${SECRET}!"}`, `${SECRET} and no JSON`]) {
    const damaged = new MemoryStore(fixedPorts(7).ids);
    await damaged.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({
      rows: rows.map((row) => (row.header.seq === 2 ? { ...row, bodyText } : row)),
    }));
    await damaged.writeSnapshot(snapshot);
    const opened = await openEngineOver({ store: damaged, workspace, kind: 3 });
    expect(opened.engine.journal.damage).toBeNull();
    for (const target of [{ text: SECRET }, { seq: 2 }]) {
      const shed = opened.engine.journal.shed({ ...target, reason: REASON });
      await expect(shed).rejects.toMatchObject({
        code: "journal/corrupt",
        message: expect.stringContaining("event 2"),
      });
    }
    expect(await opened.engine.journal.verify()).toMatchObject({ problems: [{ seq: 2 }] });
  }
});

test("another engine on the same journal folds anew, and decides on what is left", async () => {
  const { engine, store, workspace } = await provedTask();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  expect((await other.engine.gate(undefined, ADA)).decision).toBe("pass");
  await engine.journal.shed({ text: "Reject quantities", reason: REASON }, ADA);
  const state = await other.engine.state();
  expect(JSON.stringify(state)).not.toContain("Reject quantities");
  expect(state).toEqual(await engine.state());
  expect(Object.values(state.runs)[0]).toMatchObject({ shed: true });
  expect((await other.engine.conclude({ outcome: "completed" }, ADA)).receipt).toBeDefined();
});

test("a text that comes in while others are looked through is found under the lock", async () => {
  const { engine, store, workspace } = await openEngineOver();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  await note(engine, SECRET);
  const append = store.append.bind(store);
  let isFirst = true;
  store.append = async (known, keys, plan) => {
    if (isFirst) {
      isFirst = false;
      await note(other.engine, `late ${SECRET}`);
    }
    return append(known, keys, plan);
  };
  const { shed } = await engine.journal.shed({ text: SECRET, reason: REASON });
  expect(shed.map(({ seq }) => seq)).toEqual([2, 3]);
  expect(await exported(other.engine)).not.toContain(SECRET);
});

test("a shedding that another one overtakes begins again", async () => {
  const { engine, store, workspace } = await openEngineOver();
  const other = await openEngineOver({ store, workspace, kind: 1 });
  await note(engine, SECRET, "another text");
  const append = store.append.bind(store);
  let isFirst = true;
  store.append = async (known, keys, plan) => {
    if (isFirst) {
      isFirst = false;
      await other.engine.journal.shed({ text: "another text", reason: REASON });
    }
    return append(known, keys, plan);
  };
  const { shed } = await engine.journal.shed({ text: SECRET, reason: REASON });
  expect(shed.map(({ seq }) => seq)).toEqual([2]);
  expect(await engine.journal.verify()).toMatchObject({ ok: true, shedCount: 2 });
});

test("a snapshot from before does not bring a shed text back", async () => {
  const { engine, store, workspace } = await provedTask();
  const stale = await openEngineOver({ store, workspace, kind: 1 });
  // The other engine goes on with the same store.
  store.close = () => Promise.resolve();
  await note(stale.engine, "x");
  const notes = Array.from({ length: 1_000 }, () => ({ type: "x.noted", body: {} }) as const);
  await engine.journal.append(notes, ADA);
  const before = await store.readSnapshot();
  expect(before?.text).toContain(VERIFIER);
  await engine.journal.shed({ text: VERIFIER, reason: REASON });
  expect((await store.readSnapshot())?.text ?? "").not.toContain(VERIFIER);
  if (before !== null) await store.writeSnapshot(before);
  await stale.engine.close();
  expect((await store.readSnapshot())?.text ?? "").not.toContain(VERIFIER);
  const again = await openEngineOver({ store, workspace, kind: 3 });
  expect(JSON.stringify(await again.engine.state())).not.toContain(VERIFIER);
});

test("a snapshot that was read just before a shedding is not gone on from", async () => {
  const { engine, store, workspace } = await provedTask();
  const notes = Array.from({ length: 1_000 }, () => ({ type: "x.noted", body: {} }) as const);
  await engine.journal.append(notes, ADA);
  const readSnapshot = store.readSnapshot.bind(store);
  store.readSnapshot = async () => {
    const snapshot = await readSnapshot();
    store.readSnapshot = readSnapshot;
    await engine.journal.shed({ text: VERIFIER, reason: REASON });
    return snapshot;
  };
  const late = await openEngineOver({ store, workspace, kind: 1 });
  expect(JSON.stringify(await late.engine.state())).not.toContain(VERIFIER);
});

test("a journal that a newer version wrote is not shed from", async () => {
  const { engine, store } = await openEngineOver();
  await note(engine, SECRET);
  await appendTo(await openJournal(store, fixedPorts(5)), anEvent({}, { type: "task.dreamt" }));
  const shed = engine.journal.shed({ text: SECRET, reason: REASON });
  await expect(shed).rejects.toMatchObject({ code: "journal/unknown-event" });
});

test("a damaged journal is not shed from", async () => {
  const { engine, store } = await openEngineOver();
  await note(engine, SECRET);
  const rows = await store.read(0, 10);
  const damaged = new MemoryStore(fixedPorts(7).ids);
  await damaged.append({ seq: 0, hash: "0".repeat(64) }, [], () => ({
    rows: rows.map((row) => ({ ...row, bodyText: row.header.seq === 2 ? "{}" : row.bodyText })),
  }));
  const opened = await openEngineOver({ store: damaged, workspace: new MapWorkspace({}) });
  const shed = opened.engine.journal.shed({ text: SECRET, reason: REASON });
  await expect(shed).rejects.toMatchObject({ code: "journal/corrupt" });
});
