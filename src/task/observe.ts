import { exactCommand, hasEnded } from "../contract/index.ts";
import {
  COMMAND_MAX,
  type CommandObserved,
  CUT_EDGE,
  clipHead,
  clipMiddle,
  clipTail,
  commandObserved,
  differencesOf,
  type EvidenceState,
  type ObservedTree,
  type OpenCall,
  OUTPUT_HEAD_MAX,
  OUTPUT_TAIL_MAX,
  openCallOf,
  RECORDED_CHANGES_MAX,
  realChanges,
  verdictOf,
  verifierStandings,
} from "../evidence/index.ts";
import { JOURNAL_STREAM, SHED } from "../journal/index.ts";
import {
  moveAtFailure,
  moveAtMutation,
  moveAtProof,
  moveAtVerification,
  type PhaseMove,
} from "../trajectory/index.ts";
import {
  accept,
  type DecidedEvent,
  type Decision,
  phasesEntered,
  refuse,
  refused,
} from "./decision.ts";
import type { Facts } from "./facts.ts";
import { isOwnCall, phaseToolDifference } from "./phase-tool.ts";
import { stepsProved } from "./progress.ts";
import type { ProjectState, RunState } from "./projection.ts";
import { openRunOf, runsOf, runWithId } from "./runs.ts";
import type { ObserveCommand, RequestTool, SettleCall } from "./schemas.ts";
import { ownUnendedRun } from "./which.ts";

/** What a call's beginning and its end say alike: in which run, of which call, where, of which command. */
function sighting(state: ProjectState, command: RequestTool | ObserveCommand, facts: Facts) {
  const own = openRunOf(state, facts.session);
  const identity = commandIdentity(command.command, facts);
  const folder = folderOf(command, facts);
  return {
    own,
    run: own?.task.contract.run ?? JOURNAL_STREAM,
    about: {
      call: command.call,
      tool: command.tool,
      place: facts.tree?.place ?? "",
      folder,
      ...identity,
      verifierOf: runVerifiedBy(state, { ...identity, folder }, own, facts),
      redactor: facts.redactorVersion,
    },
  };
}

/**
 * Observations are facts about the project: they are never refused for who made them or for a run
 * that has ended. They stand in the open run of the observing session, else in none.
 *
 * A call that is still to be made is refused where the run's phase has no room for it and the task is
 * to be held to its phases.
 */
export function requestTool(state: ProjectState, command: RequestTool, facts: Facts): Decision {
  const { tree } = facts;
  const { own, run, about } = sighting(state, command, facts);
  const isExactVerifier = about.verifierOf === run;
  // A paused run is seen to be worked on, and stays where it stands.
  const moved = own?.task.status === "open" ? own : null;
  const moves = moved === null ? [] : movesBefore(moved, tree, isExactVerifier);
  const { tool, effect, writes = effect === "write" } = command;
  const difference =
    moved === null
      ? null
      : phaseToolDifference(
          moved,
          moves.at(-1)?.to ?? moved.trajectory.phase,
          { tool, effect, writes, isExactVerifier, isOwn: isOwnCall(command) },
          facts,
        );
  const recorded = difference?.recorded ?? null;
  const differed: readonly DecidedEvent[] =
    recorded === null ? [] : [{ run, type: "phase.tool-differed", body: recorded }];
  const refusal = difference?.refusal ?? null;
  if (refusal !== null) return { events: differed, refusal };
  return accept(
    { run, type: "tool.requested", body: { ...about, effect, tree: tree?.digest ?? null } },
    ...phasesEntered(run, moves, "tool-call"),
    ...differed,
  );
}

/** Where the run goes by what is there before a call: changed files, and a verifier that begins. */
function movesBefore(
  { task: { contract, plan }, trajectory }: RunState,
  tree: ObservedTree | null,
  isVerifier: boolean,
): readonly PhaseMove[] {
  const isChanged = tree !== null && realChanges(contract, tree).length > 0;
  const mutation = isChanged ? moveAtMutation(trajectory.phase, contract, plan) : null;
  const phase = mutation?.to ?? trajectory.phase;
  const verification = isVerifier ? moveAtVerification(phase, contract) : null;
  return [mutation, verification].filter((move) => move !== null);
}

