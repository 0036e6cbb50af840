import { currentStep, hasEnded } from "../contract/index.ts";
import { isCompiledFrom } from "../criteria/index.ts";
import {
  type Assessment,
  assess,
  type CommandHashing,
  clipHead,
  type GateItem,
  listed,
  type ObservedTree,
  type OpenCall,
  runAgainCommand,
  settleCommand,
  type VerifierStanding,
} from "../evidence/index.ts";
import type { Sha256 } from "../ports.ts";
import { openRunOf, type ProjectState, type RunState, runsOf } from "../task/index.ts";
import { PHASE_UNKNOWN } from "../trajectory/index.ts";
import { INSTRUCTION_SHOWN_MAX, INSTRUCTIONS_SHOWN } from "./limits.ts";
import type { NextAction, ResumeDecision } from "./view-schemas.ts";

export interface ResumeInput {
  readonly state: ProjectState;
  /** SHA-256 of the asking session's id. */
  readonly session: string;
  readonly tree: ObservedTree;
  readonly hashing: CommandHashing;
  readonly sha256: Sha256;
  /** What the journal's check found, or null. */
  readonly damage: { readonly seq: number; readonly message: string } | null;
}

/** The run that a session goes on with: its own that has not ended, else another such, else the last. */
export function runToResume(state: ProjectState, session: string): RunState | null {
  const runs = runsOf(state);
  return (
    openRunOf(state, session) ??
    runs.findLast(({ task }) => !hasEnded(task.status)) ??
    runs.at(-1) ??
    null
  );
}

/** How the work goes on after a run has ended: with another attempt where one is left. */
function nextAttempt({ task: { contract, status }, shed }: RunState): string {
  const isLeft = status !== "completed" && contract.attempt < contract.maxAttempts;
  if (!isLeft) return "holdfast task start …";
  return shed === true
    ? `holdfast task start --task-id ${contract.taskId} …`
    : `holdfast task retry ${contract.run}`;
}

/** Decides from the journal alone, and the tree as it is now. Pure; changes nothing. */
export function decideResume(input: ResumeInput): ResumeDecision {
  const run = runToResume(input.state, input.session);
  if (run === null) return withoutRun(input);
  const assessed = assessedRun(input, run);
  const described = describe(input, run, assessed);
  if (hasEnded(run.task.status)) {
    return {
      ...described,
      decision: "terminal",
      safe: false,
      reasonCodes: [`task-${run.task.status}`],
      next: { action: "terminal", commands: [nextAttempt(run)] },
    };
  }
  const blocks = blocksOf(input, run);
  const first = blocks[0];
  if (first !== undefined) {
    const reasonCodes = blocks.map(({ code }) => code);
    return { ...described, decision: "blocked", safe: false, reasonCodes, next: first.next };
  }
  if (run.task.status === "paused") {
    return {
      ...described,
      decision: "paused",
      safe: false,
      reasonCodes: ["task-paused", ...notesOf(input, described)],
      next: {
        action: "wait-paused",
        commands: [`holdfast task continue ${run.task.contract.run}`],
      },
    };
  }
  return {
    ...described,
    decision: "resume",
    safe: true,
    reasonCodes: notesOf(input, described),
    next: nextAction(input.state, run, assessed),
  };
}

const NOTHING: ResumeDecision = {
  decision: "none",
  safe: true,
  reasonCodes: ["no-task"],
  phase: null,
  run: null,
  taskId: null,
  owner: null,
  instructions: { count: 0, newest: [] },
  uncertain: [],
  uncertainUnlisted: 0,
  staleVerifiers: [],
  changed: { paths: [], count: 0 },
  next: { action: "start-task", commands: ["holdfast task start …"] },
};

const INSPECT: NextAction = {
  action: "inspect-journal",
  commands: ["holdfast journal verify", "holdfast log"],
};

/** No task is known, which says nothing where a part of the journal can't be read. */
function withoutRun({ state, damage }: ResumeInput): ResumeDecision {
  const blocks = journalBlocks(state, damage);
  if (blocks.length === 0) return NOTHING;
  const reasonCodes = blocks.map(({ code }) => code);
  return { ...NOTHING, decision: "blocked", safe: false, reasonCodes, next: INSPECT };
}

/** How a run stands; null where the journal no longer tells what it is held to. */
function assessedRun(
  { state, tree, hashing }: ResumeInput,
  { task, graph }: RunState,
): Assessment | null {
  return graph === null ? null : assess({ task, graph, evidence: state.evidence, tree, hashing });
}

function describe({ state }: ResumeInput, run: RunState, assessed: Assessment | null) {
  const { contract, owner, instructions } = run.task;
  return {
    phase: run.trajectory.phase,
    run: contract.run,
    taskId: contract.taskId,
    owner,
    instructions: {
      count: instructions.count,
      newest: instructions.recent
        .slice(-INSTRUCTIONS_SHOWN)
        .toReversed()
        .map(({ seq, by, text }) => ({ seq, by, text: clipHead(text, INSTRUCTION_SHOWN_MAX) })),
    },
    uncertain: openCalls(state, contract.run)
      .filter(({ runAgain }) => !runAgain)
      .map(({ seq, tool, command }) => ({ seq, tool, input: command })),
    uncertainUnlisted: state.evidence.unlisted[contract.run] ?? 0,
    staleVerifiers: (assessed?.verifiers ?? []).filter(isStale).map(({ command }) => command),
    changed: listed(assessed?.changes ?? []),
  };
}

