import fc from "fast-check";
import { expect, test } from "vitest";
import { type ContractStatus, hasEnded } from "../../src/contract/index.ts";
import type { Command } from "../../src/task/index.ts";
import { ADA, aDraft, BOB, sha256, VERIFIER } from "../task/makers.ts";
import { Project, started, startOf } from "../task/project.ts";

const EVE = sha256("session of Eve");
const OUTCOMES = ["completed", "blocked", "partial", "failed"] as const;
const ENDS = [...OUTCOMES, "abandoned"] as const;
const STATUSES: readonly ContractStatus[] = ["open", "paused", ...ENDS];

/** Ways to each outcome, with the real commands. */
const ENDINGS: readonly {
  readonly outcome: (typeof ENDS)[number];
  readonly conclude: (project: Project) => unknown;
}[] = [
  {
    outcome: "completed",
    conclude: (project) => {
      project.write("src/cart.js", "fixed");
      project.run();
      return project.conclude("completed").refusal;
    },
  },
  { outcome: "blocked", conclude: (it) => it.conclude("blocked", { reason: "no access" }).refusal },
  { outcome: "partial", conclude: (it) => it.conclude("partial", { reason: "half" }).refusal },
  {
    outcome: "failed",
    conclude: (it) => it.conclude("failed", { reason: "stuck", failedAt: "verify" }).refusal,
  },
  {
    outcome: "abandoned",
    conclude: (it) => it.dispatch({ type: "abandonTask", reason: "not needed" }).refusal,
  },
  {
    outcome: "abandoned",
    conclude: (it) => {
      it.accept({ type: "pauseTask" });
      return it.dispatch({ type: "abandonTask", reason: "not needed" }).refusal;
    },
  },
];

test.each(ENDINGS)(
  "a run that ended as $outcome is changed by no command",
  ({ outcome, conclude }) => {
    const project = started(aDraft({ taskId: "cart" }));
    const { run } = project.own().task.contract;
    expect(conclude(project)).toBeNull();
    const ended = project.state.runs[run];
    expect(ended?.task.status).toBe(outcome);
    expect(ended?.trajectory.phase).toBe("terminal");
    const refused: readonly Command[] = [
      ...OUTCOMES.map(
        (wish) => ({ type: "concludeTask", run, outcome: wish, reason: "x" }) as const,
      ),
      { type: "concludeTask", run, outcome: "failed", reason: "x", failedAt: "plan" },
      { type: "recordGate", run },
      { type: "takeOverTask", run, reason: "x" },
      { type: "pauseTask", run },
      { type: "continueTask", run },
      { type: "abandonTask", run, reason: "x" },
      {
        type: "bindEvidence",
        run,
        criterion: "criterion-01",
        kind: "exact-verifier",
        reference: `command:${VERIFIER}`,
      },
    ];
    for (const command of refused) {
      for (const session of [ADA, BOB]) {
        const before = project.state;
        expect(project.refusal(command, { session })).toBe("contract/not-open");
        expect(project.state).toBe(before);
      }
    }
    // Late observations are facts about the project; they stand in no run.
    project.run();
    project.run("rm -rf build");
    expect(project.events.at(-1)?.header.run).toBe("-");
    expect(project.state.runs[run]).toEqual(ended);
  },
);

test("an outcome without its reason is refused, and says which words are missing", () => {
  const project = started(aDraft());
  const before = project.state;
  for (const outcome of ["blocked", "partial"] as const) {
    expect(project.conclude(outcome).refusal).toMatchObject({
      code: "contract/invalid",
      remedy: "Add --reason …",
    });
  }
  for (const more of [{}, { reason: "x" }, { failedAt: "plan" }] as const) {
    expect(project.conclude("failed", more).refusal).toMatchObject({
      code: "contract/invalid",
      remedy: expect.stringContaining("--failed-at"),
    });
  }
  expect(project.state).toBe(before);
});

