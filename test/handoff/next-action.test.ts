import { expect, test } from "vitest";
import { aDraft, aReading, BEHAVIOR, FAILED, PASSED, VERIFIED, VERIFIER } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

interface Case {
  readonly given: string;
  readonly draft?: Parameters<typeof started>[0];
  readonly tell: (project: Project) => unknown;
  readonly action: string;
  readonly command?: string | RegExp;
}

const fix = (project: Project) => project.write("src/cart.js", "fixed");
const VERIFY = { action: "rerun-exact-verifier", command: "holdfast verify" };

function runAgain(project: Project, command: string, effect: "shell" | "write" = "shell"): void {
  const seq = project.request(command, { effect });
  const settlement = { as: "run-again", reason: "it was cut off", by: "program" } as const;
  project.accept({ type: "settleCall", seq, ...settlement });
}

const CASES: readonly Case[] = [
  { given: "a verifier that never ran", tell: fix, ...VERIFY },
  {
    given: "a verifier that went stale",
    tell: (it) => {
      it.run();
      fix(it);
    },
    ...VERIFY,
  },
  {
    given: "a verifier that failed before the fix",
    tell: (it) => {
      it.run(VERIFIER, FAILED);
      fix(it);
    },
    ...VERIFY,
  },
  {
    given: "a verifier that failed on this tree",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, FAILED);
    },
    action: "continue-plan",
  },
  {
    given: "one verifier that failed on this tree and one that did before",
    draft: aDraft({ verifyCommands: [VERIFIER, "npm run lint"] }),
    tell: (it) => {
      it.run("npm run lint", FAILED);
      fix(it);
      it.run(VERIFIER, FAILED);
    },
    action: "continue-plan",
  },
  {
    given: "a verifier that was cut off",
    tell: (it) => {
      fix(it);
      it.request();
    },
    ...VERIFY,
  },
  {
    given: "a verifier that passed and was cut off when it ran again",
    tell: (it) => {
      fix(it);
      it.run();
      it.request();
    },
    ...VERIFY,
  },
  {
    given: "a writing call that was cut off, before all else",
    tell: (it) => it.request("rm -rf build"),
    action: "settle-uncertain-call",
    command: /^holdfast settle \d+ --as … --reason …$/,
  },
  {
    given: "a call that is to be run again",
    tell: (it) => runAgain(it, "grep 'a b' c"),
    action: "run-call-again",
    command: "holdfast exec -c 'grep '\\''a b'\\'' c'",
  },
  {
    given: "a call that is to be run again and is no command line",
    tell: (it) => runAgain(it, '{"path":"src/cart.js"}', "write"),
    action: "run-call-again",
    command: /^holdfast show \d+$/,
  },
  {
    given: "a call that was run again",
    tell: (it) => {
      runAgain(it, "make build");
      it.run("make build");
    },
    ...VERIFY,
  },
  {
    given: "a reading call that was cut off",
    tell: (it) => it.request("cat src/cart.js", { effect: "read" }),
    ...VERIFY,
  },
  {
    given: "a change out of scope",
    tell: (it) => {
      it.write("README.md", "changed");
      it.run();
    },
    action: "restore-tree",
  },
  {
    given: "a criterion without evidence",
    draft: aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }),
    tell: (it) => {
      fix(it);
      it.run();
    },
    action: "supply-evidence",
    command:
      "holdfast evidence add --criterion criterion-01 --kind behavioral-check --ref 'command:…'",
  },
  {
    given: "a look without evidence",
    draft: aReading(),
    tell: () => {},
    action: "supply-evidence",
    command: "holdfast evidence add --criterion criterion-01 --kind read-evidence --ref 'path:…'",
  },
  {
    given: "a criterion that only a person judges",
    draft: aDraft({ acceptanceCriteria: [{ text: "it reads well", kind: "human" }] }),
    tell: (it) => {
      fix(it);
      it.run();
    },
    action: "ask-person",
  },
  {
    given: "a gate that passes",
    tell: (it) => {
      fix(it);
      it.run();
    },
    action: "request-completion",
    command: "holdfast conclude --outcome completed",
  },
];

test.each(CASES)(
  "after $given the next step is $action",
  ({ draft = aDraft(), tell, action, command }) => {
    const project = started(draft);
    tell(project);
    const { next } = project.resume();
    expect(next.action).toBe(action);
    if (typeof command === "string") expect(next.commands[0]).toBe(command);
    if (command instanceof RegExp) expect(next.commands[0]).toMatch(command);
    for (const line of next.commands) expect(line).toMatch(/^holdfast /);
    expect(next.commands.length).toBeGreaterThan(0);
  },
);

test("each uncertain call has its own way to settle it", () => {
  const project = started(aDraft());
  const seqs = [project.request("rm -rf a"), project.request("rm -rf b")];
  expect(project.resume().next.commands).toEqual(
    seqs.map((seq) => expect.stringContaining(`holdfast settle ${seq} `)),
  );
});

test("following the next steps one by one ends in a conclusion", () => {
  const project = started(aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] }));
  fix(project);
  project.request("rm -rf build");
  const taken: string[] = [];
  const steps: Readonly<Record<string, () => unknown>> = {
    "settle-uncertain-call": () =>
      project.accept({
        type: "settleCall",
        seq: project.resume().uncertain[0]?.seq ?? 0,
        as: "not-happened",
        reason: "the folder is there",
        by: "terminal",
      }),
    "rerun-exact-verifier": () => project.run(VERIFIER, PASSED),
    "supply-evidence": () =>
      project.bind("criterion-01", "behavioral-check", `command:${VERIFIER}`),
    "request-completion": () => project.conclude("completed"),
  };
  for (let step = 0; step < 10 && project.resume().decision === "resume"; step++) {
    const { action } = project.resume().next;
    taken.push(action);
    steps[action]?.();
  }
  expect(taken).toEqual([
    "settle-uncertain-call",
    "rerun-exact-verifier",
    "supply-evidence",
    "request-completion",
  ]);
  expect(project.own().task.status).toBe("completed");
});
