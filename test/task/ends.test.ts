import fc from "fast-check";
import { expect, test } from "vitest";
import { hasEnded } from "../../src/contract/index.ts";
import { type Command, isCommand, type ProjectState, runsOf } from "../../src/task/index.ts";
import { acts, commandOf, play } from "./commands.ts";

const ENDS = ["abandoned", "blocked", "completed", "failed", "historical", "partial"];

/** All that is known of a run, and all that is known for it of its evidence. */
function everythingOf({ runs, evidence }: ProjectState, run: string) {
  const { bindings, judgements, gates } = evidence;
  return [runs[run], bindings[run], judgements[run], gates[run]];
}

/** The runs that have ended, by id, with everything that is known of each. */
function endedIn(state: ProjectState): ReadonlyMap<string, unknown> {
  const ended = runsOf(state).filter(({ task }) => hasEnded(task.status));
  return new Map(
    ended.map(({ task: { contract } }) => [contract.run, everythingOf(state, contract.run)]),
  );
}

/** The same command, meant for one run, where it can be. */
function meantFor(run: string, command: Command): Command | null {
  const named = { ...command, run };
  return command.type !== "retryTask" && isCommand(named) ? named : null;
}

test("no sequence of commands of any kind leads a run out of its end, or changes it there", () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(acts, acts, (first, then) => {
      let ended: ReadonlyMap<string, unknown> = new Map();
      play([...first, ...then], (project, act) => {
        const { session } = act;
        const command = commandOf(project, act);
        for (const run of ended.keys()) {
          const named = meantFor(run, command);
          if (named === null) continue;
          const before = project.state;
          expect(project.refusal(named, { session }), named.type).toBe("contract/not-open");
          expect(project.state).toBe(before);
        }
        project.dispatch(command, { session });
        for (const [run, before] of ended) {
          expect(everythingOf(project.state, run)).toEqual(before);
        }
        ended = endedIn(project.state);
        for (const run of ended.keys()) met.add(project.state.runs[run]?.task.status ?? "none");
      });
    }),
    { numRuns: 150, seed: 17 },
  );
  expect([...met].toSorted()).toEqual(ENDS);
});
