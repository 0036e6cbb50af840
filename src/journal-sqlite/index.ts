export { sqliteVersion } from "./driver.ts";
export { hadJournal, JOURNAL_FILE } from "./files.ts";
export { type Durability, openSqliteStore, type SqliteStoreOptions } from "./open.ts";
export type { SqliteJournalStore } from "./sqlite-store.ts";
