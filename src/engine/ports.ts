import type { Switches } from "../contract/index.ts";
import type { JournalStore } from "../journal/index.ts";
import type { Clock, Ids, Sha256 } from "../ports.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Workspace } from "../workspace/port.ts";

/** Everything the engine needs of the world; it reaches for nothing else. */
export interface EnginePorts {
  readonly store: JournalStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly workspace: Workspace;
  readonly redactor: Redactor;
  /** Captured into each task at its start. */
  readonly switches: Switches;
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
