import type { JsonObject } from "../../src/journal/index.ts";
import { installed, type Peer } from "./peer.ts";

interface CastoreEvent {
  readonly aggregateId: string;
  readonly version: number;
  readonly type: string;
  readonly timestamp: string;
  readonly payload: JsonObject;
}

interface Core {
  readonly EventType: new (options: { readonly type: string }) => object;
  readonly EventStore: new (
    options: object,
  ) => { pushEvent(event: CastoreEvent): Promise<unknown> };
}

interface InMemory {
  readonly InMemoryEventStorageAdapter: new () => object;
}

const { EventStore, EventType } = await installed<Core>("@castore/core");
const { InMemoryEventStorageAdapter } = await installed<InMemory>(
  "@castore/event-storage-adapter-in-memory",
);

/** Castore on its storage in memory: what the framework itself costs. Nothing is left to load. */
export const peer: Peer = {
  survives: "nothing",
  async open() {
    const type = "OBSERVED";
    const store = new EventStore({
      eventStoreId: "RUNS",
      eventTypes: [new EventType({ type })],
      reducer: (_: unknown, { aggregateId, version }: CastoreEvent) => ({ aggregateId, version }),
      eventStorageAdapter: new InMemoryEventStorageAdapter(),
    });
    let version = 0;
    return {
      append({ body }) {
        version++;
        const timestamp = new Date().toISOString();
        return store.pushEvent({ aggregateId: "run", version, type, timestamp, payload: body });
      },
      close() {},
    };
  },
};
