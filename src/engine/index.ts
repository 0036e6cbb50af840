export type { Answer, Asking } from "./answer.ts";
export type { CompactionWish } from "./compact.ts";
export { Engine } from "./engine.ts";
export type { ExtensionEvent, JournalAccess } from "./journal-access.ts";
export { type ContractArchive, DEFAULT_SWITCHES, type EnginePorts } from "./ports.ts";
export type { ShedWish } from "./shed-wish.ts";
export type { VerifyOptions } from "./verify-options.ts";
export type {
  CompactionReport,
  ConcludedTask,
  GateReport,
  ImportedContract,
  ImportReport,
  Purged,
  ShedReport,
  StartedTask,
} from "./view-schemas.ts";
