import { expect, test } from "vitest";
import type { Command, SettleCall } from "../../src/task/index.ts";
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
      command: `holdfast settle ${seq} --as … --reason …`,
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
        command: "holdfast verify",
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
    expect(project.gate().decision).toBe(as === "run-again" ? "pending" : "pass");
  }
});

const settlement = (seq: number, as: SettleCall["as"] = "happened"): Command => ({
  type: "settleCall",
  seq,
  as,
  reason: "looked at the folder",
  by: "program",
});

test("a call to be run again waits for no person, but until the same command is seen to end", () => {
  for (const end of [PASSED, FAILED]) {
    const project = provedProject();
    const seq = project.request("make build");
    project.accept(settlement(seq, "run-again"));
    expect(project.gate()).toMatchObject({
      decision: "pending",
      missing: [
        { code: "call-to-run-again", command: "holdfast exec -c 'make build'", by: "agent" },
      ],
    });
    project.run("make clean", end);
    project.run("make build", end, { cwd: "packages/cart" });
    expect(project.missing()).toEqual(["call-to-run-again"]);
    project.run("make build", end);
    expect(project.gate().decision).toBe("pass");
  }
});

test("a call to be run again can still be settled otherwise", () => {
  const project = provedProject();
  const seq = project.request("make build");
  project.accept(settlement(seq, "run-again"));
  project.accept(settlement(seq, "not-happened"));
  expect(project.gate().decision).toBe("pass");
});

test("the call of an open run is settled by the session that owns the run, and by no other", () => {
  const project = provedProject();
  const seq = project.request("rm -rf build");
  const { state } = project;
  const { refusal } = project.dispatch(settlement(seq), { session: BOB });
  expect(refusal).toMatchObject({
    code: "contract/not-owner",
    remedy: expect.stringContaining("holdfast takeover"),
  });
  expect(project.state).toBe(state);
  expect(project.gate().decision).toBe("needs-person");
  project.accept({ type: "takeOverTask", reason: "Ada is gone" }, { session: BOB });
  expect(project.refusal(settlement(seq), { session: ADA })).toBe("contract/not-owner");
  project.accept(settlement(seq), { session: BOB });
  expect(project.gate({ session: BOB }).decision).toBe("pass");
});

test("the call of a concluded run or of none is settled by anyone, in no run", () => {
  const project = started(aDraft());
  const seqs = [project.request("rm -rf a"), project.request("rm -rf b", { session: BOB })];
  project.conclude("partial", { reason: "enough" });
  const run = project.own();
  for (const seq of seqs) {
    const [settled] = project.accept(settlement(seq), { session: BOB });
    expect(settled?.header.run).toBe("-");
  }
  expect(openSeqs(project)).toEqual([]);
  expect(project.own()).toEqual(run);
});

test("only an open call can be settled, and only once", () => {
  const project = provedProject();
  const seq = project.request("rm -rf build");
  expect(project.refusal(settlement(1))).toBe("call/not-uncertain");
  expect(project.refusal(settlement(seq + 1))).toBe("call/not-uncertain");
  project.accept(settlement(seq));
  expect(project.refusal(settlement(seq))).toBe("call/not-uncertain");
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

test("of more open calls than are kept apart the newest stay, and the others are still counted", () => {
  const project = provedProject();
  const { run } = project.own().task.contract;
  const seqs = Array.from({ length: 260 }, (_, index) =>
    // Ids that are numbers would stand in another order than they came in.
    project.request("rm -rf build", { call: String(1_000 - index) }),
  );
  expect(openSeqs(project)).toEqual(seqs.slice(-256));
  expect(project.state.evidence.unlisted).toEqual({ [run]: 4 });
});

test("a writing call that had no room keeps the gate from passing, and is told", () => {
  const project = provedProject();
  project.request("rm -rf build");
  for (let call = 0; call < 256; call++) project.request("ls", { call: `other-${call}` });
  for (let call = 0; call < 256; call++) project.end("ls", PASSED, { call: `other-${call}` });
  expect(openSeqs(project)).toEqual([]);
  expect(project.gate()).toMatchObject({
    decision: "needs-person",
    missing: [
      {
        code: "calls-unlisted",
        message: expect.stringMatching(/^1 more call/),
        command: "holdfast conclude --outcome partial --reason …",
        by: "person",
      },
    ],
  });
  expect(project.resume()).toMatchObject({
    uncertain: [],
    uncertainUnlisted: 1,
    reasonCodes: ["uncertain-calls"],
    next: { action: "ask-person", commands: ["holdfast conclude --outcome partial --reason …"] },
  });
  project.conclude("partial", { reason: "nobody knows what it did" });
  project.start(aDraft());
  project.run();
  expect(project.gate().decision).toBe("pass");
});

test("no number of reading calls makes a writing one forgotten", () => {
  const project = provedProject();
  const seq = project.request("rm -rf build");
  for (let call = 0; call < 300; call++) project.request("cat src/cart.js", { effect: "read" });
  expect(openSeqs(project)).toHaveLength(256);
  expect(openSeqs(project)[0]).toBe(seq);
  expect(project.gate().decision).toBe("needs-person");
});
