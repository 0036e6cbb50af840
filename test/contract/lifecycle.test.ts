import { expect, test } from "vitest";
import { transition } from "xstate";
import { getShortestPaths } from "xstate/graph";
import {
  type ContractStatus,
  contractMachine,
  type LifecycleEvent,
  nextStatus,
} from "../../src/contract/index.ts";
import type { Command } from "../../src/task/index.ts";
import { ADA, aDraft, BOB, VERIFIER } from "../task/makers.ts";
import { Project, started, startOf } from "../task/project.ts";

const STATUSES: readonly ContractStatus[] = ["open", "completed", "blocked", "partial", "failed"];
const OUTCOMES = ["completed", "blocked", "partial", "failed"] as const;
const EITHER = [false, true] as const;

/** Everything that can ask the lifecycle to move. */
const EVENTS: readonly LifecycleEvent[] = OUTCOMES.flatMap((outcome) =>
  EITHER.flatMap((gatePasses) =>
    EITHER.flatMap((hasReason) =>
      EITHER.map((saysWhere) => ({
        type: "conclude" as const,
        outcome,
        gatePasses,
        hasReason,
        saysWhere,
      })),
    ),
  ),
);

/** The rule in words: proof for `completed`, a reason for all others, and for `failed` where. */
function isAllowed(from: ContractStatus, event: LifecycleEvent): boolean {
  if (from !== "open") return false;
  if (event.outcome === "completed") return event.gatePasses;
  if (event.outcome === "failed") return event.hasReason && event.saysWhere;
  return event.hasReason;
}

test("each status answers each wish as the rule says", () => {
  for (const from of STATUSES) {
    for (const event of EVENTS) {
      const expected = isAllowed(from, event) ? event.outcome : null;
      expect(nextStatus(from, event), `${from} ${JSON.stringify(event)}`).toBe(expected);
    }
  }
});

test("a walk over the machine reaches every outcome in one step, and nothing beyond", () => {
  const paths = getShortestPaths(contractMachine, { events: [...EVENTS] });
  const reached = new Map(paths.map(({ state, steps }) => [state.value, steps]));
  expect([...reached.keys()].toSorted()).toEqual([...STATUSES].toSorted());
  for (const outcome of OUTCOMES) {
    // The first step of a path is how the machine begins.
    const steps = reached.get(outcome)?.slice(1) ?? [];
    expect(steps).toHaveLength(1);
    const snapshot = contractMachine.resolveState({ value: outcome });
    expect(snapshot.status).toBe("done");
    for (const event of EVENTS) {
      expect(transition(contractMachine, snapshot, event)[0].value).toBe(outcome);
    }
  }
});

/** Ways to each outcome, with the real commands. */
const ENDINGS: readonly {
  readonly outcome: (typeof OUTCOMES)[number];
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
