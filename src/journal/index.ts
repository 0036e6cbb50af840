export { JOURNAL_COMPACTED, JOURNAL_SHED, type ShedBody, sheddingsIn } from "./accounts.ts";
export { bodyText, canonicalText, type JsonObject, type JsonValue } from "./canonical.ts";
export type { Problem, ProblemCode } from "./chain.ts";
export { cutFor, type Span, wantedCut } from "./compact.ts";
export {
  EMPTY_HEAD,
  type EventRow,
  FORMAT_VERSION,
  GENESIS_HASH,
  type Head,
  type Header,
  headOf,
  JOURNAL_OPENED,
  JOURNAL_STREAM,
  type NewEvent,
  type StoredEvent,
  storedEvent,
} from "./event.ts";
export { keyedHash, portableSha256 } from "./hash.ts";
export { type Append, Journal, OutOfDate } from "./journal.ts";
export {
  COMPACTION_CEILING,
  SHED_REASON_MAX,
  SHED_TEXT_MAX,
  SHED_TEXT_MIN,
} from "./limits.ts";
export { type JournalPorts, openingRow } from "./link.ts";
export { MemoryStore, notEmpty, replaced } from "./memory-store.ts";
export {
  mayHold,
  SHED,
  type Shedding,
  type ShedItem,
  shedBodies,
  shedText,
  shedWhole,
} from "./shed.ts";
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
export { exportLine, parseExport } from "./transfer.ts";
export { type Verification, verifyRows } from "./verify.ts";