export function observeCommand(
  state: ProjectState,
  command: ObserveCommand,
  facts: Facts,
): Decision {
  const { tree } = facts;
  const { own, run, about } = sighting(state, command, facts);
  const request = openCallOf(state.evidence, { ...command, session: facts.session });
  const observed: CommandObserved = {
    ...about,
    ...command.end,
    ...verdictOn(state, command, tree, request, about.verifierOf !== null),
    durationMs: command.durationMs,
    output: keptOutput(command.output, facts),
    treeBefore: command.treeBefore,
    treeAfter: tree?.digest ?? null,
    commit: tree?.commit ?? null,
    changes: about.verifierOf === null || tree === null ? null : recordedChanges(tree),
  };
  const cause = request?.id ?? null;
  const event: DecidedEvent = { run, type: "command.observed", cause, body: observed };
  if (own?.task.status !== "open" || tree === null) return accept(event);
  const isProof = isAllProved(state, own, observed, tree, facts);
  return accept(
    event,
    ...(isProof ? stepsProved(own.task) : []),
    ...phasesEntered(run, movesAfter(own, observed, tree, isProof), "tool-result"),
  );
}

/**
 * What the end of a command shows: nothing, where nobody saw the tree that it began on, or where
 * the tree was seen to be another meanwhile and came back.
 */
function verdictOn(
  state: ProjectState,
  { end, treeBefore }: ObserveCommand,
  tree: ObservedTree | null,
  request: OpenCall | undefined,
  isVerifier: boolean,
): ReturnType<typeof verdictOf> {
  const { evidence } = state;
  const told = verdictOf(end);
  if (told.verdict === "inconclusive") return told;
  if (treeBefore === null) return { verdict: "inconclusive", reason: "no-tree-before" };
  if (tree === null || request === undefined) return told;
  const seen = Object.hasOwn(evidence.trees, tree.place) ? evidence.trees[tree.place] : undefined;
  if (treeBefore === tree.digest && seen !== undefined && seen.movedSeq > request.seq) {
    return { verdict: "inconclusive", reason: "changed-meanwhile" };
  }
  if (wasAmendedSince(state, request)) {
    return { verdict: "inconclusive", reason: "amended-meanwhile" };
  }
  return isVerifier && isOverlapped(evidence, request)
    ? { verdict: "inconclusive", reason: "overlapped" }
    : told;
}

/** Whether what a call's run is held to became another after it began: then it showed what was asked for before. */
function wasAmendedSince(state: ProjectState, { run, verifierOf, seq }: OpenCall): boolean {
  const amendments = runWithId(state, verifierOf ?? run)?.task.amendments ?? [];
  return amendments.some((change) => change.seq > seq);
}

/**
 * Whether another call that may write began or ended at the same place while this one ran: what a
 * verifier saw then may have been there for that moment only.
 */
function isOverlapped(evidence: EvidenceState, request: OpenCall): boolean {
  const isDuring = (other: { readonly seq: number; readonly place: string }) =>
    other.seq > request.seq && other.place === request.place;
  const began = Object.values(evidence.openCalls).some(
    (call) => call.effect !== "read" && isDuring(call),
  );
  return began || evidence.recent.some(isDuring);
}

/** Where the run goes by what the command left: changed files, a failure, or all proof there is. */
function movesAfter(
  own: RunState,
  observed: CommandObserved,
  tree: ObservedTree,
  isProof: boolean,
): readonly PhaseMove[] {
  const { contract, plan } = own.task;
  const moves: PhaseMove[] = [];
  const phase = () => moves.at(-1)?.to ?? own.trajectory.phase;
  const add = (...more: readonly (PhaseMove | null)[]) => {
    for (const move of more) if (move !== null) moves.push(move);
  };
  if (realChanges(contract, tree).length > 0) add(moveAtMutation(phase(), contract, plan));
  const isFailure = observed.verifierOf === contract.run && observed.verdict === "fail";
  if (isFailure) add(moveAtFailure(phase(), contract));
  if (isProof) add(...moveAtProof(phase(), contract));
  return moves;
}

/** Whether with this observation every verify command is proved on the tree as it is. */
function isAllProved(
  { evidence }: ProjectState,
  { task }: RunState,
  observed: CommandObserved,
  tree: ObservedTree,
  { session, hashing }: Facts,
): boolean {
  if (observed.verifierOf !== task.contract.run || observed.verdict !== "pass") return false;
  // The observation is not in the state yet; proof is judged as if it were.
  const seq = Number.MAX_SAFE_INTEGER;
  const at = { seq, runSeq: 0, id: "", at: "", session, cause: null };
  const after = commandObserved(evidence, observed, at);
  const standings = verifierStandings({ evidence: after, task, tree, hashing });
  return standings.every(({ currency }) => currency === "current");
}

