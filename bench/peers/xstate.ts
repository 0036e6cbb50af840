import fs from "node:fs";
import path from "node:path";
import { assign, createActor, setup } from "xstate";
import type { JsonObject } from "../../src/journal/index.ts";
import type { Peer } from "./peer.ts";

interface Observed {
  readonly type: "observed";
  readonly body: JsonObject;
}

/** Keeps the newest observation only: with all of them each write would be longer than the last. */
const machine = setup({
  types: {
    context: {} as { readonly count: number; readonly newest: JsonObject | null },
    events: {} as Observed,
  },
}).createMachine({
  context: { count: 0, newest: null },
  on: {
    observed: {
      actions: assign({
        count: ({ context }) => context.count + 1,
        newest: ({ event }) => event.body,
      }),
    },
  },
});

/** An actor whose persisted snapshot takes the place of the one before, whole and synced. */
export const peer: Peer = {
  survives: "full",
  async open(folder) {
    const actor = createActor(machine).start();
    const file = path.join(folder, "snapshot.json");
    return {
      append({ body }) {
        actor.send({ type: "observed", body });
        const text = JSON.stringify(actor.getPersistedSnapshot());
        fs.writeFileSync(`${file}.new`, text, { flush: true });
        fs.renameSync(`${file}.new`, file);
        sync(folder);
      },
      close: () => actor.stop(),
    };
  },
};

/** Makes a new name in a folder survive a power cut. */
function sync(folder: string): void {
  const descriptor = fs.openSync(folder, "r");
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
}
