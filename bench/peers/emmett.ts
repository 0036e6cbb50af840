import path from "node:path";
import type { JsonObject, NewEvent } from "../../src/journal/index.ts";
import { installed, type Peer } from "./peer.ts";

interface Message {
  readonly type: string;
  readonly data: JsonObject;
}

interface Connection {
  command(sql: string): Promise<unknown>;
  close(): void;
}

interface Store {
  readonly schema: { migrate(): Promise<void> };
  appendToStream(stream: string, messages: readonly Message[]): Promise<unknown>;
  readStream(stream: string): Promise<{ readonly events: readonly Message[] }>;
}

interface Package {
  readonly sqliteConnection: (options: { readonly fileName: string }) => Connection;
  readonly getSQLiteEventStore: (options: object) => Store;
}

const { sqliteConnection, getSQLiteEventStore } = await installed<Package>(
  "@event-driven-io/emmett-sqlite",
);

const STREAM = "run";

/** With one connection that is kept: by default each call opens one, and syncs five times. */
async function opened(folder: string) {
  const fileName = path.join(folder, "emmett.sqlite");
  const connection = sqliteConnection({ fileName });
  // The store asks for this too and does not wait for it, so its first tables may be in its way.
  await connection.command("PRAGMA journal_mode = WAL");
  const store = getSQLiteEventStore({
    fileName,
    schema: { autoMigration: "CreateOrUpdate" },
    connectionOptions: { singleton: true, connection },
  });
  await store.schema.migrate();
  return { connection, store };
}

const messageOf = ({ type, body }: NewEvent): Message => ({ type, data: body });

/** Emmett's event store in SQLite. */
export const peer: Peer = {
  survives: "full",
  async open(folder) {
    const { connection, store } = await opened(folder);
    return {
      append: (event) => store.appendToStream(STREAM, [messageOf(event)]),
      appendMany: (events) => store.appendToStream(STREAM, events.map(messageOf)),
      close: () => connection.close(),
    };
  },
  async load(folder, each) {
    const { connection, store } = await opened(folder);
    const { events } = await store.readStream(STREAM);
    for (const { data } of events) each(data);
    connection.close();
  },
};
