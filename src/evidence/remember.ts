import { REMEMBERED_FAILURES_MAX, REMEMBERED_PLACES_MAX } from "./limits.ts";
import type { EvidenceState, LatestObservation } from "./projection.ts";
import type { Remembered } from "./schemas.ts";

type Failure = Remembered["failures"][number];

/** What has to be remembered of a project's observations, so that nothing is decided otherwise without them. */
export function rememberedOf({ trees, latest }: EvidenceState): Remembered {
  const seen = Object.entries(trees).map(([place, tree]) => ({ place, ...tree }));
  const failures = Object.entries(latest).flatMap(([commandHash, observations]) =>
    observations
      .filter(({ verdict, failures: count }) => verdict === "fail" || count > 0)
      .map((observation) => failureOf(commandHash, observation)),
  );
  return {
    trees: seen
      .toSorted((one, other) => one.movedSeq - other.movedSeq)
      .slice(-REMEMBERED_PLACES_MAX),
    failures: failures
      .toSorted((one, other) => one.seq - other.seq)
      .slice(-REMEMBERED_FAILURES_MAX),
  };
}

/** Folds what was remembered into what the events that are left tell. */
export function remembered(state: EvidenceState, { trees, failures }: Remembered): EvidenceState {
  const seen = trees.map(({ place, ...tree }) => [place, tree] as const);
  return {
    ...state,
    trees: { ...state.trees, ...Object.fromEntries(seen) },
    latest: failures.reduce(withFailure, state.latest),
  };
}

function failureOf(commandHash: string, observation: LatestObservation): Failure {
  const { place, folder, seq, verdict, treeAfter, failures } = observation;
  return { commandHash, place, folder, seq, verdict, treeAfter, failures };
}

function withFailure(latest: EvidenceState["latest"], failure: Failure): EvidenceState["latest"] {
  const { commandHash, place, folder, seq, failures } = failure;
  const known = Object.hasOwn(latest, commandHash) ? (latest[commandHash] ?? []) : [];
  const here = known.find((other) => other.place === place && other.folder === folder);
  if (here !== undefined && here.seq > seq) return latest;
  const changed =
    here === undefined
      ? [observationOf(failure), ...known]
      : known.map((other) => (other === here ? { ...here, failures } : other));
  return { ...latest, [commandHash]: changed };
}

/** An observation of which only what counts failures is known; it is older than every run that is left. */
function observationOf({ commandHash, ...failure }: Failure): LatestObservation {
  return {
    ...failure,
    call: "",
    tool: "",
    command: "",
    commandHash,
    keyId: "",
    exitCode: null,
    signal: null,
    timedOut: false,
    aborted: false,
    reason: null,
    durationMs: null,
    treeBefore: null,
    commit: null,
    verifierOf: null,
    changes: null,
    redactor: 0,
  };
}
