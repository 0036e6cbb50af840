/**
 * What a failure asks of the caller. The command line turns it into its exit code.
 *
 * - `answer`: nothing is wrong, the answer is no (exit 1)
 * - `input`: the call or a file given to it is wrong (exit 2)
 * - `journal`: the journal is damaged, missing, unsafe, newer or not writable (exit 3)
 * - `busy`: the same call may succeed later (exit 4)
 */
export type ErrorKind = "answer" | "input" | "journal" | "busy";

/** Every code a failure or a refusal can carry. Codes are stable: programs branch on them. */
export const ERROR_KINDS = {
  "call/not-uncertain": "input",
  "contract/amendment-unknown": "answer",
  "contract/amendments-used": "answer",
  "contract/archive-conflict": "journal",
  "contract/attempt-taken": "answer",
  "contract/attempts-used": "answer",
  "contract/criteria-invalid": "input",
  "contract/file-too-large": "input",
  "contract/invalid": "input",
  "contract/no-verifier": "input",
  "contract/not-concluded": "answer",
  "contract/not-open": "answer",
  "contract/not-owner": "answer",
  "contract/not-paused": "answer",
  "contract/paused": "answer",
  "contract/scope-ambiguous": "input",
  "contract/scope-fixed": "answer",
  "contract/scope-invalid": "input",
  "contract/secret-in-command": "input",
  "contract/secret-in-file": "input",
  "contract/session-has-open-run": "answer",
  "contract/task-completed": "answer",
  "contract/text-shed": "answer",
  "contract/tree-unavailable": "answer",
  "contract/version-unsupported": "input",
  "contract/plan-invalid": "input",
  "contract/step-refused": "answer",
  "contract/step-unknown": "input",
  "evidence/before-task": "answer",
  "evidence/criterion-unknown": "input",
  "evidence/file-unreadable": "input",
  "evidence/folder-unknown": "answer",
  "evidence/kind-not-asked": "input",
  "evidence/kind-by-runtime": "input",
  "evidence/needs-person": "answer",
  "evidence/not-a-check": "answer",
  "evidence/not-for-a-person": "answer",
  "evidence/observation-unknown": "input",
  "evidence/other-folder": "answer",
  "evidence/other-journal": "answer",
  "evidence/reference-invalid": "input",
  "evidence/tree-changed": "answer",
  "gate/refused": "answer",
  "input/invalid": "input",
  "input/unreadable": "input",
  "input/exists": "input",
  "input/not-writable": "input",
  "journal/body-too-large": "input",
  "journal/busy": "busy",
  "journal/closed": "journal",
  "journal/corrupt": "journal",
  "journal/event-unknown": "input",
  "journal/import-damaged": "journal",
  "journal/key-reused": "input",
  "journal/missing": "journal",
  "journal/native-module": "journal",
  "journal/newer-format": "journal",
  "journal/not-sheddable": "input",
  "journal/not-a-journal": "journal",
  "journal/not-canonical": "input",
  "journal/not-empty": "input",
  "journal/not-writable": "journal",
  "journal/reason-holds-text": "input",
  "journal/replaced": "journal",
  "journal/storage-full": "journal",
  "journal/text-unfit": "input",
  "journal/two-journals": "journal",
  "journal/type-reserved": "input",
  "journal/unsafe-path": "journal",
  "journal/unknown-event": "journal",
  "journal/version-conflict": "answer",
  "journal/wal-unavailable": "journal",
  "phase/tool-refused": "answer",
  "runtime/node-too-old": "journal",
  "task/none": "answer",
  "task/removed": "answer",
  "task/unknown": "input",
  "tree/moved": "busy",
  "tree/unstable": "busy",
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

/** An ordinary "no", with what can be done about it. Returned, and never thrown where it is decided. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
  /** The event that stands in the way, where it is one. */
  readonly seq?: number;
}

/** A failure of the world or of the input: what is wrong in one sentence, and what can be done about it. */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  /** One thing the reader can do now. */
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, remedy: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "HoldfastError";
    this.code = code;
    this.remedy = remedy;
  }

  /** A refusal as an error, where the one who asked takes no "no" for an answer. */
  static of({ code, message, remedy }: Refusal): HoldfastError {
    return new HoldfastError(code, message, remedy);
  }

  get kind(): ErrorKind {
    return ERROR_KINDS[this.code];
  }
}

/** Ends a switch over a closed union: a new member that nobody handles does not compile. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
}
