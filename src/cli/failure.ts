import { CommanderError } from "commander";
import { ERROR_KINDS, type ErrorKind, HoldfastError } from "../errors.ts";
import type { FailureAnswer } from "./view-schemas.ts";

/** What the command's exit codes mean; `exec` passes its command's own code through. */
export const EXIT = {
  yes: 0,
  /** A negative answer: not done, not verified, not to be resumed. */
  no: 1,
  /** Wrong usage, or input that is not valid. */
  input: 2,
  /** The journal is corrupt, missing, unsafe, newer than this version or not writable. */
  journal: 3,
  /** Another process was in the way; the same call may succeed later. */
  busy: 4,
  /** A bug of Holdfast itself. @see sysexits(3), EX_SOFTWARE */
  bug: 70,
} as const;

const EXIT_OF_KIND: Readonly<Record<ErrorKind, number>> = {
  answer: EXIT.no,
  input: EXIT.input,
  journal: EXIT.journal,
  busy: EXIT.busy,
};

/** Why a call ended without its answer, in the words and the exit code that users get. */
export interface Failure {
  readonly exitCode: number;
  readonly code: FailureAnswer["error"]["code"];
  readonly message: string;
  /** One thing the reader can do now. */
  readonly remedy: string;
  /** Where it happened; for bugs only. */
  readonly stack: string | null;
}

/** @param command the command that was called, as in "task start" */
export function failureOf(error: unknown, command: string): Failure {
  if (error instanceof CommanderError) return usageFailure(error, command);
  if (error instanceof HoldfastError) {
    const { code, message, remedy } = error;
    return { exitCode: EXIT_OF_KIND[ERROR_KINDS[code]], code, message, remedy, stack: null };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return {
    exitCode: EXIT.bug,
    code: "internal/bug",
    message: `Holdfast met a case that it does not know: ${message}`,
    remedy: "Please report it with the lines below. The journal holds what was acknowledged.",
    stack: stack ?? null,
  };
}

/** The parser says "error: unknown option '--jsn'", and on a second line what was probably meant. */
function usageFailure(error: CommanderError, command: string): Failure {
  const [first = "", guess] = error.message.replace(/^error: /, "").split("\n");
  const sentence = first.charAt(0).toUpperCase() + first.slice(1);
  const meant = guess === undefined ? "" : `${guess.replace(/^\(|\)$/g, "")} `;
  const help = ["holdfast", command, "--help"].filter((word) => word !== "").join(" ");
  return {
    exitCode: EXIT.input,
    code: "input/invalid",
    message: sentence.endsWith(".") ? sentence : `${sentence}.`,
    remedy: `${meant}See: ${help}`,
    stack: null,
  };
}