test("a refused claim of success leaves the gate that refused it, and the run open", () => {
  const project = started(aDraft());
  const { events, refusal } = project.conclude("completed");
  expect(refusal).toMatchObject({
    code: "gate/refused",
    message: expect.stringContaining("`npm test` was not seen to run"),
    remedy: "Run it: holdfast verify",
  });
  expect(events.map(({ type }) => type)).toEqual(["gate.evaluated"]);
  expect(project.own().task.status).toBe("open");
});

test("a conclusion tells the tree, the commit and what really changed", () => {
  const project = started(aDraft());
  project.write("src/cart.js", "half");
  project.conclude("partial", { reason: "half of it" });
  const { digest, commit } = project.tree();
  expect(project.own().task.conclusion).toMatchObject({
    outcome: "partial",
    reason: "half of it",
    failedAt: null,
    tree: digest,
    commit,
    changed: { paths: ["src/cart.js"], count: 1 },
  });
});

test("only the owner changes a run, until another session takes it over", () => {
  const project = started(aDraft());
  const { run } = project.own().task.contract;
  expect(project.refusal({ type: "recordGate", run }, { session: BOB })).toBe("contract/not-owner");
  project.accept({ type: "takeOverTask", run, reason: "Ada is gone" }, { session: BOB });
  expect(project.state.runs[run]?.task).toMatchObject({ owner: BOB, epoch: 2 });
  expect(project.refusal({ type: "recordGate", run }, { session: ADA })).toBe("contract/not-owner");
  project.accept({ type: "recordGate", run }, { session: BOB });
  project.accept({ type: "takeOverTask", reason: "Ada is back" }, { session: ADA });
  expect(project.state.runs[run]?.task).toMatchObject({ owner: ADA, epoch: 3 });
});

test("a session with an open run of its own takes no other one over", () => {
  const project = started(aDraft());
  const own = project.own().task.contract.run;
  const other = project.start(aDraft(), { session: BOB });
  for (const run of [own, other]) {
    const code = project.refusal({ type: "takeOverTask", run, reason: "x" });
    expect(code).toBe("contract/session-has-open-run");
  }
});

test("a command that expected another version of the run is refused", () => {
  const project = started(aDraft());
  const { version } = project.own().task;
  project.accept({ type: "recordGate", expectedVersion: version });
  const stale: readonly Command[] = [
    { type: "recordGate", expectedVersion: version },
    { type: "concludeTask", outcome: "partial", reason: "x", expectedVersion: version },
    {
      type: "bindEvidence",
      criterion: "criterion-01",
      kind: "exact-verifier",
      reference: "seq:1",
      expectedVersion: version,
    },
  ];
  for (const command of stale) {
    expect(project.refusal(command), command.type).toBe("journal/version-conflict");
  }
  const takeOver = { type: "takeOverTask", reason: "x", expectedVersion: version } as const;
  expect(project.refusal(takeOver, { session: BOB })).toBe("journal/version-conflict");
  const now = project.own().task.version;
  project.accept({ ...takeOver, expectedVersion: now }, { session: BOB });
});

test("observations do not move the version that a command expects", () => {
  const project = started(aDraft());
  const { version } = project.own().task;
  project.write("src/cart.js", "v2");
  project.run();
  project.request("rm -rf build");
  expect(project.own().task.version).toBe(version);
});

test("a command that names no run or one that is not there is refused", () => {
  const project = new Project();
  expect(project.refusal({ type: "recordGate" })).toBe("task/none");
  const run = "01900000-0000-7000-8000-00000000dead";
  expect(project.refusal({ type: "recordGate", run })).toBe("task/unknown");
  expect(project.refusal({ type: "takeOverTask", reason: "x" })).toBe("task/none");
  expect(project.refusal(startOf({ ...aDraft(), verifyCommands: [] }))).toBe(
    "contract/no-verifier",
  );
});

/** Runs that have not ended, by how they came to stand where they stand. */
const atWork = () => started(aDraft({ taskId: "cart" }));
const paused = () => {
  const project = atWork();
  project.accept({ type: "pauseTask", reason: "lunch" });
  return project;
};

