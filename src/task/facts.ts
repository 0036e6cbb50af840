import type { Switches } from "../contract/index.ts";
import type { CommandHashing, ObservedTree } from "../evidence/index.ts";
import type { Sha256 } from "../ports.ts";

/** What the engine observed for a decision; what the caller said stands in the command. */
export interface Facts {
  /** SHA-256 of the deciding session's id. */
  readonly session: string;
  /** An id for a run that the command may begin. */
  readonly newRun: string;
  /** The working tree, where the command needs it. */
  readonly tree: ObservedTree | null;
  readonly hashing: CommandHashing;
  readonly redactorVersion: number;
  readonly redact: (text: string) => { readonly text: string; readonly redacted: boolean };
  readonly switches: Switches;
  /** Those that are set for now by somebody, and not by default: they may narrow a running task. */
  readonly switched: Partial<Switches>;
  readonly sha256: Sha256;
}
