/** How long an append waits for the write lock of another process, in milliseconds. */
export const LOCK_WAIT_MS = 5_000;

/** Bounds of the random pause between two attempts to take the lock, in milliseconds. */
export const LOCK_RETRY_MS = { min: 0.2, max: 2 } as const;

/** How long a writer goes on without a break before it lets others in, in milliseconds. */
export const TURN_MS = 40;

/** For how long it lets them; longer than their pauses between two attempts. */
export const YIELD_MS = 3;

/** "HOLD": marks the file as ours in SQLite's header. @see https://www.sqlite.org/fileformat.html §1.3.9 */
export const APPLICATION_ID = 0x484f_4c44;

/** Version of the tables, in `PRAGMA user_version`. */
export const STORE_VERSION = 2;
