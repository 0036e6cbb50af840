import { expect, test } from "vitest";
import {
  ADA,
  aDraft,
  BOB,
  FAILED,
  hashingOf,
  PASSED,
  sha256,
  TIMED_OUT,
  VERIFIER,
} from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

/** A run in which something was changed. */
function changedProject(draft = aDraft()): Project {
  const project = started(draft);
  project.write("src/cart.js", "v2");
  return project;
}

test("a verify command that was never run is missing", () => {
  expect(changedProject().standing()).toEqual({
    command: VERIFIER,
    currency: "missing",
    seq: null,
    reason: null,
    changed: { paths: [], count: 0 },
    elsewhere: null,
    failures: 0,
  });
});

test("a pass on the tree that is there is current", () => {
  const project = changedProject();
  const seq = project.run();
  expect(project.standing()).toMatchObject({ currency: "current", seq, elsewhere: null });
  expect(project.gate().proof).toEqual([{ command: VERIFIER, seq }]);
});

test("a pass is stale once the tree is another, and the change is named", () => {
  const project = changedProject();
  const seq = project.run();
  project.write("src/total.js", "new");
  expect(project.standing()).toMatchObject({
    currency: "stale",
    seq,
    changed: { paths: ["src/total.js"], count: 1 },
  });
});

test("a pass stays stale after an edit that was seen and taken back", () => {
  const project = changedProject();
  project.run();
  project.write("src/cart.js", "v3");
  project.run("ls");
  project.write("src/cart.js", "v2");
  expect(project.standing().currency).toBe("stale");
  project.run();
  expect(project.standing().currency).toBe("current");
});

test("an edit that a lone end saw before it and that was taken back makes a pass stale", () => {
  const project = changedProject();
  project.run();
  const { digest } = project.tree();
  project.write("src/cart.js", "v3");
  const other = project.tree().digest;
  project.write("src/cart.js", "v2");
  expect(project.tree().digest).toBe(digest);
  project.end("make format", PASSED, { treeBefore: other });
  expect(project.standing().currency).toBe("stale");
});

test("what a request saw of the tree long ago says nothing at its end", () => {
  const project = changedProject();
  const treeBefore = project.tree().digest;
  project.request("npm start", { call: "server" });
  project.write("src/cart.js", "v3");
  project.run();
  project.end("npm start", PASSED, { call: "server", treeBefore });
  expect(project.standing().currency).toBe("current");
});

test("an edit that nobody saw and that was taken back changes nothing", () => {
  const project = changedProject();
  project.run();
  project.write("src/cart.js", "v3");
  project.write("src/cart.js", "v2");
  expect(project.standing().currency).toBe("current");
});

test("a gate that is recorded is a look at the tree like any other", () => {
  const project = changedProject();
  project.run();
  project.write("src/cart.js", "v3");
  project.accept({ type: "recordGate" });
  project.write("src/cart.js", "v2");
  expect(project.standing().currency).toBe("stale");
});

test("a commit of the same content, a stage and a branch leave a pass current", () => {
  const project = changedProject();
  project.run();
  const { commit } = project.tree();
  project.commit();
  expect(project.tree().commit).not.toBe(commit);
  expect(project.standing().currency).toBe("current");
  expect(project.gate()).toMatchObject({
    decision: "pass",
    commit: project.tree().commit,
    changed: { paths: ["src/cart.js"], count: 1 },
  });
});

test("a check that changes the tree proves another one, and the paths are named", () => {
  const project = changedProject();
  project.run(VERIFIER, PASSED, {}, () => project.write("test/golden.json", "new"));
  expect(project.standing().currency).toBe("changed-tree");
  const { missing } = project.gate();
  expect(missing).toEqual([
    expect.objectContaining({
      code: "verifier-changed-tree",
      message: expect.stringContaining("changed the working tree itself"),
    }),
  ]);
  project.run();
  expect(project.standing().currency).toBe("current");
});

test("a check that changes the tree and is followed by an edit is stale", () => {
  const project = changedProject();
  project.run(VERIFIER, PASSED, {}, () => project.write("test/golden.json", "new"));
  project.write("src/cart.js", "v3");
  expect(project.standing().currency).toBe("stale");
});

test("a check whose tree before is not known proves nothing", () => {
  const project = changedProject();
  for (const end of [PASSED, FAILED]) {
    project.end(VERIFIER, end, { treeBefore: null });
    expect(project.standing()).toMatchObject({
      currency: "inconclusive",
      reason: "no-tree-before",
    });
    expect(project.gate().decision).toBe("pending");
  }
});