/**
 * Says what a call did whose end nobody saw. What belongs to an open run is said by the session
 * that owns it, since its gate waits for it; the call of a concluded run or of none is nobody's, and
 * what is said of it changes no run.
 *
 * A call that is to be run again stays open as such, and can still be settled otherwise.
 */
export function settleCall(state: ProjectState, command: SettleCall, facts: Facts): Decision {
  const call = Object.values(state.evidence.openCalls).find(({ seq }) => seq === command.seq);
  if (call === undefined) {
    return refuse(
      "call/not-uncertain",
      `Event ${command.seq} is no call whose end is unknown.`,
      "See the uncertain calls with `holdfast resume`.",
    );
  }
  const status = runWithId(state, call.run)?.task.status;
  const isOfOpenRun = status !== undefined && !hasEnded(status);
  // What a call did can be said of a paused run as well: it is a fact, and no work.
  const own = isOfOpenRun ? ownUnendedRun(state, facts, { run: call.run }) : null;
  if (own !== null && "refused" in own) return refused(own.refused);
  const { as, reason, by } = command;
  return accept({
    run: own?.task.contract.run ?? JOURNAL_STREAM,
    type: "call.settled",
    body: { requestedSeq: command.seq, as, reason, by },
  });
}

/** The exact text and its keyed hash; a command with a secret gets none, so it can never be proof. */
function commandIdentity(command: string, facts: Facts) {
  // Half of a surrogate pair reaches no process either: it becomes U+FFFD on the way.
  const exact = exactCommand(command.toWellFormed());
  const { text, redacted } = facts.redact(exact);
  return {
    command: clipMiddle(text, COMMAND_MAX),
    commandHash: redacted ? null : facts.hashing.hashOf(exact),
    keyId: facts.hashing.keyId,
  };
}

/** Where a call ran, relative to the top of the working tree. */
function folderOf({ cwd = "" }: RequestTool | ObserveCommand, { tree }: Facts): string {
  return [tree?.folder ?? "", cwd].filter((part) => part !== "").join("/");
}

/**
 * The open run that has this very command in its verify plan: the session's own first. In another
 * folder the same words are another command.
 */
function runVerifiedBy(
  state: ProjectState,
  { commandHash, folder }: { readonly commandHash: string | null; readonly folder: string },
  own: RunState | null,
  facts: Facts,
): string | null {
  if (commandHash === null) return null;
  const others = runsOf(state).filter(({ task }) => !hasEnded(task.status));
  const verified = [...(own === null ? [] : [own]), ...others].find(
    ({ task: { contract } }) =>
      contract.folder === folder &&
      contract.verifyCommands.some(
        (verify) => verify !== SHED && facts.hashing.hashOf(verify) === commandHash,
      ),
  );
  return verified?.task.contract.run ?? null;
}

/**
 * Both ends of an output without secrets. They are taken out before anything is cut, and where the
 * observer cut a piece out of the middle, what stands right beside the cut is left out as well: it
 * may be half of a secret, which nobody would recognise.
 */
function keptOutput(output: ObserveCommand["output"], facts: Facts): CommandObserved["output"] {
  const clean = (text: string) => facts.redact(text.toWellFormed()).text;
  const { digest, bytes } = output;
  if (isWhole(output)) {
    const whole = clean(output.head + output.tail);
    const head = clipHead(whole, OUTPUT_HEAD_MAX);
    return { digest, bytes, head, tail: clipTail(whole.slice(head.length), OUTPUT_TAIL_MAX) };
  }
  return {
    digest,
    bytes,
    head: clipHead(clean(output.head).slice(0, -CUT_EDGE), OUTPUT_HEAD_MAX),
    tail: clipTail(clean(output.tail).slice(CUT_EDGE), OUTPUT_TAIL_MAX),
  };
}

/** Whether the two ends make up all there was. */
function isWhole({ head, tail, bytes }: ObserveCommand["output"]): boolean {
  return new TextEncoder().encode(head + tail).length >= bytes;
}

function recordedChanges(tree: ObservedTree): CommandObserved["changes"] {
  const count = Object.keys(tree.dirty).length;
  if (tree.dirtyTruncated || count > RECORDED_CHANGES_MAX) return null;
  return { base: tree.base, entries: differencesOf(tree.dirty) };
}
