import type { Refusal } from "../errors.ts";
import {
  isNewDifference,
  type PhaseToolDiffered,
  phaseToolsMode,
  type ToolRefusal,
  type ToolUse,
  toolRefusal,
} from "../trajectory/index.ts";
import type { Facts } from "./facts.ts";
import type { RunState } from "./projection.ts";
import type { RequestTool } from "./schemas.ts";

/** What is recorded of a call that does not belong in a phase, and why it is refused, if it is. */
interface Difference {
  readonly recorded: PhaseToolDiffered | null;
  readonly refusal: Refusal | null;
}

const NONE: Difference = { recorded: null, refusal: null };

/**
 * Judges a call by the phase that its run would be in. Switched to `shadow` a difference is recorded
 * and nothing else; switched `on` the call is refused, but never in a phase that is unknown.
 */
export function phaseToolDifference(
  { task, trajectory }: RunState,
  phase: string,
  use: ToolUse,
  { switched }: Pick<Facts, "switched">,
): Difference {
  const { contract } = task;
  const pinned = contract.switches.phaseTools;
  const mode = phaseToolsMode(pinned, switched.phaseTools ?? pinned);
  if (mode === "off") return NONE;
  const why = toolRefusal(phase, contract.changeMode, use);
  if (why === null) return NONE;
  const { tool, effect, writes } = use;
  const enforced = mode === "on" && why !== "phase-unknown";
  const difference = { phase, tool, effect, writes, refusal: why, enforced };
  return {
    recorded: isNewDifference(trajectory, difference) ? difference : null,
    refusal: enforced ? refusalOf(why, phase, use) : null,
  };
}

/** One plain call of this command, with nothing around it that a shell would act on. */
const OWN_CALL = /^(?:npx |npm exec (?:-- )?)?holdfast (?:--json )?([a-z]+)\b[^;&|<>$`\\\n]*$/;

/** Commands that neither run another one nor write a file where they are told to. */
const OWN_COMMANDS = new Set([
  ...["conclude", "context", "criteria", "criterion", "evidence", "gate", "log", "phase"],
  ...["plan", "resume", "settle", "show", "status", "takeover", "task"],
]);

/**
 * Whether a call only asks Holdfast itself for something. It stays callable in every phase: it is how a
 * task goes on to the next one. What runs other commands is none.
 */
export function isOwnCall({ effect, command }: Pick<RequestTool, "effect" | "command">): boolean {
  const [, own = ""] = OWN_CALL.exec(command.trim()) ?? [];
  return effect === "shell" && OWN_COMMANDS.has(own);
}

function refusalOf(why: ToolRefusal, phase: string, { tool }: ToolUse): Refusal {
  const [message, remedy] = WHY[why](phase, tool);
  return { code: "phase/tool-refused", message, remedy };
}

const MOVE_ON =
  "See where the task stands: holdfast phase; go on with its plan: holdfast plan step";

const WHY: Readonly<Record<ToolRefusal, (phase: string, tool: string) => [string, string]>> = {
  "phase-unknown": (phase) => [`The phase ${phase} is not known.`, MOVE_ON],
  "read-only-task": (_, tool) => [
    `The task only reads, so ${tool} may neither change the project nor run its verify commands.`,
    "Start a task that changes something: holdfast task start --mode source-change",
  ],
  "no-change-in-phase": (phase, tool) => [
    `The task is in phase ${phase}, in which nothing is changed; ${tool} would.`,
    MOVE_ON,
  ],
  "no-verifier-in-phase": (phase) => [
    `The task is in phase ${phase}, in which no verify command is run.`,
    MOVE_ON,
  ],
  "tool-not-in-phase": (phase, tool) => [
    `The task is in phase ${phase}, to which ${tool} does not belong.`,
    MOVE_ON,
  ],
};