/** A verifier that once ended, but says nothing of the tree as it is. */
function isStale({ currency }: VerifierStanding): boolean {
  return currency === "stale" || currency === "changed-tree" || currency === "failed-before";
}

/** Calls of a run, or of none, that were requested and never seen to end. */
function openCalls(state: ProjectState, run: string): readonly OpenCall[] {
  return Object.values(state.evidence.openCalls)
    .filter((call) => call.run === run || call.verifierOf === run)
    .toSorted((a, b) => a.seq - b.seq);
}

interface Block {
  readonly code: string;
  readonly next: NextAction;
}

function journalBlocks(state: ProjectState, damage: ResumeInput["damage"]): Block[] {
  const blocks: Block[] = [];
  if (damage !== null) blocks.push({ code: "journal-damaged", next: INSPECT });
  if (state.notUnderstood !== null) blocks.push({ code: "journal-newer", next: INSPECT });
  return blocks;
}

function blocksOf(input: ResumeInput, run: RunState): readonly Block[] {
  const { state, session, tree, damage, sha256 } = input;
  const { contract, owner } = run.task;
  const blocks = journalBlocks(state, damage);
  const isCompiled = run.graph !== null && isCompiledFrom(run.graph, contract, sha256);
  // Where text was shed, the digest was made over what is gone.
  if (run.graph === null || (!isCompiled && run.shed !== true)) {
    blocks.push({ code: "criterion-graph-differs", next: INSPECT });
  }
  if (run.trajectory.phase === PHASE_UNKNOWN) {
    const commands = ["holdfast phase", "holdfast task abandon --reason …"];
    blocks.push({ code: "phase-unknown", next: { action: "inspect-journal", commands } });
  }
  if (owner !== session) {
    const commands = [`holdfast takeover --run ${contract.run} --reason …`];
    blocks.push({ code: "owned-by-other-session", next: { action: "take-over", commands } });
  }
  if (tree.digest === null) {
    blocks.push({
      code: "tree-unavailable",
      next: { action: "restore-tree", commands: ["holdfast status"] },
    });
  }
  return blocks;
}

function notesOf(
  { tree }: ResumeInput,
  described: Pick<ResumeDecision, "uncertain" | "uncertainUnlisted" | "staleVerifiers">,
): readonly string[] {
  const { uncertain, uncertainUnlisted, staleVerifiers } = described;
  return [
    ...(uncertain.length + uncertainUnlisted > 0 ? ["uncertain-calls"] : []),
    ...(staleVerifiers.length > 0 ? ["stale-verifiers"] : []),
    ...(tree.operation === null ? [] : [`${tree.operation}-in-progress`]),
  ];
}

/** The next safe step of an open run, from what its gate still misses. */
function nextAction(state: ProjectState, run: RunState, assessed: Assessment | null): NextAction {
  if (assessed === null) return INSPECT;
  const writing = openCalls(state, run.task.contract.run).filter(
    ({ effect, verifierOf }) => effect !== "read" && verifierOf === null,
  );
  const toSettle = writing.filter(({ runAgain }) => !runAgain);
  if (toSettle.length > 0) {
    const commands = toSettle.map(({ seq }) => settleCommand(seq));
    return { action: "settle-uncertain-call", commands };
  }
  const toRunAgain = writing.filter(({ runAgain }) => runAgain);
  if (toRunAgain.length > 0) {
    return { action: "run-call-again", commands: toRunAgain.map(runAgainCommand) };
  }
  return nextFromGate(assessed, run);
}

function nextFromGate({ gate }: Assessment, run: RunState): NextAction {
  const missing = (prefix: string) => gate.missing.filter(({ code }) => code.startsWith(prefix));
  if (gate.decision === "pass") {
    return { action: "request-completion", commands: ["holdfast conclude --outcome completed"] };
  }
  const shed = gate.missing.filter(({ code }) => code.endsWith("-shed"));
  if (shed.length > 0) return { action: "ask-person", commands: commandsOf(shed) };
  if (gate.missing.some(({ code }) => code === "verifier-failed")) {
    return { action: "continue-plan", commands: ["holdfast gate"] };
  }
  // Uncertain calls of other commands were settled before; a verifier's is answered by a new run.
  if (missing("verifier-").length > 0 || missing("call-uncertain").length > 0) {
    return { action: "rerun-exact-verifier", commands: ["holdfast verify"] };
  }
  if (gate.decision === "fail") return { action: "restore-tree", commands: ["holdfast gate"] };
  if (gate.decision === "needs-person") {
    return { action: "ask-person", commands: commandsOf(gate.missing) };
  }
  const unproved = missing("criterion-");
  if (unproved.length > 0) return { action: "supply-evidence", commands: commandsOf(unproved) };
  const step = currentStep(run.task.plan);
  return { action: "continue-plan", commands: step === null ? [] : ["holdfast task show"] };
}

/** The commands that settle these items; where none does, the one that explains them. */
function commandsOf(items: readonly GateItem[]): readonly string[] {
  const commands = items.flatMap(({ command }) => command ?? []);
  return commands.length > 0 ? [...new Set(commands)] : ["holdfast gate"];
}
