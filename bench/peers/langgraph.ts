import path from "node:path";
import type Database from "better-sqlite3";
import type { JsonObject } from "../../src/journal/index.ts";
import { installed, type Peer } from "./peer.ts";

interface Config {
  readonly configurable: {
    readonly thread_id: string;
    readonly checkpoint_ns: string;
    readonly checkpoint_id?: string;
  };
}

interface Checkpoint {
  readonly v: 4;
  readonly id: string;
  readonly ts: string;
  readonly channel_values: { readonly newest: JsonObject };
  readonly channel_versions: object;
  readonly versions_seen: object;
}

interface Saver {
  put(config: Config, checkpoint: Checkpoint, metadata: object): Promise<Config>;
  list(config: Config): AsyncIterable<{ readonly checkpoint: Checkpoint }>;
}

interface Package {
  readonly SqliteSaver: new (database: Database.Database) => Saver;
}

interface Ids {
  readonly uuid6: (clock: number) => string;
}

const sqlite = await installed<{ default: typeof Database }>("better-sqlite3");
const { SqliteSaver } = await installed<Package>("@langchain/langgraph-checkpoint-sqlite");
const { uuid6 } = await installed<Ids>("@langchain/langgraph-checkpoint");

const THREAD: Config = { configurable: { thread_id: "run", checkpoint_ns: "" } };

function opened(folder: string) {
  const database = new sqlite.default(path.join(folder, "checkpoints.sqlite"));
  database.pragma("synchronous = FULL"); // It leaves that to the connection that it is given.
  return { database, saver: new SqliteSaver(database) };
}

/** LangGraph's checkpoints in SQLite: one for each event, holding the newest observation only. */
export const peer: Peer = {
  survives: "full",
  async open(folder) {
    const { database, saver } = opened(folder);
    let config = THREAD;
    let step = 0;
    return {
      async append({ body }) {
        step++;
        const checkpoint: Checkpoint = {
          v: 4,
          id: uuid6(step),
          ts: new Date().toISOString(),
          channel_values: { newest: body },
          channel_versions: {},
          versions_seen: {},
        };
        config = await saver.put(config, checkpoint, { source: "loop", step, parents: {} });
      },
      close: () => database.close(),
    };
  },
  async load(folder, each) {
    const { database, saver } = opened(folder);
    for await (const { checkpoint } of saver.list(THREAD)) each(checkpoint.channel_values.newest);
    database.close();
  },
};
