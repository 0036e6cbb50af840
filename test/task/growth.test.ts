import process from "node:process";
import { expect, test } from "vitest";
import type { StoredEvent } from "../../src/journal/index.ts";
import { EVENT_TYPES, fold, type ProjectState, runsOf } from "../../src/task/index.ts";
import { ADA, aDraft, BEHAVIOR, BOB, FAILED, PASSED, VERIFIED, VERIFIER } from "./makers.ts";
import { type Project, started } from "./project.ts";
import { inRounds } from "./rounds.ts";

/** Twice the events may take so many times as long. */
const GROWTH_MAX = 2.2;
/** A few seconds on a machine of one's own; the rest is for one that is shared. */
const SLOWEST_MS = 300_000;

/** Everything that one run can do over and over: all that is ever recorded but its start and its end. */
function doEverything(project: Project): void {
  project.write("src/cart.js", "wrong");
  project.run(VERIFIER, FAILED);
  project.step("implement", "failed", "It fails.");
  project.step("implement", "in-progress", "Another way.");
  const checked = project.run("node check.js");
  project.bind("criterion-01", "behavioral-check", `seq:${checked}`);
  project.write("src/cart.js", "right");
  project.run(VERIFIER, PASSED);
  project.judge("criterion-02", "waived");
  project.accept({ type: "recordGate" });
  project.accept({ type: "pauseTask", reason: "lunch" });
  project.accept({ type: "continueTask" });
  for (const session of [BOB, ADA]) {
    project.accept({ type: "takeOverTask", reason: "It is my turn." }, { session });
  }
  project.accept({ type: "giveInstruction", text: "Leave the README alone.", by: "user" });
  const acceptanceCriteria = [{ id: "criterion-01" }, "it is fast enough"];
  project.accept({ type: "proposeCriteria", acceptanceCriteria, reason: "More is wanted." });
  const plan = project.own().task.plan.map(({ id, title, mode, dependsOn }) => ({
    ...{ id, title, mode },
    dependsOn: [...dependsOn],
  }));
  project.accept({ type: "recordPlan", plan });
  const seq = project.request("rm -rf build");
  project.accept({ type: "settleCall", seq, as: "happened", reason: "Gone.", by: "terminal" });
  project.accept({ type: "appendExtension", events: [{ type: "x.notes", body: { seen: 1 } }] });
}

function atImplementing(): Project {
  const acceptanceCriteria = [BEHAVIOR, VERIFIED];
  const project = started(
    aDraft({ riskLane: "normal", plan: undefined as never, acceptanceCriteria }),
  );
  project.accept({ type: "narrowScope", scope: ["src/cart.js"], reason: "It is about the cart." });
  const criteria = [{ id: "criterion-02" }, { id: "criterion-01" }];
  const reason = "The tests come first.";
  project.accept({ type: "proposeCriteria", acceptanceCriteria: criteria, reason });
  const amendment = "amendment-01";
  project.accept({ type: "acceptCriteria", amendment, reason, by: "terminal" });
  project.run("ls"); // Not in its phase, which is recorded once.
  project.step("plan", "done");
  return project;
}

/** Events of one round: both histories end at the same point of one. */
function roundIn(events: readonly StoredEvent[]): number {
  const gates = events.flatMap(({ header }, at) => (header.type === "gate.evaluated" ? at : []));
  return (gates.at(-1) ?? 0) - (gates.at(-2) ?? 0);
}

/** A fold, and the processor time of it, which a busy machine does not lengthen as it does the clock's. */
function timed(events: readonly StoredEvent[]): {
  readonly state: ProjectState;
  readonly ms: number;
} {
  const before = process.cpuUsage();
  const state = fold(events);
  const { user, system } = process.cpuUsage(before);
  return { state, ms: (user + system) / 1_000 };
}

/** Characters of a state as a snapshot keeps it, but for how many digits its numbers have. */
const sizeOf = (state: ProjectState) => JSON.stringify(state).replaceAll(/\d+/g, "0").length;

test(
  "100,000 mixed events of one run take at most 2.2 times as long to fold as half of them",
  () => {
    const all = inRounds(atImplementing(), doEverything, 100_000);
    const half = all.slice(0, -Math.round(50_000 / roundIn(all)) * roundIn(all));
    const types = new Set(all.map(({ header }) => header.type));
    const once = ["task.abandoned", "task.concluded"];
    expect([...types, ...once].toSorted()).toEqual([...EVENT_TYPES, "x.notes"].toSorted());

    fold(all.slice(0, 10_000)); // Code is compiled by then.
    // Linear is 2, quadratic 4. Chance lengthens single measurements, so the best of each count.
    const best = { half: Number.POSITIVE_INFINITY, all: Number.POSITIVE_INFINITY };
    for (let attempt = 0; attempt < 5; attempt++) {
      const folds = { half: timed(half), all: timed(all), halfAgain: timed(half) };
      best.half = Math.min(best.half, folds.half.ms, folds.halfAgain.ms);
      best.all = Math.min(best.all, folds.all.ms);
      expectFolded(folds.all.state, all);
      expect(sizeOf(folds.all.state)).toBe(sizeOf(folds.half.state));
      if (best.all <= GROWTH_MAX * best.half) break;
    }
    expect(best.all / best.half).toBeLessThanOrEqual(GROWTH_MAX);
  },
  SLOWEST_MS,
);

/** Every projection has come to where the last of the events leaves it. */
function expectFolded(state: ProjectState, events: readonly StoredEvent[]): void {
  const seqOf = (type: string) => events.findLast(({ header }) => header.type === type)?.header.seq;
  const moves = events.filter(({ header }) => header.type === "phase.entered");
  const [run] = runsOf(state);
  const { evidence } = state;
  const id = run?.task.contract.run ?? "";
  expect(state.notUnderstood).toBeNull();
  expect(run?.trajectory.count).toBe(moves.length);
  expect(run?.trajectory.recent.at(-1)?.seq).toBe(seqOf("phase.entered"));
  expect(evidence.recent.at(-1)?.seq).toBe(seqOf("command.observed"));
  expect(evidence.gates[id]?.seq).toBe(seqOf("gate.evaluated"));
  expect(evidence.bindings[id]?.map(({ seq }) => seq)).toEqual([seqOf("evidence.bound")]);
  expect(evidence.judgements[id]?.map(({ seq }) => seq)).toEqual([seqOf("criterion.judged")]);
}

test(
  "20,000 rounds of verify and repair leave a state as large as 10,000",
  () => {
    const project = atImplementing();
    const rounds = inRounds(
      project,
      () => {
        project.write("src/cart.js", "wrong");
        project.run(VERIFIER, FAILED);
      },
      80_040,
    );
    const middle = fold(rounds.slice(0, 40_040));
    const end = fold(rounds.slice(40_040), middle);
    const repairs = [middle, end].map((state) => runsOf(state)[0]?.trajectory.entered.repair ?? 0);
    expect(repairs[0]).toBeGreaterThanOrEqual(10_000);
    expect(repairs[1]).toBeGreaterThanOrEqual(20_000);
    expect(sizeOf(end)).toBe(sizeOf(middle));
  },
  SLOWEST_MS,
);
