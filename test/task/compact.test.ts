import fc from "fast-check";
import { expect, test } from "vitest";
import { hasEnded } from "../../src/contract/index.ts";
import { evaluateGate } from "../../src/evidence/index.ts";
import { decideResume } from "../../src/handoff/index.ts";
import { EMPTY_HEAD, type JsonObject, type StoredEvent } from "../../src/journal/index.ts";
import {
  type Command,
  compactedBody,
  type Decision,
  decide,
  decideCompaction,
  decideWithoutEvents,
  type Extents,
  fold,
  isJournalCompacted,
  namedRun,
  type ProjectState,
  type RemovedTask,
  runsOf,
} from "../../src/task/index.ts";
import { acts, play } from "./commands.ts";
import {
  ADA,
  aDraft,
  aHeader,
  anId,
  aReading,
  BOB,
  FAILED,
  facts,
  HASHING,
  NO_OUTPUT,
  PASSED,
  sha256,
  VERIFIER,
} from "./makers.ts";
import { Project, started, startOf } from "./project.ts";

function extentsOf(events: readonly StoredEvent[]): Extents {
  const extents = new Map<string, { first: number; last: number }>();
  for (const { header } of events) {
    if (header.run === "-") continue;
    const first = extents.get(header.run)?.first ?? header.seq;
    extents.set(header.run, { first, last: header.seq });
  }
  return extents;
}

const headOf = (event: StoredEvent | undefined) =>
  event === undefined ? EMPTY_HEAD : { seq: event.header.seq, hash: event.hash };

/** Decides on a compaction of everything that happened, and folds what it leaves. */
function compactedTo(project: Project, ceiling: number) {
  const { events, state } = project;
  const head = headOf(events.at(-1));
  const input = { state, extents: extentsOf(events), start: EMPTY_HEAD, head, ceiling };
  const decision = decideCompaction(input);
  const { cut } = decision;
  if (cut === null) return { decision, events, state, body: null };
  const body = compactedBody(input, decision, {
    journal: "a-journal",
    through: headOf(events[cut - 1]),
  });
  expect(isJournalCompacted(body)).toBe(true);
  const seq = head.seq + 1;
  const anchor: StoredEvent = {
    header: aHeader({ seq, id: anId(seq), type: "journal.compacted" }),
    hash: sha256(`event ${seq}`),
    body: body as unknown as JsonObject,
  };
  const left = [...events.slice(cut), anchor];
  return { decision, events: left, state: fold(left), body };
}

const openRuns = (state: ProjectState) =>
  runsOf(state).filter(({ task }) => !hasEnded(task.status));

/** What can be told of a project's open runs. */
function told(project: Project, state: ProjectState) {
  return openRuns(state).map((run) => {
    const { task, graph } = run;
    const tree = project.tree({ session: task.owner });
    const gate =
      graph === null
        ? null
        : evaluateGate({ task, graph, evidence: state.evidence, tree, hashing: HASHING });
    const resumed = [ADA, BOB].map((session) =>
      decideResume({ state, session, tree, hashing: HASHING, sha256, damage: null }),
    );
    return { run, gate, resumed };
  });
}

const DRAFTS = [
  aDraft({ taskId: "cart" }),
  aReading({ taskId: "look" }),
  aDraft({ taskId: "another" }),
];
const NEWCOMER = sha256("a session that comes later");

/** What becomes of a command that is decided now. */
function decided(project: Project, state: ProjectState, command: Command, session = NEWCOMER) {
  const tree = { ...project.tree({ session }), sinceSeq: Number.MAX_SAFE_INTEGER };
  const { events, refusal }: Decision = decide(state, command, facts({ session, tree }));
  return { code: refusal?.code ?? null, events: events.map(({ type, body }) => ({ type, body })) };
}

function observing(project: Project, session: string, end = PASSED): Command {
  const treeBefore = project.tree({ session }).digest;
  return {
    type: "observeCommand",
    call: "a call that nobody made",
    tool: "bash",
    command: VERIFIER,
    treeBefore,
    end,
    output: NO_OUTPUT,
    durationMs: 1,
  };
}

