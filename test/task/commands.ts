import fc from "fast-check";
import { type Command, openRunOf } from "../../src/task/index.ts";
import {
  ADA,
  aContractV1,
  aDraft,
  aReading,
  BEHAVIOR,
  BOB,
  FAILED,
  importOf,
  NO_OUTPUT,
  PASSED,
  TIMED_OUT,
  VERIFIED,
  VERIFIER,
} from "./makers.ts";
import { Project, startOf } from "./project.ts";

/** One thing that happens: a session dispatches a command, or somebody edits a file. */
export type Act =
  | { readonly type: "edit"; readonly path: string; readonly content: string }
  | {
      readonly type: "dispatch";
      readonly session: string;
      readonly command: Command;
      /** Whether the command refers to what is really there: the tree, an open call, an observation. */
      readonly isInformed: boolean;
    };

/** Names that every object has, beside plain ones. */
const ODD_NAMES = ["a", "b", "12", "3", "__proto__", "constructor", "toString"] as const;

const aCommandText = fc.constantFrom(
  VERIFIER,
  VERIFIER,
  VERIFIER,
  `${VERIFIER} || true`,
  "npm  test",
  "node check.js",
  "rm -rf build",
  "echo ok",
  "API_KEY=correct-horse-battery node check.js",
  "constructor",
);
const aName = fc.constantFrom(...ODD_NAMES);
const aSeq = fc.integer({ min: 1, max: 40 });
const aReason = fc.constantFrom("because", "__proto__", "it is gone");
const anEffect = fc.constantFrom("read", "write", "shell", "unknown");
const anEnd = fc.constantFrom(PASSED, PASSED, FAILED, TIMED_OUT);
const aCwd = fc.constantFrom(undefined, undefined, undefined, "packages/cart");

const aDraftOfSomeKind = fc.constantFrom(
  aDraft({ taskId: "cart", riskLane: "tiny" }),
  aDraft({ taskId: "cart", acceptanceCriteria: [BEHAVIOR, VERIFIED] }),
  aDraft({ riskLane: "high-risk" }),
  aReading({ taskId: "look" }),
  aReading({ verifyCommands: [VERIFIER] }),
  aDraft({ verifyCommands: [] }),
);

const aCriterion = fc.constantFrom("criterion-01", "criterion-02", "criterion-09", "__proto__");
const aProposedCriterion = fc.oneof(
  fc.constantFrom(BEHAVIOR, VERIFIED, "the cart handles names"),
  fc.record({ id: aCriterion.filter((id) => id.startsWith("criterion")) }),
  fc.record({ id: fc.constant("criterion-01"), text: fc.constantFrom("other words", BEHAVIOR) }),
);
const aPlannedStep = fc.record({
  id: fc.constantFrom("plan", "scout", "implement", "review", "verify", "extra"),
  title: fc.constant("As it is put now"),
  mode: fc.constantFrom("read-only", "single-writer", "review"),
  dependsOn: fc.constantFrom([], [], ["plan"], ["implement"]),
});
const aKind = fc.constantFrom("behavioral-check", "exact-verifier", "read-evidence", "scoped-diff");
const aReference = fc.oneof(
  aSeq.map((seq) => `seq:${seq}`),
  aCommandText.map((text) => `command:${text}`),
  fc.constantFrom("README.md", "path:src/cart.js", "constructor", "path:__proto__"),
);

const withCwd = <T extends object>(command: T, cwd: string | undefined) =>
  cwd === undefined ? command : { ...command, cwd };

const aCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: aDraftOfSomeKind.map(startOf) },
  {
    weight: 4,
    arbitrary: fc
      .record({ call: aName, effect: anEffect, command: aCommandText, cwd: aCwd })
      .map(({ cwd, ...call }) => withCwd({ type: "requestTool", tool: "bash", ...call }, cwd)),
  },
  {
    weight: 8,
    arbitrary: fc
      .record({ call: aName, end: anEnd, command: aCommandText, cwd: aCwd })
      .map(({ cwd, ...call }) =>
        withCwd(
          {
            type: "observeCommand",
            tool: "bash",
            treeBefore: null,
            output: NO_OUTPUT,
            durationMs: 1,
            ...call,
          },
          cwd,
        ),
      ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("bindEvidence" as const),
      criterion: aCriterion,
      kind: aKind,
      reference: aReference,
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .uniqueArray(aPlannedStep, { minLength: 1, maxLength: 5, selector: ({ id }) => id })
      .map((plan) => ({ type: "recordPlan" as const, plan })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("moveStep" as const),
      step: fc.constantFrom("plan", "scout", "implement", "review", "verify"),
      status: fc.constantFrom("in-progress", "done", "skipped", "failed"),
      note: aReason.map((reason) => reason.slice(0, 500)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("judgeCriterion" as const),
      criterion: aCriterion,
      as: fc.constantFrom("approved", "waived", "deferred"),
      reason: aReason,
      by: fc.constant("terminal" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: fc.constant("proposeCriteria" as const),
        acceptanceCriteria: fc.array(aProposedCriterion, { minLength: 1, maxLength: 4 }),
        scope: fc.constantFrom(["src/**"], ["README.md", "src/**"], ["../out"]),
        reason: aReason,
      },
      { requiredKeys: ["type", "acceptanceCriteria", "reason"] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("acceptCriteria" as const),
      amendment: fc.constantFrom("amendment-01", "amendment-02"),
      reason: aReason,
      by: fc.constant("terminal" as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record(
      {
        type: fc.constant("narrowScope" as const),
        scope: fc.constantFrom(["src/cart.js"], ["src/**"], ["**"]),
        outOfScope: fc.constantFrom(["src/billing/**"], ["__proto__"]),
        reason: aReason,
      },
      { requiredKeys: ["type", "reason"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("giveInstruction" as const),
      text: fc.constantFrom("and do not touch README.md", "__proto__", `${"long ".repeat(2_000)}`),
      by: fc.constantFrom("user", "extension", "terminal", "program"),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ type: "recordGate" as const }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("completed", "blocked", "partial", "failed"), aReason, fc.boolean())
      .map(([outcome, reason, isWhole]) => ({
        type: "concludeTask" as const,
        outcome,
        ...(isWhole ? { reason, failedAt: "execute" as const } : {}),
      })),
  },
  { weight: 1, arbitrary: aReason.map((reason) => ({ type: "takeOverTask" as const, reason })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom("pauseTask", "continueTask", "continueTask", "abandonTask"),
        fc.option(aReason, { nil: undefined }),
      )
      .map(([type, reason]) => (reason === undefined ? { type } : { type, reason })),
  },
  { weight: 1, arbitrary: fc.constant({ type: "retryTask" as const }) },
  {
    weight: 1,
    arbitrary: fc
      .record({
        taskId: fc.constantFrom("cart", "look", "old"),
        attempt: fc.integer({ min: 1, max: 4 }),
        trace: fc.record({ outcome: fc.constantFrom("pending", "completed", "failed") }),
      })
      .map((over) => importOf(aContractV1(over))),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("settleCall" as const),
      seq: aSeq,
      as: fc.constantFrom("happened", "not-happened", "run-again"),
      reason: aReason,
      by: fc.constantFrom("terminal", "program"),
    }),
  },
  {
    weight: 1,
    arbitrary: aName.map((name) => ({
      type: "appendExtension" as const,
      events: [{ type: "x.test", body: JSON.parse(`{"${name}": 1}`) as Record<string, unknown> }],
    })),
  },
) as fc.Arbitrary<Command>;

const anAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("edit" as const),
      path: fc.constantFrom(
        "src/cart.js",
        "src/cart.js",
        "src/__proto__",
        "src/constructor",
        "README.md",
      ),
      content: fc.constantFrom("v1", "v2", "v3"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("dispatch" as const),
      session: fc.constantFrom(ADA, ADA, ADA, BOB),
      command: aCommand,
      isInformed: fc.boolean(),
    }),
  },
);

/** The verifier passes on the tree that is there, and the run is concluded: often enough rightly. */
const aClaim: fc.Arbitrary<readonly Act[]> = fc.constantFrom(ADA, BOB).map((session) =>
  (
    [
      {
        type: "observeCommand",
        call: "verify",
        tool: "bash",
        command: VERIFIER,
        treeBefore: null,
        end: PASSED,
        output: NO_OUTPUT,
        durationMs: 1,
      },
      { type: "concludeTask", outcome: "completed" },
    ] as const
  ).map((command) => ({ type: "dispatch", session, command, isInformed: true })),
);

/** What two sessions may do to one project, in any order; Ada begins, and much is refused. */
export const acts: fc.Arbitrary<readonly Act[]> = fc
  .tuple(
    aDraftOfSomeKind,
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: anAct.map((act) => [act]) },
        { weight: 1, arbitrary: aClaim },
      ),
      { minLength: 1, maxLength: 25, size: "max" },
    ),
  )
  .map(([draft, more]) => [
    { type: "dispatch", session: ADA, command: startOf(draft), isInformed: true },
    ...more.flat(),
  ]);

export type Dispatch = Extract<Act, { type: "dispatch" }>;

/** The command as it is dispatched at its moment. */
export function commandOf(project: Project, { session, command, isInformed }: Dispatch): Command {
  if (!isInformed) return command;
  const { openCalls, recent } = project.state.evidence;
  switch (command.type) {
    case "observeCommand":
      return { ...command, treeBefore: project.tree({ session }).digest };
    case "settleCall": {
      const open = Object.values(openCalls);
      return { ...command, seq: open[command.seq % open.length]?.seq ?? command.seq };
    }
    case "bindEvidence": {
      const criterion = "criterion-01";
      const seq = recent.at(-1)?.seq ?? 1;
      return command.reference.startsWith("seq:")
        ? { ...command, criterion, reference: `seq:${seq}` }
        : { ...command, criterion };
    }
    case "judgeCriterion":
      return { ...command, criterion: "criterion-01" };
    case "acceptCriteria": {
      const proposal = openRunOf(project.state, session)?.task.proposal;
      return { ...command, amendment: proposal?.amendment ?? command.amendment };
    }
    default:
      return command;
  }
}

/** Plays a history, with a look at the project around each dispatch. */
export function play(
  history: readonly Act[],
  around: (project: Project, act: Dispatch) => void = (project, act) => {
    project.dispatch(commandOf(project, act), { session: act.session });
  },
): Project {
  const project = new Project();
  for (const act of history) {
    if (act.type === "edit") project.write(act.path, act.content);
    else around(project, act);
  }
  return project;
}
