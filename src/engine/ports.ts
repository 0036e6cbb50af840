import type { Switches } from "../contract/index.ts";
import type { JournalStore } from "../journal/index.ts";
import type { Clock, Ids, Sha256 } from "../ports.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Workspace } from "../workspace/port.ts";

/** Keeps the exact text of imported contracts, outside of the journal. */
export interface ContractArchive {
  /**
   * Keeps a text under the SHA-256 of its bytes, whole or not at all. Resolves once it is durable,
   * with where it is. What is kept already stays as it is.
   *
   * @throws HoldfastError `contract/archive-conflict` where something else has its place
   */
  keep(digest: string, text: string): Promise<string>;
}

/** Everything the engine needs of the world; it reaches for nothing else. */
export interface EnginePorts {
  readonly store: JournalStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly workspace: Workspace;
  readonly redactor: Redactor;
  /** Without one no contract can be imported. */
  readonly archive?: ContractArchive | undefined;
  /** Captured into each task at its start. */
  readonly switches: Switches;
  /** Those that somebody set for now: they may narrow a running task. Left out ones stay as pinned. */
  readonly switched?: Partial<Switches>;
  /** Events that a compaction leaves where it is not told otherwise. Defaults to 5,000. */
  readonly compactionCeiling?: number | undefined;
  /** Defaults to plain JavaScript. */
  readonly sha256?: Sha256;
}

export const DEFAULT_SWITCHES: Switches = {
  autoRecovery: "on",
  phaseTools: "shadow",
  intelligenceEngine: "on",
};
