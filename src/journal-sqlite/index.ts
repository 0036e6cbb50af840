export { JOURNAL_FILE } from "./files.ts";
export { type Durability, type SqliteStoreOptions, openSqliteStore } from "./sqlite-store.ts";
