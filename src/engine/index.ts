export type { Answer, Asking } from "./answer.ts";
export type { CompactionReport, CompactionWish } from "./compact.ts";
export {
  type ConcludedTask,
  Engine,
  type GateReport,
  type StartedTask,
} from "./engine.ts";
export type { ImportedContract } from "./import-contract.ts";
export type { ExtensionEvent, ImportReport, JournalAccess } from "./journal-access.ts";
export { type ContractArchive, DEFAULT_SWITCHES, type EnginePorts } from "./ports.ts";
export type { ShedReport } from "./shed.ts";
export type { ShedWish } from "./shed-wish.ts";
export type { Purged } from "./upkeep.ts";
export type { VerifyOptions } from "./verify-options.ts";
