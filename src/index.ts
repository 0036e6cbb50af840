/** The public API of Holdfast, name by name. */
export type { Contract, Switches, TaskDraft } from "./contract/index.ts";
export type { CriterionGraph, CriterionNode } from "./criteria/index.ts";
export {
  type Answer,
  type Asking,
  type CompactionReport,
  type CompactionWish,
  type ConcludedTask,
  type ContractArchive,
  DEFAULT_SWITCHES,
  Engine,
  type EnginePorts,
  type ExtensionEvent,
  type GateReport,
  type ImportedContract,
  type ImportReport,
  type JournalAccess,
  type Purged,
  type ShedReport,
  type ShedWish,
  type StartedTask,
  type VerifyOptions,
} from "./engine/index.ts";
export {
  ERROR_KINDS,
  type ErrorCode,
  type ErrorKind,
  HoldfastError,
  type Refusal,
} from "./errors.ts";
export {
  type CommandHashing,
  type CriterionStanding,
  type Currency,
  type EvidenceState,
  evaluateGate,
  type GateDecision,
  type GateEvaluated,
  type GateInput,
  type GateItem,
  type ObservedTree,
  type VerifierStanding,
} from "./evidence/index.ts";
export {
  decideResume,
  type NextAction,
  type ResumeDecision,
  type ResumeInput,
} from "./handoff/index.ts";
export {
  type Change,
  canonicalText,
  type EventRow,
  type Expected,
  type Extent,
  exportLine,
  type Head,
  type Header,
  type Imported,
  type JournalStore,
  type JsonObject,
  MemoryStore,
  type ParsedExport,
  type Problem,
  type ProblemCode,
  parseExport,
  portableSha256,
  type Replacement,
  type ShedBody,
  type SnapshotRow,
  type StoredEvent,
  type StorePlan,
  type StoreView,
  type Verification,
  verifyRows,
} from "./journal/index.ts";
export type { Durability, Sharing } from "./journal-sqlite/index.ts";
export { type EngineOptions, openEngine } from "./open.ts";
export type { Clock, Ids, Sha256 } from "./ports.ts";
export { createRedactor, type Redactor } from "./redaction/index.ts";
export type { CompletionReceipt, ProjectStatus, TaskSummary } from "./status/index.ts";
export {
  type Command,
  type Decision,
  decide,
  type EventBodies,
  evolve,
  type Facts,
  fold,
  type Holder,
  initialState,
  type NotUnderstood,
  type ProjectState,
  type RemovedTask,
  type RunState,
} from "./task/index.ts";
export type {
  ReadOptions,
  TreeEntryDigest,
  TreeReading,
  Unavailable,
  UnavailableReason,
  Workspace,
} from "./workspace/port.ts";
