import { HoldfastError } from "../errors.ts";

/** What the disk reports of one file or folder, as an error that says what to do. */
export function fileFailure(entry: string, cause: unknown): HoldfastError {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT") return storageFull(entry, cause);
  return new HoldfastError(
    "journal/not-writable",
    `${entry} can't be used: ${message}.`,
    "Give yourself write access to the state folder, or name another one with HOLDFAST_DIR.",
    { cause },
  );
}

export function storageFull(entry: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    "journal/storage-full",
    `There is no room left to write ${entry}; nothing of this call was stored.`,
    "Free some space and repeat the call.",
    { cause },
  );
}
