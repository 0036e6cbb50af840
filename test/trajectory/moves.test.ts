import { expect, test } from "vitest";
import type { Contract, TaskDraft } from "../../src/contract/index.ts";
import {
  configuredPath,
  isPhaseEntered,
  movesAtConclusion,
  PHASES,
  type Phase,
} from "../../src/trajectory/index.ts";
import { aDraft, aReading, FAILED, PASSED, TIMED_OUT, VERIFIER } from "../task/makers.ts";
import { type Project, started } from "../task/project.ts";

type Lane = Contract["riskLane"];
const LANES: readonly Lane[] = ["tiny", "normal", "high-risk"];

/** The moves of a run, as `from > to` with what was left out. */
function moves(project: Project): readonly string[] {
  return project.own().trajectory.recent.map(({ from, to, cause, skipped }) => {
    const left = skipped.length === 0 ? "" : ` without ${skipped.join(" ")}`;
    return `${from} > ${to} (${cause})${left}`;
  });
}

const starts: readonly { readonly draft: TaskDraft; readonly moves: readonly string[] }[] = [
  {
    draft: aDraft({ riskLane: "tiny" }),
    moves: ["intake > execute (execution-authorized)"],
  },
  { draft: aDraft({ riskLane: "normal" }), moves: ["intake > plan (plan-observed)"] },
  {
    draft: aDraft({ riskLane: "high-risk" }),
    moves: ["intake > plan (explicit-skip) without scout"],
  },
  { draft: aReading({ riskLane: "tiny" }), moves: ["intake > scout (context-observed)"] },
  { draft: aReading({ riskLane: "normal" }), moves: ["intake > scout (context-observed)"] },
  { draft: aReading({ riskLane: "high-risk" }), moves: ["intake > scout (context-observed)"] },
];

test.each(starts)(
  "a $draft.riskLane $draft.changeMode task begins where its default plan says",
  ({ draft, moves: expected }) => {
    expect(moves(started(draft))).toEqual(expected);
  },
);

test("a plan of one's own that begins with writing goes to execute where its lane allows it", () => {
  const plan = [{ id: "write", title: "Write it", mode: "single-writer" as const }];
  const begun = (riskLane: Lane) => moves(started(aDraft({ riskLane, plan })));
  expect(begun("tiny")).toEqual(["intake > execute (execution-authorized)"]);
  expect(begun("normal")).toEqual(["intake > execute (execution-authorized) without plan"]);
  expect(moves(started(aReading({ plan })))).toEqual([]);
});

test("a plan that begins with a review leaves the run at intake", () => {
  const plan = [{ id: "look", title: "Look at it", mode: "review" as const }];
  expect(moves(started(aDraft({ plan })))).toEqual([]);
});

test("a move that leaves phases out says why", () => {
  const { recent } = started(aDraft({ riskLane: "high-risk" })).own().trajectory;
  expect(recent[0]?.reason?.length).toBeGreaterThanOrEqual(3);
});

test("the honest way of a normal source change", () => {
  const project = started(aDraft());
  project.write("src/cart.js", "wrong");
  project.run(VERIFIER, FAILED);
  project.write("src/cart.js", "right");
  project.run(VERIFIER, PASSED);
  expect(project.conclude("completed").refusal).toBeNull();
  expect(moves(project)).toEqual([
    "intake > plan (plan-observed)",
    "plan > execute (mutation-observed)",
    "execute > verify (verification-started)",
    "verify > repair (verification-failed)",
    "repair > verify (verification-started)",
    "verify > review (verification-passed)",
    "review > handoff (handoff-observed)",
    "handoff > terminal (task-terminal)",
  ]);
});

test("the honest way of a tiny source change has no review", () => {
  const project = started(aDraft({ riskLane: "tiny" }));
  project.write("src/cart.js", "right");
  project.run();
  project.conclude("completed");
  expect(moves(project)).toEqual([
    "intake > execute (execution-authorized)",
    "execute > verify (verification-started)",
    "verify > handoff (handoff-observed)",
    "handoff > terminal (task-terminal)",
  ]);
});

