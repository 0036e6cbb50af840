export { JOURNAL_FILE } from "./files.ts";
export { type Durability, openSqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
