/** A process that imports an export and is cut off at one of its events. Its argument is an `ImportJob`. */
import { readFileSync } from "node:fs";
import process from "node:process";
import { parseExport } from "../../src/journal/index.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../../src/journal-sqlite/index.ts";
import { atWrite, lastConnection } from "./connections.ts";
import { die } from "./die.ts";
import { REAL_PORTS } from "./ports.ts";

export type ImportJob = Omit<SqliteStoreOptions, "ports"> & {
  readonly exportFile: string;
  readonly dieAtSeq: number;
};

const job = JSON.parse(process.argv[2] ?? "") as ImportJob;
const store = await openSqliteStore({ ...job, ports: REAL_PORTS });
atWrite(lastConnection(), { table: "events", seq: job.dieAtSeq }, die);
await store.importRows(parseExport([readFileSync(job.exportFile, "utf8")], REAL_PORTS.sha256));