test("a check during which the tree was seen to be another proves nothing", () => {
  const project = changedProject();
  const treeBefore = project.tree().digest;
  project.request(VERIFIER, { call: "slow" });
  project.write("src/cart.js", "v3");
  project.run("ls", PASSED, { session: BOB });
  project.write("src/cart.js", "v2");
  project.end(VERIFIER, PASSED, { call: "slow", treeBefore });
  expect(project.standing()).toMatchObject({
    currency: "inconclusive",
    reason: "changed-meanwhile",
  });
});

test("a tree that could not be read when the check ended proves nothing", () => {
  const project = changedProject();
  project.unavailable = ["src/cart.js (unreadable)"];
  project.run();
  expect(project.standing().currency).not.toBe("current");
  project.unavailable = [];
  expect(project.standing().currency).not.toBe("current");
});

test("a failure on the tree that is there speaks against being done", () => {
  const project = changedProject();
  const seq = project.run(VERIFIER, FAILED);
  expect(project.standing()).toMatchObject({ currency: "failed", seq });
  expect(project.gate().decision).toBe("fail");
});

test("a failure on another tree is only a run that is missing", () => {
  const project = changedProject();
  project.run(VERIFIER, FAILED);
  project.write("src/cart.js", "v3");
  expect(project.standing()).toMatchObject({
    currency: "failed-before",
    changed: { paths: ["src/cart.js"], count: 1 },
  });
  expect(project.gate().decision).toBe("pending");
});

test("an end that says nothing is inconclusive, with its reason, on any tree", () => {
  const project = changedProject();
  project.run(VERIFIER, TIMED_OUT);
  expect(project.standing()).toMatchObject({ currency: "inconclusive", reason: "timed-out" });
  project.write("src/cart.js", "v3");
  expect(project.standing().currency).toBe("inconclusive");
  expect(project.gate().missing[0]?.message).toContain("timed-out");
});

test("the newest run decides, whatever the ones before it said", () => {
  const project = changedProject();
  project.run(VERIFIER, PASSED);
  project.run(VERIFIER, FAILED);
  expect(project.standing().currency).toBe("failed");
  project.run(VERIFIER, PASSED);
  expect(project.standing().currency).toBe("current");
  project.run(VERIFIER, TIMED_OUT);
  expect(project.standing().currency).toBe("inconclusive");
});

test("each of several verify commands stands for itself", () => {
  const project = changedProject(aDraft({ verifyCommands: [VERIFIER, "npm run lint"] }));
  project.run(VERIFIER, PASSED);
  project.run("npm run lint", FAILED);
  expect(project.missing()).toEqual(["verifier-failed"]);
  expect(project.gate().proof.map(({ seq }) => seq !== null)).toEqual([true, false]);
});

const texts: readonly (readonly [observed: string, matches: boolean])[] = [
  ["npm test", true],
  ["  npm test\t", true],
  ["npm test\r\n", true],
  ["npm  test", false],
  ["npm test || true", false],
  ["npm test; true", false],
  ["npm test | tee log", false],
  ["npm test --", false],
  ["NPM test", false],
  ["npm\ttest", false],
  ["npm test # really", false],
  ["cd . && npm test", false],
  ["npm tes", false],
];

test.each(texts)("%j seen to pass proves `npm test`: %s", (observed, matches) => {
  const project = changedProject();
  project.run(observed);
  expect(project.standing().currency).toBe(matches ? "current" : "missing");
});

test("a verify command of several lines matches with either line end, and no other change", () => {
  const project = changedProject(aDraft({ verifyCommands: ["npm test\r\nnpm run lint\r\n"] }));
  project.run("npm test\n\nnpm run lint");
  expect(project.standing().currency).toBe("missing");
  project.run("npm test\nnpm run lint");
  expect(project.standing().currency).toBe("current");
});

test("a command with a secret has no hash, so it proves nothing", () => {
  const project = changedProject();
  project.run("DB_PASSWORD=correct-horse-battery npm test");
  const observed = project.events.filter(({ header }) => header.type === "command.observed");
  expect(observed[0]?.body).toMatchObject({ commandHash: null, verifierOf: null });
  expect(project.standing().currency).toBe("missing");
});

