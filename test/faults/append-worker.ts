/**
 * A process that appends events to a journal and says each only once it is stored.
 *
 * Its argument is a `Job` as JSON. It says `ready`, then `<label> <seq>` for each acknowledged
 * event, and in the end `done`, or `failed <code> <kind>`.
 */
import process from "node:process";
import { HoldfastError } from "../../src/errors.ts";
import { Journal } from "../../src/journal/index.ts";
import { openSqliteStore, type SqliteStoreOptions } from "../../src/journal-sqlite/index.ts";
import { say } from "./die.ts";
import { REAL_PORTS } from "./ports.ts";

export type AppendJob = Omit<SqliteStoreOptions, "ports"> & {
  /** The events are called `<writer>-1`, `<writer>-2` … */
  readonly writer: string;
  readonly appends: number;
  /** Stays, with the journal open, until it is killed. */
  readonly lingers?: boolean;
};

const job = JSON.parse(process.argv[2] ?? "") as AppendJob;

async function append(journal: Journal, label: string): Promise<void> {
  const [event] = await journal.append([], ({ add }) =>
    add([{ run: "-", type: "x.noted", session: null, cause: null, key: null, body: { label } }]),
  );
  say(`${label} ${event?.header.seq}`);
}

try {
  const store = await openSqliteStore({ ...job, ports: REAL_PORTS });
  const journal = await Journal.open(store, REAL_PORTS);
  await journal.catchUp(() => {});
  say("ready");
  for (let number = 1; number <= job.appends; number++) {
    await append(journal, `${job.writer}-${number}`);
  }
  if (job.lingers === true) setTimeout(() => process.exit(1), 60_000);
  else await store.close();
  say("done");
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  say(`failed ${error.code} ${error.kind}`);
  process.exitCode = 1;
}
