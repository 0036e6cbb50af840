import { type Experiment, long, tenth } from "../experiment.ts";

export const hashes: Experiment = {
  name: "hashes",
  how: "100 batches of each size, in turns",
  rounds: 1,
  round: (lab) => lab.measure("hashes", { count: tenth(lab, 100) }),
  lines: [
    { figure: "native64Us", label: "native hash of 64 B", unit: "us" },
    { figure: "ratio64", label: "plain JavaScript, × native: 64 B" },
    { figure: "ratio300", label: "plain JavaScript, × native: 300 B" },
    { figure: "ratio1024", label: "plain JavaScript, × native: 1 KB" },
    { figure: "ratio16384", label: "plain JavaScript, × native: 16 KB" },
    { figure: "ratio1048576", label: "plain JavaScript, × native: 1 MB" },
  ],
};

export const snapshots: Experiment = {
  name: "snapshots",
  how: "a run of 100,000 events; the snapshot is written synced, 11 times, and the tail grows behind it",
  rounds: 1,
  round: async (lab) => {
    const folder = await lab.copied("makeRun", long(lab));
    const figures = await lab.measure("snapshots", { folder, count: lab.quick ? 3 : 11 });
    lab.discard(folder);
    return figures;
  },
  lines: [
    { figure: "writeMs", label: "write the snapshot of a long journal", unit: "ms" },
    { figure: "kilobytes", label: "size of it", unit: "kB" },
    { figure: "restoreMs", label: "go on from it", unit: "ms" },
    { figure: "tail250Ms", label: "read and fold 250 events after it", unit: "ms" },
    { figure: "tail500Ms", label: "read and fold 500 events", unit: "ms" },
    { figure: "tail1000Ms", label: "read and fold 1,000 events", unit: "ms" },
    { figure: "tail2000Ms", label: "read and fold 2,000 events", unit: "ms" },
    { figure: "tail4000Ms", label: "read and fold 4,000 events", unit: "ms" },
  ],
};
