import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CommandEnd,
  clipHead,
  clipMiddle,
  clipTail,
  isCheck,
  isCommandEnd,
  verdictOf,
} from "../../src/evidence/index.ts";
import { PASSED } from "../task/makers.ts";

const ends: readonly (readonly [
  over: Partial<CommandEnd>,
  verdict: string,
  reason: string | null,
])[] = [
  [{}, "pass", null],
  [{ exitCode: 1 }, "fail", null],
  [{ exitCode: 255 }, "fail", null],
  [{ exitCode: null }, "inconclusive", "no-exit-code"],
  [{ exitCode: null, signal: "SIGKILL" }, "inconclusive", "signal:SIGKILL"],
  [{ exitCode: 137, signal: "SIGKILL" }, "inconclusive", "signal:SIGKILL"],
  [{ exitCode: 0, signal: "SIGTERM" }, "inconclusive", "contradictory"],
  [{ timedOut: true }, "inconclusive", "timed-out"],
  [{ exitCode: 1, timedOut: true }, "inconclusive", "timed-out"],
  [{ exitCode: null, signal: "SIGTERM", timedOut: true }, "inconclusive", "timed-out"],
  [{ aborted: true }, "inconclusive", "aborted"],
  [{ exitCode: 1, aborted: true }, "inconclusive", "aborted"],
  [{ exitCode: null, signal: "SIGINT", aborted: true }, "inconclusive", "aborted"],
];

test.each(ends)("an end with %o is %s (%s)", (over, verdict, reason) => {
  const end = { ...PASSED, ...over };
  expect(isCommandEnd(end)).toBe(true);
  expect(verdictOf(end)).toEqual({ verdict, reason });
});

test("nothing but a clean exit with code 0 is a pass", () => {
  const anEnd = fc.record({
    exitCode: fc.option(fc.integer({ min: 0, max: 255 })),
    signal: fc.option(fc.constantFrom("SIGKILL", "SIGTERM", "")),
    timedOut: fc.boolean(),
    aborted: fc.boolean(),
  });
  fc.assert(
    fc.property(anEnd, (end) => {
      const isClean = end.signal === null && !end.timedOut && !end.aborted;
      const { verdict, reason } = verdictOf(end);
      expect(verdict === "pass").toBe(isClean && end.exitCode === 0);
      expect(verdict === "fail").toBe(isClean && end.exitCode !== null && end.exitCode !== 0);
      expect(reason === null).toBe(verdict !== "inconclusive");
    }),
  );
});

test("what prints, shows or always ends well is no check", () => {
  const none = [
    "true",
    ":",
    "echo ok",
    "printf ok",
    "cat a.txt",
    "ls",
    "/bin/ls -la",
    "  grep x y",
    "cd src && npm test",
    "exit 0",
    "",
    "  ",
    "sleep 1",
  ];
  for (const command of none) expect(isCheck(command), command).toBe(false);
  for (const command of ["npm test", "./check.sh", "node -e 1", "echoes", "/usr/bin/make test"]) {
    expect(isCheck(command), command).toBe(true);
  }
});

test("a clipped text keeps its ends, its bound and whole characters", () => {
  const aText = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(aText, fc.integer({ min: 1, max: 40 }), (text, max) => {
      const head = clipHead(text, max);
      const tail = clipTail(text, max);
      for (const end of [head, tail, clipMiddle(text, max)]) expect(end.isWellFormed()).toBe(true);
      expect(text.startsWith(head)).toBe(true);
      expect(text.endsWith(tail)).toBe(true);
      for (const end of [head, tail]) {
        expect(end.length).toBeLessThanOrEqual(max);
        expect(end.length).toBeGreaterThanOrEqual(Math.min(text.length, max) - 1);
      }
    }),
  );
});

test("the middle that is left out is counted", () => {
  expect(clipMiddle("0123456789", 4)).toBe("01…[6 characters left out]…89");
  expect(clipMiddle("0123", 4)).toBe("0123");
});
