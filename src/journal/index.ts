export { bodyText, canonicalText, type JsonObject, type JsonValue } from "./canonical.ts";
export { checkRow, type Problem, type ProblemCode } from "./chain.ts";
export {
  EMPTY_HEAD,
  type EventRow,
  FORMAT_VERSION,
  GENESIS_HASH,
  type Head,
  type Header,
  headerHash,
  headerText,
  JOURNAL_OPENED,
  JOURNAL_STREAM,
  type NewEvent,
  type StoredEvent,
  storedEvent,
} from "./event.ts";
export { keyedHash, portableSha256 } from "./hash.ts";
export { type Append, Journal, type JournalPorts, openingRow } from "./journal.ts";
export { MemoryStore, notEmpty, replaced } from "./memory-store.ts";
export type { JournalStore, StorePlan, StoreView } from "./store.ts";
export { exportLine, type ParsedExport, parseExport } from "./transfer.ts";
export { type Verification, verifyRows } from "./verify.ts";
