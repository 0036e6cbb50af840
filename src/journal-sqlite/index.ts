export { sqliteVersion } from "./driver.ts";
export { type Durability, openSqliteStore, type SqliteStoreOptions } from "./open.ts";
export type { SqliteJournalStore, StoreDescription } from "./sqlite-store.ts";
