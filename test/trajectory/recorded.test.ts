import fc from "fast-check";
import { expect, test } from "vitest";
import { isTaskStarted } from "../../src/contract/index.ts";
import type { StoredEvent } from "../../src/journal/index.ts";
import { isPhaseEntered, type PhaseEntered } from "../../src/trajectory/index.ts";
import { acts, play } from "../task/commands.ts";
import { KINDS, type Lane, type Mode } from "./ways.ts";

/** What was agreed on of a run, and the moves that it made. */
interface Told {
  readonly kind: { readonly mode: Mode; readonly lane: Lane };
  readonly moves: readonly PhaseEntered[];
}

function toldOf(events: readonly StoredEvent[]): readonly Told[] {
  return events.flatMap(({ header, body }) => {
    if (header.type !== "task.started" || !isTaskStarted(body)) return [];
    const { changeMode: mode, riskLane: lane } = body.contract;
    const moves = events.flatMap((event) =>
      event.header.run === header.run && isPhaseEntered(event.body) ? event.body : [],
    );
    return { kind: { mode, lane }, moves };
  });
}

function hasWay({ mode, lane }: Told["kind"], move: PhaseEntered): boolean {
  const { ways } = KINDS.find((kind) => kind.mode === mode && kind.lane === lane) ?? { ways: [] };
  return ways.some(
    ({ from, to, causes, without }) =>
      from === move.from &&
      to === move.to &&
      causes.includes(move.cause) &&
      without.join() === move.skipped.join(),
  );
}

test("whatever is done, a run makes no move but by a way of its task, each from where it stood", () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(acts, (history) => {
      for (const { kind, moves } of toldOf(play(history).events)) {
        const stood = ["intake", ...moves.map(({ to }) => to)];
        expect(moves.map(({ from }) => from)).toEqual(stood.slice(0, -1));
        expect(moves.filter((move) => !hasWay(kind, move))).toEqual([]);
        for (const { from, to } of moves) met.add(`${from} > ${to}`);
      }
    }),
    { numRuns: 300, seed: 23 },
  );
  // Enough of them to say something.
  expect(met.size).toBeGreaterThan(12);
});