test("after a compaction all open runs stand as before, and the same may be started and seen", () => {
  let compactions = 0;
  fc.assert(
    fc.property(acts, fc.integer({ min: 1, max: 30 }), (history, ceiling) => {
      const project = play(history);
      const { decision, events, state } = compactedTo(project, ceiling);
      const { cut, heldBy } = decision;
      if (cut === null) return;
      compactions++;
      expect(state.notUnderstood).toBe(project.state.notUnderstood);
      expect(events.length <= ceiling || heldBy.length > 0).toBe(true);
      expect(told(project, state)).toEqual(told(project, project.state));
      expect(state.evidence.trees).toEqual(project.state.evidence.trees);
      for (const draft of DRAFTS) {
        const command = startOf(draft);
        expect(decided(project, state, command)).toEqual(decided(project, project.state, command));
      }
      for (const session of [ADA, BOB]) {
        for (const end of [PASSED, FAILED]) {
          const command = observing(project, session, end);
          expect(decided(project, state, command, session)).toEqual(
            decided(project, project.state, command, session),
          );
        }
      }
    }),
    { numRuns: 400 },
  );
  expect(compactions).toBeGreaterThan(0);
}, 30_000);

/** Ends a run, with so many notes after it that it is old. */
function ended(draft = aDraft({ taskId: "cart" }), project = new Project()): Project {
  project.start(draft);
  project.conclude("partial", { reason: "enough" });
  return project;
}

test("a run of which anything stays, stays whole", () => {
  const project = ended();
  const whole = project.events.length;
  for (let ceiling = 2; ceiling < whole; ceiling++) {
    const { decision } = compactedTo(project, ceiling);
    expect(decision).toMatchObject({ cut: whole, heldBy: [] });
  }
});

test("an open run keeps everything from its beginning on, and is named", () => {
  const project = ended();
  const before = project.events.length;
  const run = project.start(aDraft({ taskId: "cart" }));
  for (let n = 0; n < 5; n++) project.run();
  expect(compactedTo(project, 3).decision).toMatchObject({
    cut: before,
    heldBy: [{ run, taskId: "cart", why: expect.stringContaining(`event ${before + 1}`) }],
  });
  expect(compactedTo(project, 1_000).decision).toMatchObject({ cut: null, heldBy: [] });
});

test("a paused run keeps what an open one keeps, and the way out is named", () => {
  const project = new Project();
  const run = project.start(aDraft({ taskId: "cart" }));
  project.accept({ type: "pauseTask" });
  const { decision } = compactedTo(project, 1);
  expect(decision).toMatchObject({
    cut: null,
    heldBy: [{ run, taskId: "cart", why: expect.stringMatching(/paused.*abandon/) }],
  });
});

test("an abandoned run is removed, remembered as such, and its attempt still counts", () => {
  const project = new Project();
  const run = project.start(aDraft({ taskId: "cart", maxAttempts: 1 }));
  project.accept({ type: "abandonTask", reason: "not needed" });
  const { decision, state } = compactedTo(project, 1);
  expect(decision.heldBy).toEqual([]);
  expect(state.removed).toMatchObject({ cart: { outcome: "abandoned", attempts: 1 } });
  expect(decided(project, state, startOf(aDraft({ taskId: "cart" }))).code).toBe(
    "contract/attempts-used",
  );
  expect(decided(project, state, { type: "retryTask", run }).code).toBe("task/removed");
});

test("attempts, their ceiling and a completed task are remembered over several compactions", () => {
  const project = ended(aDraft({ taskId: "cart", maxAttempts: 2 }));
  const done = aReading({ taskId: "look" });
  project.start(done);
  project.bind("criterion-01", "read-evidence", "README.md");
  expect(project.conclude("completed").refusal).toBeNull();
  const first = compactedTo(project, 1);
  expect(Object.values(first.state.removed)).toMatchObject([
    { taskId: "cart", outcome: "partial", attempts: 1, maxAttempts: 2 },
    { taskId: "look", outcome: "completed", attempts: 1 },
  ]);
  expect(first.state.runs).toEqual({});
  const codes = (state: ProjectState) =>
    [aDraft({ taskId: "cart", maxAttempts: 9 }), done].map((draft) => {
      const { code, events } = decided(project, state, startOf(draft));
      const { contract } = (events[0]?.body ?? {}) as { contract?: Record<string, unknown> };
      return code ?? [contract?.attempt, contract?.maxAttempts];
    });
  expect(codes(first.state)).toEqual([[2, 2], "contract/task-completed"]);
  project.start(aDraft({ taskId: "cart" }));
  project.conclude("failed", { reason: "no", failedAt: "execute" });
  const second = compactedTo(project, 1);
  expect(second.state.removed.cart).toMatchObject({ outcome: "failed", attempts: 2 });
  expect(second.state.removed.cart?.runs).toHaveLength(2);
  expect(codes(second.state)).toEqual(["contract/attempts-used", "contract/task-completed"]);
});