test("the exact words in another folder of the project are another command", () => {
  const project = changedProject();
  project.run(VERIFIER, PASSED, { cwd: "packages/cart" });
  expect(project.standing().currency).toBe("missing");
  project.run(VERIFIER, FAILED, { cwd: "packages/cart" });
  expect(project.standing().currency).toBe("missing");
});

test("a run in the wrong folder does not take a real one's place", () => {
  const project = changedProject();
  project.run();
  project.run(VERIFIER, FAILED, { cwd: "packages/cart" });
  expect(project.standing().currency).toBe("current");
});

test("a run in another working tree counts if it saw the same content, and is named", () => {
  const project = changedProject();
  project.link("feature");
  const seq = project.run(VERIFIER, PASSED, { session: BOB, place: "feature" });
  expect(project.standing()).toMatchObject({ currency: "current", seq, elsewhere: "feature" });
  expect(project.gate().decision).toBe("pass");
});

test("a run in another working tree does not count once either tree is another", () => {
  const project = changedProject();
  project.link("feature");
  project.run(VERIFIER, PASSED, { session: BOB, place: "feature" });
  project.write("src/cart.js", "v3", "feature");
  project.run("ls", PASSED, { session: BOB, place: "feature" });
  expect(project.standing().currency).toBe("missing");
  project.run(VERIFIER, PASSED, { session: BOB, place: "feature" });
  expect(project.standing().currency).toBe("missing");
});

test("what was seen here decides before what was seen elsewhere", () => {
  const project = changedProject();
  project.link("feature");
  project.run(VERIFIER, FAILED);
  project.run(VERIFIER, PASSED, { session: BOB, place: "feature" });
  expect(project.standing()).toMatchObject({ currency: "failed", elsewhere: null });
});

test("a failure elsewhere on the same content speaks against being done here", () => {
  const project = changedProject();
  project.link("feature");
  project.run(VERIFIER, FAILED, { session: BOB, place: "feature" });
  expect(project.standing()).toMatchObject({ currency: "failed", elsewhere: "feature" });
});

test("an observation under another journal's key proves nothing, and says so", () => {
  const project = changedProject();
  const theirs = hashingOf("another journal");
  project.run(VERIFIER, PASSED, { facts: { hashing: theirs } });
  expect(project.standing({ facts: { hashing: theirs } }).currency).toBe("current");
  expect(project.standing().currency).toBe("other-journal");
  expect(project.missing()).toEqual(["verifier-other-journal"]);
});

test("a pass from before the task began proves nothing, even on the very same tree", () => {
  const project = started(aDraft({ taskId: "first" }));
  project.run();
  expect(project.gate().decision).toBe("pass");
  project.conclude("completed");
  project.start(aDraft({ taskId: "second" }));
  expect(project.standing().currency).toBe("missing");
  expect(project.conclude("completed").refusal?.code).toBe("gate/refused");
  project.run();
  expect(project.gate().decision).toBe("pass");
});

test("a pass of an earlier attempt does not prove the next", () => {
  const draft = aDraft({ taskId: "cart" });
  const project = changedProject(draft);
  project.run();
  project.conclude("partial", { reason: "not sure" });
  project.start(draft);
  expect(project.standing().currency).toBe("missing");
});

test("two open runs with one verify command are proved by one run of it", () => {
  const project = started(aDraft({ taskId: "one" }));
  project.start(aDraft({ taskId: "two" }), { session: BOB });
  project.run(VERIFIER, PASSED, { session: BOB });
  expect(project.standing({ session: ADA }).currency).toBe("current");
  expect(project.standing({ session: BOB }).currency).toBe("current");
});

test("what changed is not named where it is not known", () => {
  const project = started(aDraft());
  for (let file = 0; file < 201; file++) project.write(`src/${file}.js`, "new");
  project.run();
  project.write("src/0.js", "newer");
  expect(project.standing()).toMatchObject({
    currency: "stale",
    changed: { paths: [], count: 0 },
  });
});

test("a verify command's observation stays, however many others follow", () => {
  const project = changedProject();
  project.run();
  for (let other = 0; other < 300; other++) project.end(`node check-${other}.js`);
  expect(project.state.evidence.recent).toHaveLength(256);
  expect(project.standing().currency).toBe("current");
});

