import { expect, test } from "vitest";
import type { TaskDraft } from "../../src/contract/index.ts";
import {
  aDraft,
  aReading,
  BEHAVIOR,
  BOB,
  FAILED,
  hashingOf,
  PASSED,
  TIMED_OUT,
  VERIFIED,
  VERIFIER,
} from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

interface Story {
  readonly title: string;
  readonly draft?: TaskDraft;
  readonly tell: (project: Project) => unknown;
}

const fix = (project: Project) => project.write("src/cart.js", "fixed");
const TWO = aDraft({ verifyCommands: [VERIFIER, "npm run lint"] });
const WITH_BEHAVIOR = aDraft({ acceptanceCriteria: [BEHAVIOR, VERIFIED] });
const DIRTY_END = { ...PASSED, exitCode: null };

/** Each ends with a claim that the task is done, and none of them is. */
const FALSE: readonly Story[] = [
  { title: "nothing was done at all", tell: () => {} },
  { title: "the fix was made and never verified", tell: fix },
  {
    title: "the verifier passed before the fix",
    tell: (it) => {
      it.run();
      fix(it);
    },
  },
  {
    title: "one more harmless edit came after the pass",
    tell: (it) => {
      fix(it);
      it.run();
      it.write("src/cart.js", "fixed // and a remark");
    },
  },
  {
    title: "the code under test was put in place for the verifier and taken away again",
    tell: (it) => {
      fix(it);
      it.run();
      it.write("src/cart.js", "v1");
    },
  },
  {
    title: "an edit after the pass was seen and taken back",
    tell: (it) => {
      fix(it);
      it.run();
      it.write("src/cart.js", "other");
      it.run("git diff");
      fix(it);
    },
  },
  {
    title: "the verifier failed",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, FAILED);
    },
  },
  {
    title: "the verifier passed once and then failed on the same tree",
    tell: (it) => {
      fix(it);
      it.run();
      it.run(VERIFIER, FAILED);
    },
  },
  {
    title: "the verifier was killed",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, { ...DIRTY_END, signal: "SIGKILL" });
    },
  },
  {
    title: "the verifier ran out of time",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, TIMED_OUT);
    },
  },
  {
    title: "the verifier was aborted with code 0",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, { ...PASSED, aborted: true });
    },
  },
  {
    title: "the verifier ended with code 0 and a signal",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, { ...PASSED, signal: "SIGTERM" });
    },
  },
  {
    title: "nobody knows the verifier's exit code",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, DIRTY_END);
    },
  },
  {
    title: "the verifier began and was never seen to end",
    tell: (it) => {
      fix(it);
      it.request();
    },
  },
  {
    title: "the verifier passed, was started again and cut off",
    tell: (it) => {
      fix(it);
      it.run();
      it.request();
    },
  },
  {
    title: "the verifier's failure was masked",
    tell: (it) => {
      fix(it);
      it.run(`${VERIFIER} || true`);
    },
  },
  {
    title: "a part of the verifier ran",
    tell: (it) => {
      fix(it);
      it.run(`${VERIFIER} -- cart`);
    },
  },
  {
    title: "the verifier's words were printed",
    tell: (it) => {
      fix(it);
      it.run(`echo '${VERIFIER}: 12 passed'`);
    },
  },
  {
    title: "the verifier ran in another folder",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, PASSED, { cwd: "examples" });
    },
  },
  {
    title: "the verifier ran on another working tree with other content",
    tell: (it) => {
      it.link("feature");
      fix(it);
      it.run(VERIFIER, PASSED, { place: "feature" });
    },
  },
  {
    title: "the verifier wrote the files that it checks",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, PASSED, {}, () => it.write("test/golden.json", "whatever came out"));
    },
  },
  {
    title: "nobody looked at the tree when the verifier began",
    tell: (it) => {
      fix(it);
      it.end(VERIFIER, PASSED, { treeBefore: null });
    },
  },
  {
    title: "the tree was another while the verifier ran",
    tell: (it) => {
      fix(it);
      const treeBefore = it.tree().digest;
      it.request(VERIFIER, { call: "slow" });
      it.write("src/cart.js", "rigged");
      it.run("git status", PASSED, { session: BOB });
      fix(it);
      it.end(VERIFIER, PASSED, { call: "slow", treeBefore });
    },
  },
  {
    title: "the tree can't be read whole any more",
    tell: (it) => {
      fix(it);
      it.run();
      it.unavailable = ["src/cart.js (unreadable)"];
    },
  },
  {
    title: "the pass comes from another journal",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, PASSED, { facts: { hashing: hashingOf("another journal") } });
    },
  },
  {
    title: "only one of two verifiers ran",
    draft: TWO,
    tell: (it) => {
      fix(it);
      it.run(VERIFIER);
    },
  },
  {
    title: "the first verifier went stale before the second ran",
    draft: TWO,
    tell: (it) => {
      fix(it);
      it.run(VERIFIER);
      it.write("src/cart.js", "linted");
      it.run("npm run lint");
    },
  },
  {
    title: "the verifier passed, and nothing shows the behaviour",
    draft: WITH_BEHAVIOR,
    tell: (it) => {
      fix(it);
      it.run();
    },
  },
  {
    title: "the behaviour is shown by a command that shows nothing",
    draft: WITH_BEHAVIOR,
    tell: (it) => {
      fix(it);
      it.run();
      it.run("echo it works");
      it.bind("criterion-01", "behavioral-check", "command:echo it works");
    },
  },
  {
    title: "the behaviour was shown before the last edit",
    draft: WITH_BEHAVIOR,
    tell: (it) => {
      fix(it);
      it.run("node check.js");
      it.bind("criterion-01", "behavioral-check", "command:node check.js");
      it.write("src/cart.js", "fixed again");
      it.run();
    },
  },
  {
    title: "the check for the behaviour failed last",
    draft: WITH_BEHAVIOR,
    tell: (it) => {
      fix(it);
      it.run();
      it.run("node check.js");
      it.bind("criterion-01", "behavioral-check", "command:node check.js");
      it.run("node check.js", FAILED);
    },
  },
  {
    title: "a file outside the scope changed as well",
    tell: (it) => {
      fix(it);
      it.write("package.json", "rigged");
      it.run();
    },
  },
  {
    title: "a protected file changed within the scope",
    draft: aDraft({ protectedPaths: ["test/golden/**"] }),
    tell: (it) => {
      it.write("test/golden/total.txt", "rigged");
      it.run();
    },
  },
  {
    title: "a destructive command was never seen to end",
    tell: (it) => {
      fix(it);
      it.run();
      it.request("rm -rf src/old");
    },
  },
  {
    title: "a person has not judged what only a person can",
    draft: aDraft({ acceptanceCriteria: [{ text: "it reads well", kind: "human" }] }),
    tell: (it) => {
      fix(it);
      it.run();
    },
  },
  {
    title: "a look changed a file",
    draft: aReading(),
    tell: (it) => {
      it.bind("criterion-01", "read-evidence", "README.md");
      it.write("notes.txt", "found it");
    },
  },
  {
    title: "a look found nothing to show",
    draft: aReading(),
    tell: (it) => it.run("grep -r slow src"),
  },
  {
    title: "the file that a look refers to has changed since",
    draft: aReading(),
    tell: (it) => {
      it.bind("criterion-01", "read-evidence", "README.md");
      it.write("README.md", "other");
    },
  },
];

