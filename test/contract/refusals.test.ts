import { expect, test } from "vitest";
import type { TaskDraft } from "../../src/contract/index.ts";
import { ERROR_KINDS } from "../../src/errors.ts";
import { type Decision, decide, type Facts, initialState } from "../../src/task/index.ts";
import { aDraft, aReading, aTree, facts, VERIFIED, VERIFIER } from "../task/makers.ts";
import { startOf } from "../task/project.ts";

function startWith(over: Partial<TaskDraft>, given: Partial<Facts> = {}): Decision {
  return decide(initialState, startOf(aDraft(over)), facts(given));
}

interface Case {
  readonly why: string;
  readonly draft: Partial<TaskDraft>;
  readonly code: string;
  readonly says: string;
  readonly remedy: string;
}

const PLAN_STEP = { id: "a", title: "A step", mode: "single-writer" } as const;
const SCOPE = { code: "contract/scope-invalid", remedy: "relative to the project folder" };
const NO_VERIFIER = { code: "contract/no-verifier", remedy: "--verify" };
const INVALID = { code: "contract/invalid" };
const PLAN = { code: "contract/plan-invalid", remedy: "an id of its own" };

const CASES: readonly Case[] = [
  {
    why: "a criterion of blanks",
    draft: { acceptanceCriteria: [VERIFIED, "   "] },
    ...INVALID,
    says: "criterion-02",
    remedy: "Say what has to hold",
  },
  {
    why: "a summary that is short without its blanks",
    draft: { summary: " Fix it.        " },
    ...INVALID,
    says: '"Fix it."',
    remedy: "in a sentence",
  },
  {
    why: "an expected output of blanks",
    draft: { expectedOutput: " ".repeat(10) },
    ...INVALID,
    says: "expected output",
    remedy: "leave it out",
  },
  {
    why: "a task id that looks like a secret",
    draft: { taskId: "xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx" },
    ...INVALID,
    says: "task id",
    remedy: "plain name",
  },
  {
    why: "a step id that looks like a secret",
    draft: { plan: [PLAN_STEP, { ...PLAN_STEP, id: "glpat-abcdefghijklmnopqrst" }] },
    ...INVALID,
    says: "plan step 2",
    remedy: "plain name",
  },
  {
    why: "a verify command twice",
    draft: { verifyCommands: [VERIFIER, ` ${VERIFIER}\r\n`] },
    ...INVALID,
    says: VERIFIER,
    remedy: "once",
  },
  {
    why: "a verify command with a secret",
    draft: { verifyCommands: [VERIFIER, "DB_PASSWORD=correct-horse-battery npm test"] },
    code: "contract/secret-in-command",
    says: "Verify command 2",
    remedy: "environment",
  },
  {
    why: "a source change without a verify command",
    draft: { verifyCommands: [] },
    ...NO_VERIFIER,
    says: "none is given",
  },
  ...["true", ":", "echo ok", "printf done", "true;", "echo>x", "true&&:", "  true  "].map(
    (command): Case => ({
      why: `a verify command that always passes: ${command}`,
      draft: { verifyCommands: [VERIFIER, command] },
      ...NO_VERIFIER,
      says: "succeeds whatever",
    }),
  ),
  {
    why: "a verify command of blanks",
    draft: { verifyCommands: ["  "] },
    ...NO_VERIFIER,
    says: "proves nothing",
  },
  { why: "an empty scope", draft: { scope: [] }, ...SCOPE, says: "empty list" },
  { why: "a blank entry", draft: { scope: ["src", "  "] }, ...SCOPE, says: "empty" },
  { why: "an absolute path", draft: { scope: ["/etc"] }, ...SCOPE, says: "absolute" },
  { why: "a drive letter", draft: { outOfScope: ["C:/src"] }, ...SCOPE, says: "absolute" },
  { why: "a way up", draft: { scope: ["src/../../x"] }, ...SCOPE, says: ".." },
  { why: "a way up alone", draft: { protectedPaths: [".."] }, ...SCOPE, says: ".." },
  { why: "a backslash", draft: { scope: ["src\\cart"] }, ...SCOPE, says: "backslash" },
  { why: "a NUL character", draft: { scope: ["src\0"] }, ...SCOPE, says: "NUL" },
  {
    why: "two steps of one id",
    draft: { plan: [PLAN_STEP, PLAN_STEP] },
    ...PLAN,
    says: "a is used twice",
  },
  {
    why: "a step that waits for none",
    draft: { plan: [{ ...PLAN_STEP, dependsOn: ["b"] }] },
    ...PLAN,
    says: "depends on b",
  },
  {
    why: "a step that waits for a name that every object has",
    draft: { plan: [{ ...PLAN_STEP, dependsOn: ["constructor"] }] },
    ...PLAN,
    says: "depends on constructor",
  },
  {
    why: "a step that waits for itself",
    draft: { plan: [{ ...PLAN_STEP, dependsOn: ["a"] }] },
    ...PLAN,
    says: "wait for each other",
  },
  {
    why: "a circle behind a step that is free",
    draft: {
      plan: [
        PLAN_STEP,
        { ...PLAN_STEP, id: "b", dependsOn: ["a", "d"] },
        { ...PLAN_STEP, id: "c", dependsOn: ["b"] },
        { ...PLAN_STEP, id: "d", dependsOn: ["c"] },
      ],
    },
    ...PLAN,
    says: "b, c, d wait for each other",
  },
];

test.each(CASES)("a start is refused for $why", ({ draft, code, says, remedy }) => {
  const { events, refusal } = startWith(draft);
  expect(events).toEqual([]);
  expect(refusal).toMatchObject({
    code,
    message: expect.stringContaining(says),
    remedy: expect.stringContaining(remedy),
  });
  expect(Object.keys(ERROR_KINDS)).toContain(refusal?.code);
});

test("a message about a secret in a command does not repeat it", () => {
  const { refusal } = startWith({ verifyCommands: ["DB_PASSWORD=correct-horse-battery npm test"] });
  expect(JSON.stringify(refusal)).not.toContain("correct-horse");
});

test("a source change needs a tree that can be read whole; a look does not", () => {
  const tree = aTree({ digest: null, unavailable: ["src/a.js (unreadable)"] });
  expect(startWith({}, { tree }).refusal).toMatchObject({
    code: "contract/tree-unavailable",
    message: expect.stringContaining("src/a.js"),
  });
  expect(decide(initialState, startOf(aReading()), facts({ tree })).refusal).toBeNull();
});

test("a start without a reading of the tree is a bug of the caller", () => {
  expect(() => startWith({}, { tree: null })).toThrow("working tree");
});

test("a look with a verify command that always passes is refused as well", () => {
  const draft = aReading({ verifyCommands: ["true"] });
  const { refusal } = decide(initialState, startOf(draft), facts());
  expect(refusal?.code).toBe("contract/no-verifier");
});

test("verify commands that merely begin like a printing one are real", () => {
  for (const command of ["echoes-test", "truest", "true-runner --all", "printf-check"]) {
    expect(startWith({ verifyCommands: [command] }).refusal, command).toBeNull();
  }
});
