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

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
