import path from "node:path";
import { installed, type Peer } from "./peer.ts";

interface Hypercore {
  readonly length: number;
  ready(): Promise<void>;
  append(blocks: string | readonly string[]): Promise<unknown>;
  get(index: number): Promise<string>;
  close(): Promise<void>;
}

interface Package {
  readonly default: new (folder: string, options: { readonly valueEncoding: "utf-8" }) => Hypercore;
}

const { default: Core } = await installed<Package>("hypercore");

async function opened(folder: string): Promise<Hypercore> {
  const core = new Core(path.join(folder, "core"), { valueEncoding: "utf-8" });
  await core.ready();
  return core;
}

/** A signed log with a tree of hashes. It syncs nothing, and reads its own disk without checking. */
export const peer: Peer = {
  survives: "process",
  async open(folder) {
    const core = await opened(folder);
    return {
      append: ({ body }) => core.append(JSON.stringify(body)),
      appendMany: (events) => core.append(events.map(({ body }) => JSON.stringify(body))),
      close: () => core.close(),
    };
  },
  async load(folder, each) {
    const core = await opened(folder);
    for (let index = 0; index < core.length; index++) each(JSON.parse(await core.get(index)));
    await core.close();
  },
};