test("of one command the newest observation of at most 16 places is kept", () => {
  const project = changedProject();
  for (let place = 0; place < 20; place++) {
    project.link(`tree-${place}`);
    project.end(VERIFIER, PASSED, { place: `tree-${place}` });
  }
  const [kept = []] = Object.values(project.state.evidence.latest);
  expect(kept.map(({ place }) => place)).toEqual(
    Array.from({ length: 16 }, (_, index) => `tree-${index + 4}`),
  );
});

test("the output of a command is kept from both ends, without secrets and in whole characters", () => {
  const project = changedProject();
  const emoji = "🙂";
  const head = `x${emoji.repeat(5_000)}`;
  const output = { digest: sha256(head), bytes: 20_001, head, tail: "" };
  const [observed] = project.accept({
    type: "observeCommand",
    call: "c",
    tool: "bash",
    command: `node talk.js ${"\ud800"}`,
    treeBefore: null,
    end: PASSED,
    output,
    durationMs: null,
  });
  if (observed?.body == null) throw new Error("Nothing was observed.");
  const { head: kept, tail } = observed.body.output as { head: string; tail: string };
  expect(kept.length).toBe(4_095);
  expect(tail.length).toBe(head.length - kept.length);
  expect(kept + tail).toBe(head);
});

test("a verifier that failed and changed the tree itself failed on the tree that it left", () => {
  const project = changedProject();
  project.run(VERIFIER, FAILED, {}, () => project.write("src/made.js", "by the verifier"));
  expect(project.standing().currency).toBe("failed");
  expect(project.gate().decision).toBe("fail");
  project.write("src/cart.js", "mended");
  expect(project.standing().currency).toBe("failed-before");
});

test("a verifier during which another call began or ended proves nothing", () => {
  for (const isEnded of [true, false]) {
    const project = changedProject();
    const treeBefore = project.tree().digest;
    project.request(VERIFIER, { call: "slow" });
    if (isEnded) project.run("npm run watch", PASSED, { session: BOB });
    else project.request("npm run watch", { call: "watch", session: BOB });
    project.end(VERIFIER, PASSED, { call: "slow", treeBefore });
    expect(project.standing()).toMatchObject({ currency: "inconclusive", reason: "overlapped" });
  }
});

test("a call that never ended does not stand in the way of later verifiers", () => {
  const project = changedProject();
  project.request(VERIFIER, { call: "killed" });
  project.run();
  expect(project.standing()).toMatchObject({ currency: "current" });
});

test("beside a cut in an output nothing is kept, since half a secret may stand there", () => {
  const project = changedProject();
  const filler = "ordinary line\n".repeat(4_000);
  const half = "sk-test-half";
  const output = {
    digest: sha256("all"),
    bytes: 1_000_000,
    head: `${"DEMO_TOKEN=abcdefghijklmnopqrstuvwxyz\n".repeat(1_500)}${half}`,
    tail: `${half}${filler}the end`,
  };
  const [observed] = project.accept({
    type: "observeCommand",
    call: "cut",
    tool: "shell",
    command: "npm run noise",
    treeBefore: project.tree().digest,
    end: PASSED,
    output,
    durationMs: null,
  });
  const kept = JSON.stringify(observed?.body?.output);
  expect(kept).not.toContain(half);
  expect(kept).not.toContain("abcdefghijkl");
  expect(kept).toContain("the end");
});

test("a pass after failures on the very same tree is told, or refused where the task says so (FR-052)", () => {
  for (const flaky of ["mark", "refuse"] as const) {
    const project = started(aDraft({ flaky }));
    project.write("src/cart.js", "v2");
    project.run(VERIFIER, FAILED);
    project.run(VERIFIER, FAILED);
    project.run(VERIFIER, PASSED);
    expect(project.standing()).toMatchObject({
      currency: flaky === "mark" ? "current" : "flaky",
      failures: 2,
    });
    const { warnings, missing } = project.gate();
    expect(warnings[0]).toContain("after 2 failure(s)");
    expect(missing.some(({ code }) => code === "verifier-flaky")).toBe(flaky === "refuse");
  }
});

test("a pass after a failure and an edit is a plain pass (FR-052)", () => {
  const project = started(aDraft({ flaky: "refuse" }));
  project.write("src/cart.js", "v2");
  project.run(VERIFIER, FAILED);
  project.write("src/cart.js", "v3");
  project.run(VERIFIER, PASSED);
  expect(project.standing()).toMatchObject({ currency: "current", failures: 0 });
  expect(project.gate().warnings).toEqual([]);
});