test("what an earlier compaction remembered is repeated by the next", () => {
  const project = ended();
  const first = compactedTo(project, 1);
  const again = decideCompaction({
    state: first.state,
    extents: new Map(),
    start: headOf(project.events.at(-1)),
    head: { seq: project.events.length + 20, hash: sha256("later") },
    ceiling: 5,
  });
  expect(again.tasks).toEqual(Object.values(first.state.removed));
});

test("a removed run is told by its task, and not taken for one that never was", () => {
  const project = ended();
  const { run } = project.own().task.contract;
  const { state } = compactedTo(project, 1);
  expect(namedRun(state, { session: ADA }, run)).toMatchObject({
    refused: { code: "task/removed", message: expect.stringContaining("cart") },
  });
  expect(namedRun(state, { session: ADA }, anId(7))).toMatchObject({
    refused: { code: "task/unknown" },
  });
});

test("a failure before a compaction still makes the pass after it a flaky one", () => {
  const project = started(aDraft({ taskId: "cart" }));
  project.write("src/cart.js", "v2");
  project.run(VERIFIER, FAILED);
  project.conclude("partial", { reason: "flaky" });
  const { state } = compactedTo(project, 1);
  project.state = state;
  project.start(aDraft({ taskId: "cart" }));
  project.run();
  expect(project.standing()).toMatchObject({ currency: "current", failures: 1 });
});

/** A project of which as many tasks were removed as a journal remembers, less a few. */
function remembering(fewer: number, ...more: readonly string[]) {
  const project = new Project();
  const ids = Array.from({ length: 5_000 - fewer }, (_, n) => `task-${n}`);
  for (const taskId of [ids[0] ?? "", ...more]) ended(aDraft({ taskId }), project);
  const known = ids.map((taskId, n): RemovedTask => {
    const run = anId(10_000 + n);
    return { taskId, run, outcome: "partial", attempts: 1, maxAttempts: 3, runs: [run] };
  });
  const removed = Object.fromEntries(known.map((task) => [task.taskId, task]));
  project.state = { ...project.state, removed };
  return project;
}

test("no more tasks are remembered than one event holds, and the first one beyond is named", () => {
  const project = remembering(1, "one", "another");
  const [again, , beyond] = runsOf(project.state);
  const { decision, events } = compactedTo(project, 1);
  expect(decision).toMatchObject({
    cut: (beyond?.task.startedSeq ?? 0) - 1,
    heldBy: [{ taskId: "another", why: expect.stringContaining("5000 removed tasks") }],
  });
  expect(decision.tasks).toHaveLength(5_000);
  expect(decision.tasks[0]?.runs).toContain(again?.task.contract.run);
  const left = fold(events);
  const input = { state: left, extents: extentsOf(events), start: headOf(project.events.at(-1)) };
  const next = { ...input, start: { seq: decision.cut ?? 0, hash: "" }, ceiling: 1 };
  const head = headOf(events.at(-1));
  expect(decideCompaction({ ...next, head })).toMatchObject({
    cut: null,
    heldBy: [{ taskId: "another" }],
  });
});

test("runs of tasks that are remembered already go on being removed", () => {
  const project = remembering(0);
  const { decision } = compactedTo(project, 1);
  expect(decision).toMatchObject({ cut: project.events.length, heldBy: [] });
  expect(decision.tasks).toHaveLength(5_000);
});

test("what is decided without the events is what they would have said", () => {
  let decisions = 0;
  fc.assert(
    fc.property(acts, fc.integer({ min: 1, max: 30 }), (history, ceiling) => {
      const { events, state } = play(history);
      const given = { state, start: EMPTY_HEAD, head: headOf(events.at(-1)), ceiling };
      const decision = decideWithoutEvents(given);
      if (decision === null) return;
      decisions++;
      expect(decideCompaction({ ...given, extents: extentsOf(events) })).toEqual(decision);
    }),
  );
  expect(decisions).toBeGreaterThan(0);
});

test("an anchor of another shape is not understood", () => {
  const project = ended();
  project.plant("journal.compacted", { removed: 1 });
  expect(project.state.notUnderstood).toMatchObject({ why: "unknown-shape" });
});
