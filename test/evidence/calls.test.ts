import { expect, test } from "vitest";
import { ADA, aDraft, BOB, FAILED, PASSED, VERIFIER } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

/** A run that would pass but for calls whose end nobody saw. */
function provedProject(): Project {
  const project = started(aDraft());
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.gate().decision).toBe("pass");
  return project;
}

const openSeqs = (project: Project) =>
  Object.values(project.state.evidence.openCalls).map(({ seq }) => seq);

test("a call without an end is uncertain, and only a person can say what it did", () => {
  const project = provedProject();
  const seq = project.request("rm -rf build");
  const gate = project.gate();
  expect(gate.decision).toBe("needs-person");
  expect(gate.missing).toEqual([
    {
      code: "call-uncertain",
      message: `The call at event ${seq} (bash: rm -rf build) was never seen to end, so what it did is uncertain.`,
      remedy: expect.stringContaining(`holdfast settle ${seq} `),
      by: "person",
    },
  ]);
});

test("each kind of call is uncertain but one that only reads", () => {
  for (const effect of ["write", "shell", "unknown", "read"] as const) {
    const project = provedProject();
    project.request("touch", { effect });
    expect(project.gate().decision).toBe(effect === "read" ? "pass" : "needs-person");
  }
});

test("the end of a call takes the doubt away, whatever the end was", () => {
  for (const end of [PASSED, FAILED]) {
    const project = provedProject();
    project.request("make clean", { call: "one" });
    project.end("make clean", end, { call: "one" });
    expect(openSeqs(project)).toEqual([]);
    expect(project.gate().decision).toBe("pass");
  }
});

test("the end names the request as its cause", () => {
  const project = provedProject();
  const requested = project.request("make clean", { call: "one" });
  const ended = project.end("make clean", PASSED, { call: "one" });
  const idOf = (seq: number) => project.events[seq - 1]?.header.id;
  expect(project.events[ended - 1]?.header.cause).toBe(idOf(requested));
});

test("the end of another call takes no doubt away", () => {
  const project = provedProject();
  const seq = project.request("make clean", { call: "one" });
  project.end("make clean", PASSED, { call: "two" });
  expect(openSeqs(project)).toEqual([seq]);
});

test("a call id that a host uses again hides no call of before", () => {
  const project = provedProject();
  const first = project.request("rm -rf build", { call: "one" });
  project.request("make clean", { call: "one" });
  project.end("make clean", PASSED, { call: "one" });
  expect(openSeqs(project)).toEqual([first]);
  expect(project.gate().decision).toBe("needs-person");
});

test("the same call id in another session is another call", () => {
  const project = provedProject();
  const seq = project.request("rm -rf build", { call: "one", session: ADA });
  project.end("ls", PASSED, { call: "one", session: BOB });
  expect(openSeqs(project)).toEqual([seq]);
});

test("a run of the same verifier answers one that never ended", () => {
  const project = provedProject();
  const seq = project.request();
  expect(project.gate()).toMatchObject({
    decision: "pending",
    missing: [
      {
        code: "call-uncertain",
        message: `The run of \`npm test\` that began at event ${seq} was never seen to end.`,
        remedy: "Run it again: holdfast verify",
        by: "agent",
      },
    ],
  });
  project.run();
  expect(openSeqs(project)).toEqual([]);
  expect(project.gate().decision).toBe("pass");
});

test("a run of another verifier, elsewhere or in another folder answers nothing", () => {
  const project = started(aDraft({ verifyCommands: [VERIFIER, "npm run lint"] }));
  const seq = project.request();
  project.run("npm run lint");
  project.link("feature");
  project.run(VERIFIER, PASSED, { place: "feature" });
  project.run(VERIFIER, PASSED, { cwd: "packages/cart" });
  expect(openSeqs(project)).toEqual([seq]);
});

test("a settled call is no longer uncertain, and settling is recorded in its run", () => {
  for (const as of ["happened", "not-happened", "run-again"] as const) {
    const project = provedProject();
    const seq = project.request("rm -rf build");
    const [settled] = project.accept({
      type: "settleCall",
      seq,
      as,
      reason: "looked at the folder",
      by: "terminal",
    });
    expect(settled).toMatchObject({
      header: { type: "call.settled", run: project.own().task.contract.run },
      body: { requestedSeq: seq, as, reason: "looked at the folder", by: "terminal" },
    });
    expect(project.gate().decision).toBe("pass");
  }
});

test("only an open call can be settled, and only once", () => {
  const project = provedProject();
  const settle = (seq: number) =>
    ({ type: "settleCall", seq, as: "happened", reason: "x", by: "program" }) as const;
  const seq = project.request("rm -rf build");
  expect(project.refusal(settle(1))).toBe("call/not-uncertain");
  expect(project.refusal(settle(seq + 1))).toBe("call/not-uncertain");
  project.accept(settle(seq));
  expect(project.refusal(settle(seq))).toBe("call/not-uncertain");
});

test("a late end settles a call by itself", () => {
  const project = provedProject();
  project.request("rm -rf build", { call: "slow" });
  for (let other = 0; other < 5; other++) project.run("ls");
  project.end("rm -rf build", PASSED, { call: "slow" });
  expect(openSeqs(project)).toEqual([]);
});

test("a call stays uncertain for the session that takes the run over", () => {
  const project = provedProject();
  const seq = project.request("rm -rf build");
  project.accept({ type: "takeOverTask", reason: "Ada is gone" }, { session: BOB });
  expect(project.resume(BOB).uncertain).toEqual([{ seq, tool: "bash", input: "rm -rf build" }]);
  expect(project.gate({ session: BOB }).decision).toBe("needs-person");
});

test("of more open calls than are kept apart the newest stay", () => {
  const project = provedProject();
  const seqs = Array.from({ length: 260 }, (_, index) =>
    // Ids that are numbers would stand in another order than they came in.
    project.request("rm -rf build", { call: String(1_000 - index) }),
  );
  expect(openSeqs(project)).toEqual(seqs.slice(-256));
});

test("no number of reading calls makes a writing one forgotten", () => {
  const project = provedProject();
  const seq = project.request("rm -rf build");
  for (let call = 0; call < 300; call++) project.request("cat src/cart.js", { effect: "read" });
  expect(openSeqs(project)).toHaveLength(256);
  expect(openSeqs(project)[0]).toBe(seq);
  expect(project.gate().decision).toBe("needs-person");
});