test("the honest way of a read-only task", () => {
  const project = started(aReading());
  project.bind("criterion-01", "read-evidence", "README.md");
  expect(project.conclude("completed").refusal).toBeNull();
  expect(moves(project)).toEqual([
    "intake > scout (context-observed)",
    "scout > terminal (task-terminal) without review handoff",
  ]);
});

test("a read-only task whose verify command fails goes to no phase that it can't leave", () => {
  const project = started(aReading({ verifyCommands: [VERIFIER] }));
  project.run(VERIFIER, PASSED);
  project.run(VERIFIER, FAILED);
  expect(project.own().trajectory.phase).toBe("review");
  project.conclude("partial", { reason: "it fails" });
  expect(project.own().trajectory.phase).toBe("terminal");
});

test("an end without a request goes the same way", () => {
  const project = started(aDraft());
  project.write("src/cart.js", "right");
  project.end();
  expect(project.own().trajectory.phase).toBe("review");
});

test("a high-risk task stays in discovery whatever is seen to change, until its plan goes on", () => {
  const project = started(aDraft({ riskLane: "high-risk" }));
  project.write("src/cart.js", "wild");
  project.run();
  expect(project.own().trajectory.phase).toBe("plan");
});

test("a task enters execute by itself only within a bounded scope", () => {
  const asked = { riskLane: "tiny", plan: undefined as never } as const;
  const open = started(aDraft({ ...asked, scope: ["**"] }));
  expect(open.own().trajectory.phase).toBe("intake");
  open.accept({ type: "narrowScope", scope: ["src/**"], reason: "It is about the cart." });
  expect(open.own().trajectory.phase).toBe("execute");
  for (const scope of [["src/**", "."], ["**/**"], ["***"], ["*/**"], ["*"], ["[a-z]*/**"]]) {
    expect(started(aDraft({ ...asked, scope })).own().trajectory.phase, `${scope}`).toBe("intake");
  }
  expect(started(aDraft({ ...asked, scope: ["src/**"] })).own().trajectory.phase).toBe("execute");
});

test("a bounded scope that a person accepts leads into execute as well", () => {
  const project = started(aDraft({ riskLane: "tiny", plan: undefined as never, scope: ["**"] }));
  const acceptanceCriteria = project.own().task.contract.criteria.map(({ id }) => ({ id }));
  const reason = "It is about the cart.";
  project.accept({ type: "proposeCriteria", acceptanceCriteria, scope: ["src/**"], reason });
  project.accept({ type: "acceptCriteria", amendment: "amendment-01", reason, by: "terminal" });
  expect(project.own().trajectory.phase).toBe("execute");
});

test("what the user wants after a proof may be changed again, and what a program says may not", () => {
  const project = started(aDraft({ riskLane: "normal", plan: undefined as never }));
  project.step("plan", "done");
  project.write("src/cart.js", "v2");
  project.run();
  expect(project.own().trajectory.phase).toBe("review");
  project.accept({ type: "giveInstruction", text: "and a flag", by: "program" });
  expect(project.own().trajectory.phase).toBe("review");
  project.accept({ type: "giveInstruction", text: "and a flag", by: "user" });
  expect(project.own().trajectory.phase).toBe("repair");
});

test("a paused run is seen to be worked on, and stays where it stands", () => {
  const project = started(aDraft({ riskLane: "tiny", plan: undefined as never }));
  project.write("src/cart.js", "v2");
  project.accept({ type: "pauseTask" });
  const { task, trajectory } = project.own();
  project.run();
  expect(project.own().trajectory).toEqual(trajectory);
  expect(project.own().task).toEqual(task);
  project.accept({ type: "continueTask" });
  expect(project.gate().proof).toMatchObject([{ seq: expect.any(Number) }]);
});

test("a plan of one's own holds a task in discovery, whatever was seen to change", () => {
  const plan = [
    { id: "look", title: "Look at it", mode: "read-only" as const },
    { id: "mend", title: "Mend it", mode: "single-writer" as const, dependsOn: ["look"] },
  ];
  const project = started(aDraft({ riskLane: "normal", plan }));
  project.write("src/cart.js", "v2");
  project.run("ls");
  expect(project.own().trajectory.phase).toBe("plan");
  project.step("look", "done");
  expect(project.own().trajectory.phase).toBe("execute");
});

