export { shedBodiesIn } from "./accounts.ts";
export { bodyText, canonicalText, type JsonObject, type JsonValue } from "./canonical.ts";
export { checkRow } from "./chain.ts";
export { cutFor, type Span, wantedCut } from "./compact.ts";
export {
  EMPTY_HEAD,
  type EventRow,
  FORMAT_VERSION,
  GENESIS_HASH,
  type Header,
  headOf,
  JOURNAL_COMPACTED,
  JOURNAL_OPENED,
  JOURNAL_SHED,
  JOURNAL_STREAM,
  type NewEvent,
  objectIn,
  type StoredEvent,
  storedEvent,
} from "./event.ts";
export { keyedHash, portableSha256 } from "./hash.ts";
export { type Append, Journal, OutOfDate } from "./journal.ts";
export {
  COMPACTION_CEILING,
  PROBLEMS_MAX,
  SHED_REASON_MAX,
  SHED_TEXT_MAX,
  SHED_TEXT_MIN,
} from "./limits.ts";
export { type JournalPorts, openingRow } from "./link.ts";
export { MemoryStore, notEmpty, replaced } from "./memory-store.ts";
export {
  mayHold,
  SHED,
  type ShedItem,
  type ShedResult,
  shedEventBodies,
  shedText,
  shedWhole,
} from "./shed.ts";
export { leftOutMark } from "./shed-cut.ts";
export { snapshotOf } from "./snapshot.ts";
export type {
  Change,
  Extent,
  Imported,
  JournalStore,
  Replacement,
  SnapshotRow,
  StorePlan,
  StoreView,
} from "./store.ts";
export { exportLine, type ParsedExport, parseExport } from "./transfer.ts";
export { type Expected, verifyRows } from "./verify.ts";
export type { Head, Problem, ProblemCode, ShedBody, Verification } from "./view-schemas.ts";
