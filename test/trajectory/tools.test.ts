import fc from "fast-check";
import { expect, test } from "vitest";
import {
  PHASES,
  type Phase,
  phaseToolsMode,
  type ToolUse,
  toolRefusal,
} from "../../src/trajectory/index.ts";

const use = (over: Partial<ToolUse>): ToolUse => ({
  tool: "bash",
  effect: "shell",
  writes: false,
  isExactVerifier: false,
  isOwn: false,
  ...over,
});

/** Calls by what they do, whatever their tool is called. */
const READS = use({ tool: "Read", effect: "read" });
const SEARCHES = use({ tool: "grep", effect: "read" });
const EDITS = use({ tool: "edit", effect: "write", writes: true });
const PATCHES = use({ tool: "apply_patch", effect: "write", writes: true });
const LOOKS = use({});
const REDIRECTS = use({ writes: true });
const VERIFIES = use({ isExactVerifier: true });
const EXTENSION_READS = use({ tool: "web_fetch", effect: "read" });
const EXTENSION_DOES = use({ tool: "deploy", effect: "unknown" });
const EXTENSION_WRITES = use({ tool: "mcp__files__write", effect: "unknown", writes: true });

/** What a source change may do in each phase, as the requirement has it. */
const ALLOWED: Readonly<Record<Phase, readonly ToolUse[]>> = {
  intake: [READS, SEARCHES],
  scout: [READS, SEARCHES],
  plan: [READS, SEARCHES],
  execute: [READS, SEARCHES, EDITS, PATCHES, LOOKS, REDIRECTS, VERIFIES, EXTENSION_WRITES],
  verify: [READS, LOOKS, VERIFIES],
  repair: [READS, SEARCHES, EDITS, PATCHES, LOOKS, REDIRECTS, VERIFIES, EXTENSION_WRITES],
  review: [READS, SEARCHES, LOOKS],
  handoff: [READS],
  terminal: [],
};

const EVERY = [
  ...[READS, SEARCHES, EDITS, PATCHES, LOOKS, REDIRECTS, VERIFIES],
  ...[EXTENSION_READS, EXTENSION_DOES, EXTENSION_WRITES],
];
/** What an extension does without changing the project is left alone in every phase. */
const LEFT_ALONE = [EXTENSION_READS, EXTENSION_DOES];

test.each(PHASES)(
  "in phase %s a source change may do what the table says, and nothing else",
  (phase) => {
    for (const call of EVERY) {
      const isAllowed = ALLOWED[phase].includes(call) || LEFT_ALONE.includes(call);
      expect(toolRefusal(phase, "source-change", call) === null, JSON.stringify(call)).toBe(
        isAllowed,
      );
    }
  },
);

test.each(PHASES)(
  "in phase %s a task that only reads changes nothing and verifies nothing",
  (phase) => {
    for (const call of [EDITS, PATCHES, REDIRECTS, VERIFIES, EXTENSION_WRITES]) {
      expect(toolRefusal(phase, "read-only", call)).toBe("read-only-task");
    }
    const looks = [READS, SEARCHES, LOOKS].filter((call) => ALLOWED[phase].includes(call));
    for (const call of looks) expect(toolRefusal(phase, "read-only", call)).toBeNull();
  },
);

test.each([
  ["plan", EDITS, "no-change-in-phase"],
  ["verify", REDIRECTS, "no-change-in-phase"],
  ["review", EXTENSION_WRITES, "no-change-in-phase"],
  ["review", VERIFIES, "no-verifier-in-phase"],
  ["plan", LOOKS, "tool-not-in-phase"],
  ["handoff", SEARCHES, "tool-not-in-phase"],
  ["triage", EDITS, "phase-unknown"],
] as const)("why a call does not belong in %s", (phase, call, why) => {
  expect(toolRefusal(phase, "source-change", call)).toBe(why);
});

test("the name of a tool never lets a call change the project where nothing is changed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PHASES),
      fc.constantFrom("read", "grep", "edit", "bash", "task_progress", "x"),
      fc.constantFrom("read", "write", "shell", "unknown"),
      (phase, tool, effect) => {
        const refusal = toolRefusal(phase, "source-change", use({ tool, effect, writes: true }));
        expect(refusal === null).toBe(phase === "execute" || phase === "repair");
      },
    ),
  );
});

test("what only asks Holdfast itself stays callable in every phase", () => {
  for (const phase of PHASES) {
    expect(toolRefusal(phase, "read-only", use({ isOwn: true }))).toBeNull();
  }
});

test("a switch that is turned down narrows a running task, and none widens it", () => {
  const modes = ["off", "shadow", "on"] as const;
  for (const [index, atStart] of modes.entries()) {
    for (const [now, mode] of modes.entries()) {
      expect(phaseToolsMode(atStart, mode)).toBe(modes[Math.min(index, now)]);
    }
  }
});