test("what says nothing moves nothing", () => {
  const project = started(aDraft());
  const still = (act: () => unknown) => {
    const { differences: _, ...before } = project.own().trajectory;
    act();
    expect(project.own().trajectory).toMatchObject(before);
  };
  still(() => project.run("ls"));
  still(() => project.request(`${VERIFIER} || true`));
  project.write("src/cart.js", "v2");
  project.request();
  still(() => project.end(VERIFIER, TIMED_OUT));
  still(() => project.run(`${VERIFIER} || true`));
  still(() => project.accept({ type: "recordGate" }));
  still(() => project.conclude("completed"));
});

test("one of two verify commands is no proof yet", () => {
  const project = started(aDraft({ verifyCommands: [VERIFIER, "npm run lint"] }));
  project.write("src/cart.js", "v2");
  project.run(VERIFIER);
  expect(project.own().trajectory.phase).toBe("verify");
  project.run("npm run lint");
  expect(project.own().trajectory.phase).toBe("review");
});

test("a run in another session's hands is moved by nobody else's verifier", () => {
  const project = started(aDraft({ riskLane: "tiny" }));
  project.write("src/cart.js", "v2");
  const before = project.own().trajectory;
  project.run(VERIFIER, FAILED, { session: "0".repeat(64) });
  expect(project.own().trajectory).toEqual(before);
});

test("a conclusion goes over handoff where that is a legal way, else straight to the end", () => {
  const way = (from: Phase, riskLane: Lane, outcome: string) =>
    movesAtConclusion(from, { changeMode: "source-change", riskLane }, outcome)
      .map(({ to, skipped }) => [to, ...skipped].join(" -"))
      .join(", ");
  expect(way("intake", "tiny", "partial")).toBe("terminal -execute -verify -handoff");
  expect(way("plan", "normal", "partial")).toBe("terminal -execute -verify -review -handoff");
  expect(way("execute", "normal", "partial")).toBe("terminal -verify -review -handoff");
  expect(way("execute", "normal", "failed")).toBe("handoff -verify -review, terminal");
  expect(way("execute", "high-risk", "failed")).toBe("terminal -verify -review -handoff");
  expect(way("verify", "tiny", "completed")).toBe("handoff, terminal");
  expect(way("verify", "normal", "completed")).toBe("handoff -review, terminal");
  expect(way("verify", "high-risk", "completed")).toBe("terminal -review -handoff");
  expect(way("repair", "tiny", "failed")).toBe("handoff -verify, terminal");
  expect(way("repair", "tiny", "blocked")).toBe("terminal -verify -handoff");
  expect(way("review", "high-risk", "completed")).toBe("handoff, terminal");
  expect(way("handoff", "normal", "partial")).toBe("terminal");
});

test("every conclusion from every phase of every path ends in terminal, with sound events", () => {
  for (const changeMode of ["source-change", "read-only"] as const) {
    for (const riskLane of LANES) {
      const lane = { changeMode, riskLane };
      const path = configuredPath(changeMode, riskLane);
      const places = PHASES.filter(
        (phase) => path.includes(phase) || (phase === "repair" && path.includes("execute")),
      );
      for (const from of places.filter((phase) => phase !== "terminal")) {
        for (const outcome of ["completed", "blocked", "partial", "failed"]) {
          const way = movesAtConclusion(from, lane, outcome);
          expect(way.at(-1)?.to, `${changeMode} ${riskLane} ${from} ${outcome}`).toBe("terminal");
          expect(way.every((move) => isPhaseEntered({ ...move, source: "completion" }))).toBe(true);
        }
      }
    }
  }
});

test("the view keeps the newest 64 transitions and counts them all", () => {
  const project = started(aDraft({ riskLane: "tiny" }));
  project.write("src/cart.js", "wrong");
  while (project.own().trajectory.count < 80) project.run(VERIFIER, FAILED);
  const { count, recent, phase } = project.own().trajectory;
  expect(recent).toHaveLength(64);
  expect(count).toBe(81);
  expect(recent.at(-1)).toMatchObject({ to: phase });
  const seqs = project.events.filter(({ header }) => header.type === "phase.entered");
  expect(recent.map(({ seq }) => seq)).toEqual(seqs.slice(-64).map(({ header }) => header.seq));
});
