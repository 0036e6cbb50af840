import { currentStep } from "../contract/index.ts";
import { compileCriteria } from "../criteria/index.ts";
import {
  type CommandHashing,
  evaluateGate,
  type GateEvaluated,
  listed,
  type ObservedTree,
  type OpenCall,
  realChanges,
  type VerifierStanding,
  verifierStandings,
} from "../evidence/index.ts";
import type { Sha256 } from "../ports.ts";
import { openRunOf, type ProjectState, type RunState, runsOf } from "../task/index.ts";

/** What the next session may do with the task it finds. */
export interface ResumeDecision {
  readonly decision: "resume" | "retry" | "paused" | "terminal" | "blocked" | "none";
  /** Whether the task may be worked on; false refuses every mutation. */
  readonly safe: boolean;
  readonly reasonCodes: readonly string[];
  readonly phase: string | null;
  readonly run: string | null;
  readonly taskId: string | null;
  /** SHA-256 of the owning session's id. */
  readonly owner: string | null;
  /** Calls whose end nobody saw, with their exact input. Never to be repeated without a decision. */
  readonly uncertain: readonly {
    readonly seq: number;
    readonly tool: string;
    readonly input: string;
  }[];
  readonly staleVerifiers: readonly string[];
  /** What differs from the beginning of the task. */
  readonly changed: { readonly paths: readonly string[]; readonly count: number };
  readonly next: NextAction;
}

export interface NextAction {
  readonly action:
    | "start-task"
    | "terminal"
    | "inspect-journal"
    | "take-over"
    | "settle-uncertain-call"
    | "restore-tree"
    | "rerun-exact-verifier"
    | "supply-evidence"
    | "ask-person"
    | "continue-plan"
    | "request-completion";
  /** What to run; `…` stands for what only the caller knows. */
  readonly commands: readonly string[];
}

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

/** The run that a session goes on with: its own open one, else another open one, else the last. */
export function runToResume(state: ProjectState, session: string): RunState | null {
  const runs = runsOf(state);
  return (
    openRunOf(state, session) ??
    runs.findLast(({ task }) => task.status === "open") ??
    runs.at(-1) ??
    null
  );
}

/** Decides from the journal alone, and the tree as it is now. Pure; changes nothing. */
export function decideResume(input: ResumeInput): ResumeDecision {
  const run = runToResume(input.state, input.session);
  if (run === null) return withoutRun(input);
  const described = describe(input, run);
  if (run.task.status !== "open") {
    return {
      ...described,
      decision: "terminal",
      safe: false,
      reasonCodes: [`task-${run.task.status}`],
      next: { action: "terminal", commands: ["holdfast task start …"] },
    };
  }
  const blocks = blocksOf(input, run);
  const first = blocks[0];
  if (first !== undefined) {
    const reasonCodes = blocks.map(({ code }) => code);
    return { ...described, decision: "blocked", safe: false, reasonCodes, next: first.next };
  }
  return {
    ...described,
    decision: "resume",
    safe: true,
    reasonCodes: notesOf(input, described),
    next: nextAction(input, run),
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
  uncertain: [],
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

function describe(input: ResumeInput, run: RunState) {
  const { state, tree, hashing } = input;
  const { contract, owner } = run.task;
  const standings = verifierStandings(state.evidence, run.task, tree, hashing);
  return {
    phase: run.trajectory.phase,
    run: contract.run,
    taskId: contract.taskId,
    owner,
    uncertain: uncertainCalls(state, contract.run).map(({ seq, tool, command }) => ({
      seq,
      tool,
      input: command,
    })),
    staleVerifiers: standings.filter(isStale).map(({ command }) => command),
    changed: listed(realChanges(contract, tree)),
  };
}

/** A verifier that once ended, but says nothing of the tree as it is. */
function isStale({ currency }: VerifierStanding): boolean {
  return currency === "stale" || currency === "changed-tree" || currency === "failed-before";
}

/** Calls of a run, or of none, that were requested and never seen to end. */
function uncertainCalls(state: ProjectState, run: string): readonly OpenCall[] {
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
  if (run.graph?.graphDigest !== compileCriteria(contract, sha256).graphDigest) {
    blocks.push({ code: "criterion-graph-differs", next: INSPECT });
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
  { uncertain, staleVerifiers }: Pick<ResumeDecision, "uncertain" | "staleVerifiers">,
): readonly string[] {
  return [
    ...(uncertain.length > 0 ? ["uncertain-calls"] : []),
    ...(staleVerifiers.length > 0 ? ["stale-verifiers"] : []),
    ...(tree.operation === null ? [] : [`${tree.operation}-in-progress`]),
  ];
}

/** The next safe step of an open run, from what its gate still misses. */
function nextAction(
  { state, tree, hashing }: Pick<ResumeInput, "state" | "tree" | "hashing">,
  run: RunState,
): NextAction {
  const { task, graph } = run;
  const toSettle = uncertainCalls(state, task.contract.run).filter(
    ({ effect, verifierOf }) => effect !== "read" && verifierOf === null,
  );
  if (toSettle.length > 0) {
    return {
      action: "settle-uncertain-call",
      commands: toSettle.map(
        ({ seq }) => `holdfast settle ${seq} --as happened|not-happened|run-again --reason …`,
      ),
    };
  }
  if (graph === null) return INSPECT;
  const gate = evaluateGate({ task, graph, evidence: state.evidence, tree, hashing });
  return nextFromGate(gate, run);
}

function nextFromGate(gate: GateEvaluated, run: RunState): NextAction {
  const has = (prefix: string) => gate.missing.some(({ code }) => code.startsWith(prefix));
  if (gate.decision === "pass") {
    return { action: "request-completion", commands: ["holdfast conclude --outcome completed"] };
  }
  if (gate.missing.some(({ code }) => code === "verifier-failed")) {
    return { action: "continue-plan", commands: ["holdfast gate"] };
  }
  // Uncertain calls of other commands were settled before; a verifier's is answered by a new run.
  if (has("verifier-") || has("call-uncertain")) {
    return { action: "rerun-exact-verifier", commands: ["holdfast verify"] };
  }
  if (gate.decision === "fail") return { action: "restore-tree", commands: ["holdfast gate"] };
  if (gate.decision === "needs-person")
    return { action: "ask-person", commands: ["holdfast gate"] };
  if (has("criterion-")) {
    return {
      action: "supply-evidence",
      commands: gate.missing
        .filter(({ code }) => code.startsWith("criterion-"))
        .map(({ remedy }) => remedy),
    };
  }
  const step = currentStep(run.task.contract.plan);
  return { action: "continue-plan", commands: step === null ? [] : [`holdfast task show`] };
}
