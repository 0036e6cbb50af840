import type { Switches } from "./contract/index.ts";

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

export function switchesOf(env: Readonly<Record<string, string | undefined>>): SwitchReading {
  const switches: Record<string, string> = {};
  const problems: string[] = [];
  for (const [key, { name, values, otherwise }] of Object.entries(SWITCHES)) {
    const value = env[name];
    if (value === undefined || value === "") continue;
    const known = (values as readonly string[]).includes(value);
    switches[key] = known ? value : otherwise;
    if (known) continue;
    problems.push(
      `${name} has the unknown value ${JSON.stringify(value)} and counts as ${otherwise}; known are ${values.join(", ")}.`,
    );
  }
  return { switches: switches as Partial<Switches>, problems };
}