/** Each ends with a claim that the task is done, and all of them are. */
const HONEST: readonly Story[] = [
  {
    title: "fixed and verified",
    tell: (it) => {
      fix(it);
      it.run();
    },
  },
  {
    title: "failed first, mended, verified",
    tell: (it) => {
      it.write("src/cart.js", "wrong");
      it.run(VERIFIER, FAILED);
      fix(it);
      it.run();
    },
  },
  {
    title: "verified, edited, verified again",
    tell: (it) => {
      fix(it);
      it.run();
      it.write("src/cart.js", "fixed // and a remark");
      it.run();
    },
  },
  {
    title: "verified, then committed",
    tell: (it) => {
      fix(it);
      it.run();
      it.commit();
    },
  },
  {
    title: "cut off in the middle, and the verifier run again",
    tell: (it) => {
      fix(it);
      it.request();
      it.run();
    },
  },
  {
    title: "a destructive command was cut off, and somebody looked what it did",
    tell: (it) => {
      fix(it);
      const seq = it.request("rm -rf src/old");
      it.accept({ type: "settleCall", seq, as: "happened", reason: "it is gone", by: "terminal" });
      it.run();
    },
  },
  {
    title: "two verifiers, both on the last tree",
    draft: TWO,
    tell: (it) => {
      fix(it);
      it.run(VERIFIER);
      it.run("npm run lint");
    },
  },
  {
    title: "the behaviour is shown by a check of its own",
    draft: WITH_BEHAVIOR,
    tell: (it) => {
      fix(it);
      it.bind("criterion-01", "behavioral-check", `seq:${it.run("node check.js")}`);
      it.run();
    },
  },
  {
    title: "the behaviour is shown by the verifier, named once for all later runs",
    draft: WITH_BEHAVIOR,
    tell: (it) => {
      it.run(VERIFIER, FAILED);
      it.bind("criterion-01", "behavioral-check", `command:${VERIFIER}`);
      fix(it);
      it.run();
    },
  },
  {
    title: "files that were dirty before, and one put back, do not count",
    tell: (it) => {
      it.write("README.md", "tried something");
      fix(it);
      it.write("README.md", "read me");
      it.run();
    },
  },
  {
    title: "the verifier ran in a linked working tree with the same content",
    tell: (it) => {
      fix(it);
      it.link("feature");
      it.run(VERIFIER, PASSED, { session: BOB, place: "feature" });
    },
  },
  {
    title: "another session ran the verifier on this tree",
    tell: (it) => {
      fix(it);
      it.run(VERIFIER, PASSED, { session: BOB });
    },
  },
  {
    title: "a masked run before the exact one does no harm",
    tell: (it) => {
      fix(it);
      it.run(`${VERIFIER} || true`);
      it.run();
    },
  },
  {
    title: "nothing had to change",
    tell: (it) => it.run(),
  },
  {
    title: "a look that names the file it rests on",
    draft: aReading(),
    tell: (it) => {
      it.run("grep -r slow src");
      it.bind("criterion-01", "read-evidence", "src/cart.js");
    },
  },
];

test.each(FALSE)("a false claim is refused: $title", ({ draft = aDraft(), tell }) => {
  const project = started(draft);
  tell(project);
  expect(project.gate().decision).not.toBe("pass");
  const { refusal, events } = project.conclude("completed");
  expect(refusal?.code).toBe("gate/refused");
  expect(refusal?.message).not.toMatch(/undefined|null|\[object/);
  expect(events.map(({ type }) => type)).toEqual(["gate.evaluated"]);
  expect(project.own().task.status).toBe("open");
});

test.each(HONEST)("an honest claim is accepted: $title", ({ draft = aDraft(), tell }) => {
  const project = started(draft);
  tell(project);
  expect(project.gate()).toMatchObject({ decision: "pass", missing: [] });
  expect(project.conclude("completed").refusal).toBeNull();
  expect(project.own().task.status).toBe("completed");
});