test("a run is paused and continued, each once, and its version moves", () => {
  const project = atWork();
  const [event] = project.accept({ type: "pauseTask", reason: "lunch" });
  expect(event).toMatchObject({ header: { type: "task.paused" }, body: { reason: "lunch" } });
  expect(project.own().task).toMatchObject({
    status: "paused",
    version: event?.header.runSeq,
    pause: { reason: "lunch", seq: event?.header.seq },
  });
  expect(project.dispatch({ type: "pauseTask" })).toMatchObject({
    events: [],
    refusal: { code: "contract/paused", remedy: expect.stringContaining("task continue") },
  });
  const [continued] = project.accept({ type: "continueTask" });
  expect(project.own().task).toMatchObject({
    status: "open",
    version: continued?.header.runSeq,
    pause: null,
  });
  expect(project.dispatch({ type: "continueTask" })).toMatchObject({
    events: [],
    refusal: { code: "contract/not-paused", remedy: expect.stringContaining("holdfast resume") },
  });
});

test("a paused run is neither judged nor concluded until it is continued", () => {
  const project = atWork();
  project.write("src/cart.js", "fixed");
  project.run();
  project.accept({ type: "pauseTask" });
  const before = project.state;
  const refused: readonly Command[] = [
    { type: "recordGate" },
    ...OUTCOMES.map(
      (outcome) =>
        ({ type: "concludeTask", outcome, reason: "because", failedAt: "verify" }) as const,
    ),
    {
      type: "bindEvidence",
      criterion: "criterion-01",
      kind: "exact-verifier",
      reference: `command:${VERIFIER}`,
    },
  ];
  for (const command of refused) {
    expect(project.dispatch(command), command.type).toMatchObject({
      events: [],
      refusal: { code: "contract/paused", remedy: expect.stringContaining("task continue") },
    });
  }
  expect(project.state).toBe(before);
  project.accept({ type: "continueTask" });
  expect(project.conclude("completed").refusal).toBeNull();
});

test("what is observed while a run is paused stands in it and counts as proof later", () => {
  const project = paused();
  const { run } = project.own().task.contract;
  project.write("src/cart.js", "fixed");
  const seq = project.run();
  expect(project.events[seq - 1]?.header.run).toBe(run);
  expect(project.own().task.status).toBe("paused");
  const request = project.request("rm -rf build");
  project.accept({
    type: "settleCall",
    seq: request,
    as: "not-happened",
    reason: "nothing is gone",
    by: "terminal",
  });
  project.accept({ type: "continueTask" });
  expect(project.standing().currency).toBe("current");
});

test("a session with a paused run starts no other and takes no other over", () => {
  const project = paused();
  const other = project.start(aDraft(), { session: BOB });
  expect(project.refusal(startOf(aDraft()))).toBe("contract/session-has-open-run");
  expect(project.refusal(startOf(aDraft({ taskId: "cart" })), { session: EVE })).toBe(
    "contract/session-has-open-run",
  );
  const takeOver = { type: "takeOverTask", run: other, reason: "x" } as const;
  expect(project.refusal(takeOver)).toBe("contract/session-has-open-run");
});

test("a paused run that is taken over stays paused, and its new owner continues it", () => {
  const project = paused();
  const { run } = project.own().task.contract;
  for (const type of ["pauseTask", "continueTask"] as const) {
    expect(project.refusal({ type, run }, { session: BOB })).toBe("contract/not-owner");
  }
  expect(project.refusal({ type: "abandonTask", run, reason: "x" }, { session: BOB })).toBe(
    "contract/not-owner",
  );
  project.accept({ type: "takeOverTask", run, reason: "Ada is gone" }, { session: BOB });
  expect(project.own(BOB).task).toMatchObject({ status: "paused", owner: BOB });
  project.accept({ type: "continueTask" }, { session: BOB });
  expect(project.refusal({ type: "pauseTask", run })).toBe("contract/not-owner");
});

