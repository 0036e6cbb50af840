import type { Experiment } from "./experiment.ts";
import { appendFull, appendProcess, dispatch, groups, growth } from "./experiments/appending.ts";
import { hashes, snapshots } from "./experiments/choices.ts";
import { load, open, projections, status } from "./experiments/loading.ts";
import { peers } from "./experiments/peers.ts";
import { writers } from "./experiments/writers.ts";

export interface Section {
  readonly title: string;
  readonly experiments: readonly Experiment[];
}

/** In the order of the tables in `docs/performance.md`. */
export const SECTIONS: readonly Section[] = [
  {
    title: "Goals",
    experiments: [
      appendFull,
      dispatch,
      appendProcess,
      groups,
      growth,
      load,
      open,
      projections,
      status,
      writers,
    ],
  },
  { title: "What two choices rest on", experiments: [hashes, snapshots] },
  { title: "Beside other stores", experiments: peers },
];
