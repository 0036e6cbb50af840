import { HoldfastError } from "../errors.ts";
import { fileFailure, storageFull } from "../state-folder/index.ts";

interface SqliteFailure {
  readonly code: string;
  readonly message: string;
}

function asSqliteFailure(error: unknown): SqliteFailure | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === "string" && code.startsWith("SQLITE_")
    ? { code, message: String(message) }
    : null;
}

/** Whether another process holds the lock, so that the same statement may succeed later. */
export function isBusy(error: unknown): boolean {
  const code = asSqliteFailure(error)?.code ?? "";
  return code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED");
}

/** Turns what SQLite or the disk reports into an error that says what to do; others are passed on. */
export function typedFailure(error: unknown, file: string): unknown {
  const failure = asSqliteFailure(error);
  if (failure === null) return isFileFailure(error) ? fileFailure(file, error) : error;
  const { code, message } = failure;
  const typed = (
    to: ConstructorParameters<typeof HoldfastError>[0],
    text: string,
    remedy: string,
  ) => new HoldfastError(to, text, remedy, { cause: error });
  if (isBusy(error)) return busy(file, error);
  const isFull = code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE";
  if (isFull) return storageFull(file, error);
  if (code === "SQLITE_NOTADB") {
    return typed(
      "journal/not-a-journal",
      `${file} is no Holdfast journal.`,
      "Move the file away, or name another state folder with HOLDFAST_DIR.",
    );
  }
  // The statements are fixed, so only other tables or rows than ours can contradict them.
  if (/^SQLITE_(CORRUPT|CONSTRAINT|MISMATCH|SCHEMA)/.test(code) || code === "SQLITE_ERROR") {
    return typed(
      "journal/corrupt",
      `The database file ${file} is damaged: ${message}.`,
      "Keep the file as it is, and import the newest export or use the newest backup.",
    );
  }
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code)) {
    return typed(
      "journal/not-writable",
      `${file} can't be opened for writing (${code}).`,
      "Give yourself write access to the state folder and its files.",
    );
  }
  return typed(
    "journal/not-writable",
    `${file} could not be written: ${message} (${code}).`,
    "Look at the disk with `holdfast doctor`, then repeat the call.",
  );
}

function isFileFailure(error: unknown): boolean {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";
}

export function busy(file: string, cause?: unknown): HoldfastError {
  return new HoldfastError(
    "journal/busy",
    `Another process holds the write lock of ${file}.`,
    "Repeat the call; it is safe to do so.",
    { cause },
  );
}

/** Where one process at a time holds the whole journal, and another one does. */
export function heldAlone(file: string, why: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    "journal/busy",
    `Another process holds ${file}, and it is open to one at a time, because ${why}.`,
    "Repeat the call once that process has closed the journal or ended; its lock goes with it.",
    { cause },
  );
}

/** Where a commit that has to survive a power cut is stored, and may not survive one. */
export function notSynced(file: string, cause: unknown): HoldfastError {
  const { message } = cause as Error;
  return new HoldfastError(
    "journal/not-writable",
    `What was stored in ${file} may not survive a power cut, since the disk did not take it: ${message}.`,
    "Look at the disk with `holdfast doctor`, and export the journal to another one.",
    { cause },
  );
}