test("a run is abandoned for a reason only, and without asking its gate or the tree", () => {
  for (const project of [atWork(), paused()]) {
    project.unavailable = ["src/cart.js"];
    expect(project.dispatch({ type: "abandonTask" })).toMatchObject({
      events: [],
      refusal: { code: "contract/invalid", remedy: "Add --reason …" },
    });
    const events = project.accept({ type: "abandonTask", reason: "not needed" });
    expect(events.map(({ header }) => header.type)).toEqual(["task.abandoned", "phase.entered"]);
    expect(project.own().trajectory.phase).toBe("terminal");
    const { run } = project.own().task.contract;
    expect(project.own().task).toMatchObject({
      status: "abandoned",
      conclusion: null,
      pause: null,
      abandonment: { reason: "not needed" },
    });
    expect(project.dispatch({ type: "recordGate", run }).refusal?.message).toContain(
      "was abandoned at event",
    );
  }
});

test("lifecycle commands that expected another version of the run are refused", () => {
  const project = atWork();
  const { version } = project.own().task;
  project.accept({ type: "recordGate" });
  const stale = { expectedVersion: version };
  const conflict = "journal/version-conflict";
  expect(project.refusal({ type: "pauseTask", ...stale })).toBe(conflict);
  expect(project.refusal({ type: "abandonTask", reason: "x", ...stale })).toBe(conflict);
  project.accept({ type: "pauseTask" });
  expect(project.refusal({ type: "continueTask", ...stale })).toBe(conflict);
  project.accept({ type: "abandonTask", reason: "x" });
  expect(project.refusal({ type: "retryTask", ...stale })).toBe(conflict);
  const { version: expectedVersion } = project.own().task;
  project.accept({ type: "retryTask", expectedVersion });
});

test("what paused, continued or abandoned a run is still told once its text was shed", () => {
  const project = atWork();
  const { run } = project.own().task.contract;
  project.plant("task.paused", null, run);
  expect(project.own().task).toMatchObject({ status: "paused", pause: { reason: null } });
  project.plant("task.continued", null, run);
  expect(project.own().task).toMatchObject({ status: "open", pause: null });
  project.plant("task.abandoned", null, run);
  expect(project.own().task).toMatchObject({ status: "abandoned", abandonment: { reason: null } });
  expect(project.state.notUnderstood).toBeNull();
});

const aLifecycleCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.constantFrom<Command>(
    { type: "pauseTask" },
    { type: "continueTask" },
    { type: "abandonTask" },
    { type: "abandonTask", reason: "x" },
    { type: "retryTask" },
    { type: "recordGate" },
    { type: "takeOverTask", reason: "x" },
    { type: "concludeTask", outcome: "failed", reason: "x", failedAt: "plan" },
  ),
  fc
    .constantFrom(...OUTCOMES)
    .map((outcome) => ({ type: "concludeTask" as const, outcome, reason: "x" })),
);

test("no sequence of commands leads a run out of its end", () => {
  const commands = fc.array(fc.tuple(fc.constantFrom(ADA, BOB), aLifecycleCommand), {
    minLength: 2,
    maxLength: 30,
    size: "max",
  });
  const met = new Set<string>();
  fc.assert(
    fc.property(commands, fc.boolean(), (history, isProved) => {
      const project = started(aDraft({ taskId: "cart", maxAttempts: 10 }));
      if (isProved) {
        project.write("src/cart.js", "fixed");
        project.run();
      }
      const ended = new Map<string, unknown>();
      for (const [session, command] of history) {
        project.dispatch(command, { session });
        for (const [run, state] of Object.entries(project.state.runs)) {
          met.add(state.task.status);
          if (ended.has(run)) expect(state).toEqual(ended.get(run));
          else if (hasEnded(state.task.status)) ended.set(run, state);
        }
        // Nor is it meant by a command that names it.
        for (const run of ended.keys()) {
          const named = command.type === "retryTask" ? null : { ...command, run };
          if (named !== null) expect(project.refusal(named, { session })).toBe("contract/not-open");
        }
      }
    }),
    { numRuns: 100, seed: 11 },
  );
  expect([...met].toSorted()).toEqual([...STATUSES].toSorted());
});
