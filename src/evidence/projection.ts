import type { CriteriaProposed, EventPosition } from "../contract/index.ts";
import { SHED } from "../journal/index.ts";
import { OPEN_CALLS_MAX, PLACES_MAX, RECENT_MAX } from "./limits.ts";
import type {
  CallSettled,
  CommandObserved,
  CriterionJudged,
  EvidenceBound,
  GateEvaluated,
  Observation,
  ToolRequested,
} from "./schemas.ts";
import type { Judgement } from "./view-schemas.ts";

/** One observed end of a command, with where it stands in the journal. */
export interface RecordedObservation extends Observation {
  readonly seq: number;
}

/** The newest observation of a command. */
export interface LatestObservation extends RecordedObservation {
  /** How often it failed before, on the very tree that it began on here. */
  readonly failures: number;
}

export interface OpenCall extends ToolRequested {
  readonly id: string;
  readonly seq: number;
  readonly run: string;
  /** SHA-256 of the id of the session that asked for it. */
  readonly session: string | null;
  readonly at: string;
  /** It was settled as to be run again, and the end of the same command was not seen since. */
  readonly runAgain: boolean;
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

/**
 * All that was observed in the project, whatever run it belongs to.
 *
 * What is kept of calls and observations has limits of its own. With the number of runs grow
 * `bindings` (at most one per criterion and kind of proof), `judgements`, `gates` and `unlisted` (one each),
 * `latest` (by the verify and bound commands, with `PLACES_MAX` each) and `trees` (by working
 * trees). Each of these is small beside the run's own contract, and a run begins only where someone
 * asks for it, so a project has hundreds and not millions.
 */
export interface EvidenceState {
  readonly trees: Readonly<Record<string, TreeSeen>>;
  /** Calls without an end, by the seq of their request: hosts use an id more than once. */
  readonly openCalls: Readonly<Record<string, OpenCall>>;
  /**
   * For each run how many of its calls without an end had no room in `openCalls`. What they did
   * stays unknown: their ends can't be told apart any more.
   */
  readonly unlisted: Readonly<Record<string, number>>;
  /** For each tracked command hash the newest observation per place and folder. */
  readonly latest: Readonly<Record<string, readonly LatestObservation[]>>;
  /** The newest `RECENT_MAX` observations, oldest first. */
  readonly recent: readonly RecordedObservation[];
  readonly bindings: Readonly<Record<string, readonly Binding[]>>;
  /** Of each run what a person last said of its criteria: at most one for each. */
  readonly judgements: Readonly<Record<string, readonly Judgement[]>>;
  readonly gates: Readonly<Record<string, RecordedGate>>;
}

export const initialEvidence: EvidenceState = {
  trees: {},
  openCalls: {},
  unlisted: {},
  latest: {},
  recent: [],
  bindings: {},
  judgements: {},
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

/**
 * Something was seen of a tree, and what and where was shed: it may have been any of them, so nothing
 * that was seen before is proof any more.
 */
export function treesUnknown(state: EvidenceState, seq: number): EvidenceState {
  const unknown = { digest: null, movedSeq: seq };
  const trees = Object.keys(state.trees).map((place) => [place, unknown] as const);
  return { ...state, trees: Object.fromEntries(trees) };
}

/** A call of which nothing is known but that it was about to run. */
export function unknownRequested(
  state: EvidenceState,
  at: EventPosition & { readonly run: string },
): EvidenceState {
  const { id, seq, run, session } = at;
  const call: OpenCall = {
    ...UNKNOWN_CALL,
    id,
    seq,
    run,
    session,
    at: at.at,
    runAgain: false,
  };
  return treesUnknown(withCall(state, call), seq);
}

const UNKNOWN_CALL: ToolRequested = {
  call: SHED,
  tool: SHED,
  effect: "unknown",
  place: "",
  folder: "",
  command: SHED,
  commandHash: null,
  keyId: "",
  tree: null,
  verifierOf: null,
  redactor: 0,
};

export function toolRequested(
  state: EvidenceState,
  body: ToolRequested,
  at: EventPosition & { readonly run: string },
): EvidenceState {
  const { id, seq, run, session } = at;
  const call: OpenCall = { ...body, id, seq, run, session, at: at.at, runAgain: false };
  return treeSeen(withCall(state, call), body.place, body.tree, at.seq);
}

export function commandObserved(
  state: EvidenceState,
  body: CommandObserved,
  at: EventPosition & { readonly cause: string | null },
): EvidenceState {
  const { output: _, ...rest } = body;
  const observation: RecordedObservation = { ...rest, seq: at.seq };
  const ended =
    Object.values(state.openCalls).find(({ id }) => id === at.cause) ??
    openCallOf(state, { call: body.call, session: at.session });
  const openCalls = withoutEnded(state.openCalls, observation, ended);
  const recent = [...state.recent.slice(1 - RECENT_MAX), observation];
  // The tree before is told by the request, and is news only where none told it.
  const isNews = body.treeBefore !== null && (ended?.tree ?? null) === null;
  const before = isNews ? treeSeen(state, body.place, body.treeBefore, at.seq) : state;
  const seen = treeSeen({ ...before, openCalls, recent }, body.place, body.treeAfter, at.seq);
  const isTracked = body.verifierOf !== null || Object.hasOwn(state.latest, body.commandHash ?? "");
  return isTracked ? tracked(seen, observation) : seen;
}

/**
 * Where there is no room, a call that only reads is forgotten: nothing depends on how it ended. A
 * call that writes never is; the oldest goes on being counted.
 */
function withCall(state: EvidenceState, call: OpenCall): EvidenceState {
  const openCalls = { ...state.openCalls, [String(call.seq)]: call };
  const calls = Object.values(openCalls);
  if (calls.length <= OPEN_CALLS_MAX) return { ...state, openCalls };
  const reading = calls.find(({ effect }) => effect === "read");
  const left = reading ?? calls[0] ?? call;
  const { [String(left.seq)]: _, ...kept } = openCalls;
  if (reading !== undefined) return { ...state, openCalls: kept };
  const unlisted = { ...state.unlisted, [left.run]: (state.unlisted[left.run] ?? 0) + 1 };
  return { ...state, openCalls: kept, unlisted };
}

/** The newest open call with a host's id, which says nothing beyond the session it came from. */
export function openCallOf(
  { openCalls }: EvidenceState,
  { call, session }: Pick<OpenCall, "call" | "session">,
): OpenCall | undefined {
  // What was shed of two calls is no word that they share.
  if (call === SHED) return undefined;
  return Object.values(openCalls).findLast(
    (open) => open.call === call && open.session === session,
  );
}

/**
 * Its own call has ended; and calls of the same command are answered by this run of it where
 * running it again is what was decided, or what the contract asks for of a verify command, so that
 * nobody has to decide on it.
 */
function withoutEnded(
  calls: EvidenceState["openCalls"],
  observation: RecordedObservation,
  ended: OpenCall | undefined,
): EvidenceState["openCalls"] {
  const isWhereKnown = observation.place !== SHED && observation.folder !== SHED;
  const left = Object.entries(calls).filter(([, call]) => {
    const isSameCommand =
      isWhereKnown &&
      observation.commandHash !== null &&
      call.commandHash === observation.commandHash &&
      call.place === observation.place &&
      call.folder === observation.folder;
    const isSameVerifier =
      observation.verifierOf !== null && call.verifierOf === observation.verifierOf;
    return call.seq !== ended?.seq && !(isSameCommand && (isSameVerifier || call.runAgain));
  });
  return Object.fromEntries(left);
}

function tracked(state: EvidenceState, observation: RecordedObservation): EvidenceState {
  const { commandHash } = observation;
  if (commandHash === null) return state;
  const known = state.latest[commandHash] ?? [];
  const isHere = ({ place, folder }: RecordedObservation) =>
    place === observation.place && folder === observation.folder;
  const latest = { ...observation, failures: failuresBefore(known.find(isHere), observation) };
  const kept = [...known.filter((other) => !isHere(other)).slice(1 - PLACES_MAX), latest];
  return { ...state, latest: { ...state.latest, [commandHash]: kept } };
}

function failuresBefore(
  before: LatestObservation | undefined,
  { treeBefore }: RecordedObservation,
): number {
  if (before === undefined || treeBefore === null || before.treeAfter !== treeBefore) return 0;
  return before.failures + (before.verdict === "fail" ? 1 : 0);
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
  const binding = isBacked(state, body) ? body : { ...body, observation: null };
  const bindings = { ...state.bindings, [at.run]: [...others, { ...binding, seq: at.seq }] };
  if (reference.type !== "command") return { ...state, bindings };
  // Its observations were counted when they were made, and would be counted again.
  if (Object.hasOwn(state.latest, reference.commandHash)) return { ...state, bindings };
  // From now on the latest observation of this command is kept, however old it gets.
  const known = state.recent.filter(({ commandHash }) => commandHash === reference.commandHash);
  const latest = { ...state.latest, [reference.commandHash]: [] };
  return known.reduce(tracked, { ...state, bindings, latest });
}

export function criterionJudged(
  state: EvidenceState,
  body: CriterionJudged,
  at: EventPosition & { readonly run: string },
): EvidenceState {
  const others = (state.judgements[at.run] ?? []).filter(
    ({ criterion }) => criterion !== body.criterion,
  );
  const judgements = { ...state.judgements, [at.run]: [...others, { ...body, seq: at.seq }] };
  return treeSeen({ ...state, judgements }, body.place, body.tree, at.seq);
}

/** A person said something of a criterion of this run, and what and of which is lost: none counts. */
export function judgementsUnknown(state: EvidenceState, run: string): EvidenceState {
  const { [run]: _, ...judgements } = state.judgements;
  return { ...state, judgements };
}

/** What was shown or said of criteria that say something else now, or are left out, counts no more. */
export function criteriaChanged(
  state: EvidenceState,
  { added, reworded, removed }: Pick<CriteriaProposed, "added" | "reworded" | "removed">,
  run: string,
): EvidenceState {
  const stays = ({ criterion }: { readonly criterion: string }) =>
    ![...added, ...reworded, ...removed].includes(criterion);
  const { bindings, judgements } = state;
  return {
    ...state,
    bindings: { ...bindings, [run]: (bindings[run] ?? []).filter(stays) },
    judgements: { ...judgements, [run]: (judgements[run] ?? []).filter(stays) },
  };
}

/** Whether the observation that is bound is still known itself: its event may have been shed. */
function isBacked({ recent }: EvidenceState, { reference }: EvidenceBound): boolean {
  return reference.type !== "observation" || recent.some(({ seq }) => seq === reference.seq);
}

export function callSettled(state: EvidenceState, body: CallSettled): EvidenceState {
  const key = String(body.requestedSeq);
  const { [key]: call, ...others } = state.openCalls;
  if (call === undefined) return state;
  if (body.as !== "run-again") return { ...state, openCalls: others };
  return { ...state, openCalls: { ...others, [key]: { ...call, runAgain: true } } };
}

export function gateEvaluated(
  state: EvidenceState,
  body: GateEvaluated,
  at: EventPosition & { readonly run: string },
): EvidenceState {
  const gates = { ...state.gates, [at.run]: { ...body, seq: at.seq } };
  return treeSeen({ ...state, gates }, body.place, body.tree, at.seq);
}
