/** One measure of a peer in a process of its own: `node bench/peers/measure.ts PEER WHAT INPUT`. */
import fs from "node:fs";
import path from "node:path";
import { someEvents } from "../event.ts";
import type { Measure } from "../figures.ts";
import { Floor } from "../floor.ts";
import { inTurns, median, microseconds, ratioOf } from "../timing.ts";
import type { Peer } from "./peer.ts";

const PEERS = {
  castore: () => import("./castore.ts"),
  emmett: () => import("./emmett.ts"),
  file: () => import("./file.ts"),
  holdfast: () => import("./holdfast.ts"),
  hypercore: () => import("./hypercore.ts"),
  langgraph: () => import("./langgraph.ts"),
  xstate: () => import("./xstate.ts"),
};

export type PeerName = keyof typeof PEERS;
export type PeerMeasure = keyof typeof MEASURES;

/** Appends, one after the other, beside the floor of the same durability. */
const append =
  (peer: Peer): Measure =>
  async ({ folder, count }) => {
    const floor = new Floor(folder, peer.survives === "full" ? "full" : "process");
    const own = path.join(folder, "peer");
    fs.mkdirSync(own);
    const opened = await peer.open(own);
    const us = await inTurns(someEvents(count), {
      floor: (event) => floor.append(event),
      peer: (event) => opened.append(event),
    });
    await opened.close();
    floor.close();
    return { ratio: ratioOf(us.peer, us.floor), us: median(us.peer) };
  };

/** Stores so many events, and says what each takes on the disk. */
const fill =
  (peer: Peer): Measure =>
  async ({ folder, count }) => {
    const opened = await peer.open(folder);
    for (let n = 0; n < count; n += GROUP) {
      const events = someEvents(GROUP, n);
      if (opened.appendMany !== undefined) await opened.appendMany(events);
      else for (const event of events) await opened.append(event);
    }
    await opened.close();
    return { bytes: bytesIn(folder) / count };
  };

const GROUP = 500;

/** Opens the store and hands each event to a trivial reducer. */
const load =
  (peer: Peer): Measure =>
  async ({ folder, count }) => {
    let events = 0;
    const us = await microseconds(() =>
      peer.load?.(folder, () => {
        events++;
      }),
    );
    // What the store writes for itself counts for it.
    if (events < count) throw new Error(`Of ${count} events ${events} were loaded.`);
    return { ms: us / 1_000 };
  };

const MEASURES = { append, fill, load } satisfies Record<string, (peer: Peer) => Measure>;

function bytesIn(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}

const [name = "", what = "", input = "{}"] = process.argv.slice(2);
const { peer } = await PEERS[name as PeerName]();
console.log(JSON.stringify(await MEASURES[what as PeerMeasure](peer)(JSON.parse(input))));
process.exit(); // Some of them keep a timer or a thread.
