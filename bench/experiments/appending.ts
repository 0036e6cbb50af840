import { type Experiment, long, tenth } from "../experiment.ts";

export const appendFull: Experiment = {
  name: "append-full",
  how: "4,000 events, one a commit, synced, in blocks of 20 that alternate with the floor and the bare insert",
  round: (lab) => lab.measure("appendFull", { count: lab.quick ? 1_000 : 4_000 }),
  lines: [
    { figure: "ratio", label: "durable append, × floor", atMost: 1.25 },
    { figure: "totalRatio", label: "the same by total time, checkpoints and all" },
    { figure: "bareRatio", label: "durable append, × bare one-column insert" },
    { figure: "appendUs", label: "durable append", unit: "us" },
    { figure: "floorUs", label: "the floor of it", unit: "us" },
  ],
};

export const dispatch: Experiment = {
  name: "dispatch",
  how: "4,000 commands, one a commit, synced, in blocks of 20 that alternate with the floor",
  round: (lab) => lab.measure("dispatch", { count: tenth(lab, 4_000) }),
  lines: [
    {
      figure: "ratio",
      label: "dispatch of an observed command, durable, × floor of the same row",
      atMost: 1.5,
    },
    { figure: "dispatchUs", label: "dispatch of an observed command, durable", unit: "us" },
  ],
};

export const appendProcess: Experiment = {
  name: "append-process",
  how: "20,000 events, one a commit, not synced, in blocks of 20 as above",
  round: (lab) => lab.measure("appendProcess", { count: tenth(lab, 20_000) }),
  lines: [
    { figure: "ratio", label: "append without fsync, × floor", atMost: 2 },
    { figure: "totalRatio", label: "the same by total time, checkpoints and all" },
    { figure: "bareRatio", label: "append without fsync, × bare one-column insert" },
    { figure: "appendUs", label: "append without fsync", unit: "us" },
    { figure: "bytes", label: "stored bytes for an event of 425", unit: "B", atMost: 680 },
  ],
};

export const groups: Experiment = {
  name: "groups",
  how: "100 commits of each size, synced, the sizes in turns",
  round: (lab) => lab.measure("groups", { count: tenth(lab, 100) }),
  lines: [
    { figure: "ratio64", label: "events/s in groups of 64, × single", atLeast: 8 },
    { figure: "ratio8", label: "events/s in groups of 8, × single" },
    { figure: "ratio16", label: "events/s in groups of 16, × single" },
    { figure: "ratio256", label: "events/s in groups of 256, × single" },
  ],
};

/** The last tenth of the appends, beside the first tenth. */
export const growth: Experiment = {
  name: "growth",
  how: "a journal of 90,000 events and a new one in turns, blocks of 20; 2,000 synced events each, and 10,000 not synced",
  rounds: 3,
  round: async (lab) => {
    const folder = await lab.copied("makeEvents", long(lab) * 0.9);
    const figures = await lab.measure("growth", { folder, count: long(lab) / 10 });
    lab.discard(folder);
    return figures;
  },
  lines: [
    { figure: "ratio", label: "last durable appends of many, × the first", atMost: 1.1 },
    { figure: "floorRatio", label: "the same of the floor" },
    { figure: "unsyncedRatio", label: "last appends without fsync, × the first", atMost: 1.1 },
    { figure: "unsyncedFloorRatio", label: "the same of the floor" },
  ],
};
