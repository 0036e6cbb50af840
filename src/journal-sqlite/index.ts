export { sqliteVersion } from "./driver.ts";
export { hadJournal, JOURNAL_FILE } from "./files.ts";
export {
  type Durability,
  openSqliteStore,
  type SqliteJournalStore,
  type SqliteStoreOptions,
  type StoreDescription,
} from "./sqlite-store.ts";
