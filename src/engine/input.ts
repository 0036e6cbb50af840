import { isContractV1, isTaskDraft } from "../contract/index.ts";
import { type ErrorCode, HoldfastError } from "../errors.ts";
import { canonicalText, type JsonValue } from "../journal/index.ts";
import { type Command, isCommand } from "../task/index.ts";
import type { Asking } from "./answer.ts";
import type { Explained } from "./explain.ts";

/** @throws HoldfastError `input/invalid`, `contract/invalid`: which field is wrong and why */
export async function assertInput(command: Command, asking: Asking): Promise<void> {
  assertAsking(asking);
  if (!isCommand(command)) throw await invalid("command", command, "input/invalid");
  if (command.type === "startTask" && !isTaskDraft(command.draft)) {
    throw await invalid("draft", command.draft, "contract/invalid");
  }
  if (command.type === "importContract" && !isContractV1(command.contract)) {
    throw await invalid("contract", command.contract, "contract/invalid");
  }
}

async function invalid(what: Explained, value: unknown, code: ErrorCode): Promise<HoldfastError> {
  const { explain } = await import("./explain.ts");
  const { message, remedy } = explain(what, value);
  return new HoldfastError(code, message, remedy);
}

/**
 * Both are hashed, so anything but a text would end in an error that says nothing.
 *
 * @throws HoldfastError `input/invalid`
 */
export function assertAsking(asking: unknown): void {
  const { session, key = "-" } = (asking ?? {}) as { session?: unknown; key?: unknown };
  const isText = (value: unknown) => typeof value === "string" && value !== "";
  if (isText(session) && isText(key)) return;
  throw new HoldfastError(
    "input/invalid",
    "A call needs to say who asks: the session, and the key where there is one, are texts.",
    'Pass { session: "…" }.',
  );
}

/** What the caller said, without secrets and in one form. Half a surrogate pair, as a cut-off output holds, is U+FFFD. */
export function contentText(command: Command): string {
  const wellFormed = (_: string, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value;
  return canonicalText(JSON.parse(JSON.stringify(command, wellFormed)) as JsonValue);
}
