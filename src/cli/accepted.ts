import type { Answer, Asking, Engine } from "../engine/index.ts";
import { HoldfastError } from "../errors.ts";
import type { Command } from "../task/index.ts";

/** Dispatches a command whose refusal ends the call. */
export async function accepted(engine: Engine, command: Command, asking: Asking): Promise<Answer> {
  const answer = await engine.dispatch(command, asking);
  if (answer.refusal === null) return answer;
  throw HoldfastError.of(answer.refusal);
}
