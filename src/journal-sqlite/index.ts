export type { StoreDescription } from "./describe.ts";
export { sqliteVersion } from "./driver.ts";
export { soleUserFileSystem, soleUserFileSystemOf } from "./file-system.ts";
export type { Durability, Sharing } from "./mode.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./open.ts";
export type { SqliteJournalStore } from "./sqlite-store.ts";
export { copiesBeforeUpgrades } from "./upgrade.ts";
