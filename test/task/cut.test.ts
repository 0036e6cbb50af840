import fc from "fast-check";
import { expect, test } from "vitest";
import type { StoredEvent } from "../../src/journal/index.ts";
import { fold, initialState, type ProjectState, runsOf } from "../../src/task/index.ts";
import { acts, play } from "./commands.ts";
import { aDraft, FAILED, PASSED, VERIFIER } from "./makers.ts";
import { type Project, started } from "./project.ts";

/** As a snapshot is kept: written as JSON and read back, with nothing lost on the way. */
function kept(state: ProjectState): ProjectState {
  const read = JSON.parse(JSON.stringify(state)) as ProjectState;
  expect(read).toStrictEqual(state);
  return read;
}

/** Folds with a snapshot after each of the first so many events, and on from what was read back. */
function foldCutAt(cuts: readonly number[], events: readonly StoredEvent[]): ProjectState {
  const ends = [...cuts, events.length];
  return ends.reduce<ProjectState>(
    (state, end, index) => kept(fold(events.slice(ends[index - 1] ?? 0, end), state)),
    initialState,
  );
}

/** Times as clocks give them that are set forwards and back, by up to half a minute. */
const steps = fc.infiniteStream(fc.integer({ min: -30_000, max: 60_000 }));

function atOtherTimes(
  events: readonly StoredEvent[],
  stepsMs: Iterator<number>,
): readonly StoredEvent[] {
  let ms = Date.UTC(2026, 0, 2);
  return events.map(({ header, ...event }) => {
    ms += Number(stepsMs.next().value);
    return { ...event, header: { ...header, at: new Date(ms).toISOString() } };
  });
}

test("a legal history folds to the same, cut anywhere and at whatever times it happened", () => {
  fc.assert(
    fc.property(acts, steps, fc.array(fc.nat(), { maxLength: 4 }), (history, stepsMs, at) => {
      const events = atOtherTimes(play(history).events, stepsMs);
      const whole = fold(events);
      const cuts = at.map((each) => each % (events.length + 1)).toSorted((a, b) => a - b);
      expect(foldCutAt(cuts, events)).toEqual(whole);
    }),
    { numRuns: 150 },
  );
});

test("a legal history folds to the same, cut at every one of its events", () => {
  fc.assert(
    fc.property(acts, steps, (history, stepsMs) => {
      const events = atOtherTimes(play(history).events, stepsMs);
      const whole = fold(events);
      for (let cut = 0; cut <= events.length; cut++) {
        expect(foldCutAt([cut], events), `cut after event ${cut}`).toEqual(whole);
      }
    }),
    { numRuns: 25 },
  );
});

test("a history of which bodies were shed folds to the same, cut anywhere", () => {
  fc.assert(
    fc.property(acts, fc.infiniteStream(fc.boolean()), fc.nat(), (history, shed, at) => {
      const events = play(history).events.map((event) =>
        shed.next().value === true ? { ...event, body: null } : event,
      );
      expect(foldCutAt([at % (events.length + 1)], events)).toEqual(fold(events));
    }),
    { numRuns: 60 },
  );
});

/** A run that goes through its plan, is paused, and fails, is mended and proved. */
function eventful(): Project {
  const project = started(aDraft({ riskLane: "normal", plan: undefined as never }));
  project.step("plan", "failed", "no idea yet");
  project.step("plan", "in-progress", "found a way");
  project.step("plan", "done");
  project.accept({ type: "pauseTask", reason: "lunch" });
  project.accept({ type: "continueTask" });
  for (const end of [FAILED, FAILED, PASSED]) {
    project.write("src/cart.js", `v${project.events.length}`);
    project.run(VERIFIER, end);
  }
  project.step("implement", "done");
  return project;
}

test("wherever it is cut, a run keeps its plan, its phases and how long each took", () => {
  const { events } = eventful();
  const [run] = runsOf(fold(events));
  expect(run?.task.plan.map(({ status }) => status)).toEqual(["done", "done", "in-progress"]);
  expect(run?.trajectory.entered).toEqual({
    intake: 1,
    plan: 1,
    execute: 1,
    verify: 3,
    repair: 2,
    review: 1,
  });
  for (let cut = 0; cut <= events.length; cut++) {
    const [again] = runsOf(foldCutAt([cut], events));
    expect(again?.task.plan, `cut after event ${cut}`).toEqual(run?.task.plan);
    expect(again?.trajectory, `cut after event ${cut}`).toEqual(run?.trajectory);
  }
});

test("a clock that goes back within a phase leaves unknown how long that took, cut or not", () => {
  const { events } = eventful();
  const seqOfRepair = events.find(({ body }) => body?.to === "repair")?.header.seq ?? 0;
  // What follows the first failure was written an hour earlier.
  const turned = events.map(({ header, ...event }) => ({
    ...event,
    header:
      header.seq > seqOfRepair
        ? { ...header, at: new Date(Date.parse(header.at) - 3_600_000).toISOString() }
        : header,
  }));
  const spent = (state: ProjectState) => runsOf(state)[0]?.trajectory.spentMs;
  expect(spent(fold(turned))).toEqual({ ...spent(fold(events)), repair: null });
  for (let cut = 0; cut <= turned.length; cut++) {
    expect(spent(foldCutAt([cut], turned)), `cut after event ${cut}`).toEqual(spent(fold(turned)));
  }
});
