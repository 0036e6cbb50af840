import fs from "node:fs";
import path from "node:path";
import { type Experiment, over } from "../experiment.ts";
import type { Figures } from "../figures.ts";
import { type Lab, ROOT } from "../lab.ts";
import type { PeerName } from "../peers/measure.ts";

interface Subject {
  readonly peer: PeerName;
  readonly label: string;
  readonly how: string;
  /** The package that has to be installed for it: where there are several, the one that can fail. */
  readonly needs?: string;
  /** Whether it keeps each event, so that they can be loaded again. */
  readonly keepsEvents: boolean;
  /** Whether it syncs each append, and is measured beside the floor that does. */
  readonly syncs: boolean;
}

const SUBJECTS: readonly Subject[] = [
  {
    peer: "holdfast",
    label: "Holdfast",
    how: "one commit an event",
    keepsEvents: true,
    syncs: true,
  },
  {
    peer: "file",
    label: "lines in a file",
    how: "one line of JSON an event and `fdatasync`",
    keepsEvents: true,
    syncs: true,
  },
  {
    peer: "langgraph",
    label: "LangGraph SqliteSaver",
    how: "one checkpoint an event that holds that event; `synchronous` set to full by us",
    needs: "@langchain/langgraph-checkpoint-sqlite",
    keepsEvents: true,
    syncs: true,
  },
  {
    peer: "emmett",
    label: "Emmett SQLite",
    how: "one stream, with one connection that is kept",
    needs: "sqlite3",
    keepsEvents: true,
    syncs: true,
  },
  {
    peer: "xstate",
    label: "XState snapshot",
    how: "an actor that keeps the newest event; written whole to a new file, synced and renamed",
    keepsEvents: false,
    syncs: true,
  },
  {
    peer: "hypercore",
    label: "Hypercore",
    how: "syncs nothing; loaded without checking its tree of hashes",
    needs: "hypercore",
    keepsEvents: true,
    syncs: false,
  },
  {
    peer: "castore",
    label: "Castore in memory",
    how: "stores nothing: what the framework itself costs",
    needs: "@castore/core",
    keepsEvents: false,
    syncs: false,
  },
];

/** Packages of the peers that are not installed. */
export const missingPeers: readonly string[] = SUBJECTS.flatMap(({ needs }) =>
  needs === undefined || isInstalled(needs) ? [] : [needs],
);

/** One experiment for each peer that can be measured. */
export const peers: readonly Experiment[] = SUBJECTS.filter(
  ({ needs }) => needs === undefined || !missingPeers.includes(needs),
).map((subject) => ({
  name: `peer-${subject.peer}`,
  how: subject.how,
  rounds: 3,
  isSlow: true,
  round: (lab) => roundOf(lab, subject),
  lines: linesOf(subject),
}));

function isInstalled(name: string): boolean {
  return fs.existsSync(path.join(ROOT, "bench", "peers", "node_modules", name));
}

function linesOf({ label, keepsEvents, syncs }: Subject): Experiment["lines"] {
  const floor = syncs ? "floor" : "floor without fsync";
  const append = { figure: "ratio", label: `${label}: append, × ${floor}` };
  if (!keepsEvents) return [append];
  return [
    append,
    { figure: "loadRatio", label: `${label}: load, × plain read` },
    { figure: "bytes", label: `${label}: stored bytes`, unit: "B" },
  ];
}

async function roundOf(lab: Lab, { peer, keepsEvents }: Subject): Promise<Figures> {
  const appended = await lab.peer(peer, "append", { count: lab.quick ? 500 : 4_000 });
  if (!keepsEvents) return appended;
  const count = lab.quick ? 1_000 : 10_000;
  const folder = lab.folder();
  const filled = await lab.peer(peer, "fill", { folder, count });
  const plain = await lab.measure("plainLoad", { folder: await lab.made("makeEvents", count) });
  const loaded = await lab.peer(peer, "load", { folder, count });
  lab.discard(folder);
  return { ...appended, ...filled, loadRatio: over(loaded, plain) };
}
