import type { Switches } from "../contract/index.ts";
import { HoldfastError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Set for every command that runs under observation, and so for an agent within one. */
export const OBSERVED_MARK = "HOLDFAST_OBSERVED";

/** Variables that say that an agent, and no person, makes the call. */
const AGENT_MARKS = ["PI_SESSION_ID", "CLAUDECODE", "CLAUDE_CODE_SESSION_ID", OBSERVED_MARK];

export function isAgent(env: Environment): boolean {
  return AGENT_MARKS.some((name) => isSet(env[name]));
}

/**
 * Who asks: the named session, else that of the host.
 *
 * @throws HoldfastError `input/invalid` for an empty name
 */
export function sessionOf(named: string | undefined, env: Environment): string {
  if (named === "") {
    throw new HoldfastError(
      "input/invalid",
      "The session has an empty name.",
      "Name it with --session ID, or leave the option out.",
    );
  }
  const { HOLDFAST_SESSION, PI_SESSION_ID, CLAUDE_CODE_SESSION_ID } = env;
  if (named !== undefined) return named;
  if (isSet(HOLDFAST_SESSION)) return HOLDFAST_SESSION;
  if (isSet(PI_SESSION_ID)) return `pi:${PI_SESSION_ID}`;
  if (isSet(CLAUDE_CODE_SESSION_ID)) return `claude-code:${CLAUDE_CODE_SESSION_ID}`;
  return "cli";
}

/** The switches that the environment sets, and a sentence for each value that is none. */
export interface SwitchReading {
  readonly switches: Partial<Switches>;
  readonly problems: readonly string[];
}

const SWITCHES = {
  autoRecovery: { name: "PIAGENT_AUTO_RECOVERY", values: ["on", "off"], otherwise: "off" },
  phaseTools: { name: "PIAGENT_PHASE_TOOLS", values: ["off", "shadow", "on"], otherwise: "shadow" },
  intelligenceEngine: {
    name: "PIAGENT_INTELLIGENCE_ENGINE",
    values: ["on", "off"],
    otherwise: "on",
  },
} as const satisfies { [Name in keyof Switches]: SwitchRule<Switches[Name]> };

interface SwitchRule<Value> {
  readonly name: string;
  readonly values: readonly Value[];
  /** What an unknown value counts as: the safe side, which need not be the default. */
  readonly otherwise: Value;
}

export function switchesOf(env: Environment): SwitchReading {
  const switches: Record<string, string> = {};
  const problems: string[] = [];
  for (const [key, { name, values, otherwise }] of Object.entries(SWITCHES)) {
    const value = env[name];
    if (!isSet(value)) continue;
    const known = (values as readonly string[]).includes(value);
    switches[key] = known ? value : otherwise;
    if (known) continue;
    problems.push(
      `${name} has the unknown value ${JSON.stringify(value)} and counts as ${otherwise}; known are ${values.join(", ")}.`,
    );
  }
  return { switches: switches as Partial<Switches>, problems };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
