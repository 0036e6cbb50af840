import type { Refusal } from "../errors.ts";
import type { Head, StoredEvent } from "../journal/index.ts";

/** The session that is meant where a caller names none. */
export const DEFAULT_SESSION = "default";

/** Who asks, and how a repetition is recognised. */
export interface Asking {
  /** Any text that names the session; only its SHA-256 is stored. */
  readonly session: string;
  /** The same key twice is one command. Without one the command is always a new one. */
  readonly key?: string;
}

/** What became of a command. Its events are durable by now. */
export interface Answer {
  readonly refusal: Refusal | null;
  readonly events: readonly StoredEvent[];
  /** The event that stands in the way of a refused command, where it is one. */
  readonly conflict: StoredEvent | null;
  /** True when the key was used before: these are the events of then. */
  readonly replayed: boolean;
  /** The last event of this command, or where the journal stood. */
  readonly head: Head;
}
