import type { EventPosition } from "../contract/index.ts";
import { OPEN_CALLS_MAX, PLACES_MAX, RECENT_MAX } from "./limits.ts";
import type {
  CallSettled,
  CommandObserved,
  EvidenceBound,
  GateEvaluated,
  ToolRequested,
} from "./schemas.ts";

/** One observed end of a command, with where it stands in the journal. */
export type Observation = Omit<CommandObserved, "output"> & { readonly seq: number };

export interface OpenCall extends ToolRequested {
  readonly id: string;
  readonly seq: number;
  readonly run: string;
  /** SHA-256 of the id of the session that asked for it. */
  readonly session: string | null;
  readonly at: string;
}

export interface Binding extends EvidenceBound {
  readonly seq: number;
}

export interface RecordedGate extends GateEvaluated {
  readonly seq: number;
}

/** What was seen of one working tree. */
export interface TreeSeen {
  readonly digest: string | null;
  /** The last event that saw it differ from the event before. */
  readonly movedSeq: number;
}

/** All that was observed in the project, whatever run it belongs to. */
export interface EvidenceState {
  readonly trees: Readonly<Record<string, TreeSeen>>;
  /** Calls without an end, by the seq of their request: hosts use an id more than once. */
  readonly openCalls: Readonly<Record<string, OpenCall>>;
  /** For each tracked command hash the newest observation per place and folder. */
  readonly latest: Readonly<Record<string, readonly Observation[]>>;
  /** The newest `RECENT_MAX` observations, oldest first. */
  readonly recent: readonly Observation[];
  readonly bindings: Readonly<Record<string, readonly Binding[]>>;
  readonly gates: Readonly<Record<string, RecordedGate>>;
}

export const initialEvidence: EvidenceState = {
  trees: {},
  openCalls: {},
  latest: {},
  recent: [],
  bindings: {},
  gates: {},
};

export function treeSeen(
  state: EvidenceState,
  place: string,
  digest: string | null,
  seq: number,
): EvidenceState {
  const before = Object.hasOwn(state.trees, place) ? state.trees[place] : undefined;
  if (before !== undefined && before.digest === digest && digest !== null) return state;
  return { ...state, trees: { ...state.trees, [place]: { digest, movedSeq: seq } } };
}

export function toolRequested(
  state: EvidenceState,
  body: ToolRequested,
  at: EventPosition & { readonly run: string },
): EvidenceState {
  const { id, seq, run, session } = at;
  const call: OpenCall = { ...body, id, seq, run, session, at: at.at };
  const openCalls = { ...withRoom(state.openCalls), [String(seq)]: call };
  return treeSeen({ ...state, openCalls }, body.place, body.tree, at.seq);
}

export function commandObserved(
  state: EvidenceState,
  body: CommandObserved,
  at: EventPosition,
): EvidenceState {
  const { output: _, ...rest } = body;
  const observation: Observation = { ...rest, seq: at.seq };
  const ended = openCallOf(state, { call: body.call, session: at.session });
  const openCalls = withoutEnded(state.openCalls, observation, ended);
  const recent = [...state.recent.slice(1 - RECENT_MAX), observation];
  // The tree before is told by the request, and is news only where none told it.
  const isNews = body.treeBefore !== null && (ended?.tree ?? null) === null;
  const before = isNews ? treeSeen(state, body.place, body.treeBefore, at.seq) : state;
  const seen = treeSeen({ ...before, openCalls, recent }, body.place, body.treeAfter, at.seq);
  const isTracked = body.verifierOf !== null || Object.hasOwn(state.latest, body.commandHash ?? "");
  return isTracked ? tracked(seen, observation) : seen;
}

/** Calls that only read are dropped first: nothing depends on how they ended. */
function withRoom(calls: EvidenceState["openCalls"]): EvidenceState["openCalls"] {
  const entries = Object.entries(calls);
  if (entries.length < OPEN_CALLS_MAX) return calls;
  const reading = entries.findIndex(([, { effect }]) => effect === "read");
  return Object.fromEntries(entries.toSpliced(Math.max(reading, 0), 1));
}

/** The newest open call with a host's id, which says nothing beyond the session it came from. */
export function openCallOf(
  { openCalls }: EvidenceState,
  { call, session }: Pick<OpenCall, "call" | "session">,
): OpenCall | undefined {
  return Object.values(openCalls).findLast(
    (open) => open.call === call && open.session === session,
  );
}

/**
 * Its own call has ended; and calls of the same verify command that never ended are answered by
 * this run of it: running it again is what the contract asks for, so nobody has to decide on it.
 */
function withoutEnded(
  calls: EvidenceState["openCalls"],
  observation: Observation,
  ended: OpenCall | undefined,
): EvidenceState["openCalls"] {
  const left = Object.entries(calls).filter(([, call]) => {
    const isAnswered =
      observation.verifierOf !== null &&
      call.verifierOf === observation.verifierOf &&
      call.commandHash === observation.commandHash &&
      call.place === observation.place;
    return call.seq !== ended?.seq && !isAnswered;
  });
  return Object.fromEntries(left);
}

function tracked(state: EvidenceState, observation: Observation): EvidenceState {
  const { commandHash } = observation;
  if (commandHash === null) return state;
  const others = (state.latest[commandHash] ?? []).filter(
    (other) => other.place !== observation.place || other.folder !== observation.folder,
  );
  const kept = [...others.slice(1 - PLACES_MAX), observation];
  return { ...state, latest: { ...state.latest, [commandHash]: kept } };
}

export function evidenceBound(
  state: EvidenceState,
  body: EvidenceBound,
  at: EventPosition & { readonly run: string },
): EvidenceState {
  const { reference } = body;
  const others = (state.bindings[at.run] ?? []).filter(
    (other) => other.criterion !== body.criterion || other.kind !== body.kind,
  );
  const bindings = { ...state.bindings, [at.run]: [...others, { ...body, seq: at.seq }] };
  if (reference.type !== "command") return { ...state, bindings };
  // From now on the latest observation of this command is kept, however old it gets.
  const known = state.recent.filter(({ commandHash }) => commandHash === reference.commandHash);
  const latest = {
    ...state.latest,
    [reference.commandHash]: state.latest[reference.commandHash] ?? [],
  };
  return known.reduce(tracked, { ...state, bindings, latest });
}

export function callSettled(state: EvidenceState, body: CallSettled): EvidenceState {
  const left = Object.entries(state.openCalls).filter(([, call]) => call.seq !== body.requestedSeq);
  return { ...state, openCalls: Object.fromEntries(left) };
}

export function gateEvaluated(
  state: EvidenceState,
  body: GateEvaluated,
  at: EventPosition & { readonly run: string },
): EvidenceState {
  const gates = { ...state.gates, [at.run]: { ...body, seq: at.seq } };
  return treeSeen({ ...state, gates }, body.place, body.tree, at.seq);
}
