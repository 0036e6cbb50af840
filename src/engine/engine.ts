import type { IntakeMode, TaskDraft, TaskStarted } from "../contract/index.ts";
import { HoldfastError } from "../errors.ts";
import {
  assess,
  evaluateGate,
  type GateEvaluated,
  type GateInput,
  gateWithoutGraph,
} from "../evidence/index.ts";
import { decideResume, type ResumeDecision } from "../handoff/index.ts";
import type { StoredEvent } from "../journal/index.ts";
import {
  CONTEXT_FILE_BYTES_MAX,
  CONTEXT_FILES,
  CONTEXT_TOKENS,
  type ContextPack,
  completionReceipt,
  filesInFocus,
  guidanceLines,
  type ProjectStatus,
  packed,
  projectStatus,
  type TaskSummary,
  taskSummary,
} from "../status/index.ts";
import {
  type Command,
  type ConcludeTask,
  decidedBody,
  frozen,
  NO_OPEN_TASK,
  namedRun,
  notAtWork,
  type ProjectState,
  type RunState,
  runsOf,
  runWithId,
} from "../task/index.ts";
import { type Answer, type Asking, DEFAULT_SESSION } from "./answer.ts";
import { Dispatcher } from "./dispatcher.ts";
import { importContract } from "./import-contract.ts";
import type { JournalAccess } from "./journal-access.ts";
import type { EnginePorts } from "./ports.ts";
import { runToShow, type Sight } from "./sight.ts";
import type { ConcludedTask, GateReport, ImportedContract, StartedTask } from "./view-schemas.ts";

type Conclusion = Omit<ConcludeTask, "type">;

/**
 * Keeps tasks alive over a journal. A call that writes resolves when its events are durable; a
 * refusal is thrown as a `HoldfastError` here, and stands in the answer of `dispatch`.
 */
export class Engine {
  readonly journal: JournalAccess;
  readonly #dispatcher: Dispatcher;
  readonly #ports: EnginePorts;

  private constructor(dispatcher: Dispatcher, ports: EnginePorts) {
    this.#dispatcher = dispatcher;
    this.#ports = ports;
    this.journal = dispatcher.journal;
  }

  /** @throws HoldfastError what the store throws when it is opened */
  static async open(ports: EnginePorts): Promise<Engine> {
    return new Engine(await Dispatcher.open(ports), ports);
  }

  /** Carries out one command, plain JSON as in the `Command` type. A refusal stands in the answer. */
  dispatch(command: Command, asking: Asking = { session: DEFAULT_SESSION }): Promise<Answer> {
    return this.#dispatcher.dispatch(command, asking);
  }

  /** Begins a run of a task. */
  async startTask(
    draft: TaskDraft,
    asking: Asking & { readonly intakeMode?: IntakeMode } = {
      session: DEFAULT_SESSION,
    },
  ): Promise<StartedTask> {
    const intakeMode = asking.intakeMode ?? "model";
    const answer = await this.#accepted({ type: "startTask", draft, intakeMode }, asking);
    const run = answer.events[0]?.header.run ?? "";
    const { task, trajectory } = runIn(await this.#dispatcher.state(), run);
    const { taskId, attempt } = task.contract;
    const { warnings = [] } = decidedBody(answer.events[0]?.body ?? {}) as Partial<TaskStarted>;
    return { taskId, run, attempt, phase: trajectory.phase, head: answer.head, warnings };
  }

  /**
   * Makes a run of a contract of version 1, which is given as the bytes of its file. They are archived
   * as they are before the run begins. The same bytes again give the same answer and change nothing.
   *
   * @throws HoldfastError `contract/version-unsupported`, `contract/invalid` … for what can't become a
   * run, `contract/attempt-taken`, `contract/archive-conflict`; nothing is kept then
   * @see docs/contract-import.md
   */
  importContract(
    bytes: Uint8Array,
    asking: Pick<Asking, "session"> = { session: DEFAULT_SESSION },
  ): Promise<ImportedContract> {
    return importContract({ dispatcher: this.#dispatcher, ports: this.#ports }, bytes, asking);
  }

  /** Evaluates the final gate on the tree as it is. Records nothing. */
  async gate(run?: string, asking: Asking = { session: DEFAULT_SESSION }): Promise<GateReport> {
    const sight = await this.#dispatcher.look(asking.session, run);
    // Evidence on a damaged journal proves nothing, so the gate does not even look at it.
    this.journal.assertSound();
    this.journal.assertWritable();
    const of = openRun(sight, run);
    const input = gateInput(sight, of);
    const gate = input === null ? gateWithoutGraph(sight.tree) : evaluateGate(input);
    return { ...gate, run: of.task.contract.run, head: sight.head };
  }

  /** Evaluates the gate and records the answer. */
  async recordGate(
    run?: string,
    asking: Asking = { session: DEFAULT_SESSION },
  ): Promise<GateReport> {
    const answer = await this.#accepted(
      { type: "recordGate", ...(run === undefined ? {} : { run }) },
      asking,
    );
    const recorded = answer.events[0];
    return { ...gateIn(recorded), run: recorded?.header.run ?? "", head: answer.head };
  }

  /**
   * Ends a run: as `completed` only through a passing gate, else with a reason.
   *
   * @throws HoldfastError `gate/refused`, after the refusing gate has been recorded
   */
  async conclude(
    conclusion: Conclusion,
    asking: Asking = { session: DEFAULT_SESSION },
  ): Promise<ConcludedTask> {
    const answer = await this.#accepted({ type: "concludeTask", ...conclusion }, asking);
    const gate = answer.events[0];
    const run = gate?.header.run ?? "";
    const sight = await this.#dispatcher.look(asking.session, run);
    const of = runIn(sight.state, run);
    const input = gateInput(sight, of);
    const criteria = input === null ? [] : assess(input).criteria;
    const receipt = completionReceipt(of, gateIn(gate), criteria, answer.head);
    return { run, outcome: conclusion.outcome, receipt, head: answer.head };
  }

  /** What a session may do with the task it finds. Changes nothing. */
  async resume(asking: Asking = { session: DEFAULT_SESSION }): Promise<ResumeDecision> {
    this.journal.assertWritable();
    return decideResume(await this.#dispatcher.lookClosely(asking.session));
  }

  /** One screen of where the project stands. */
  async status(asking: Asking = { session: DEFAULT_SESSION }): Promise<ProjectStatus> {
    return projectStatus(await this.#dispatcher.look(asking.session));
  }

  /**
   * The files to look at first for the task that a session goes on with: those that its criteria point
   * to, then those that were changed or named as evidence. Advice only.
   */
  async filesInFocus(
    limit?: number,
    asking: Asking = { session: DEFAULT_SESSION },
  ): Promise<readonly string[]> {
    return filesInFocus(await this.#dispatcher.look(asking.session, undefined, true), limit);
  }

  /**
   * What a session is best shown first: guidance for each criterion, and as much of the files in focus as
   * fits. Without protected paths, links, binary files and files that carry a secret.
   *
   * @param tokens from 100 to 4,000, by default 900
   * @param files from 1 to 12, by default 6
   */
  async context(
    {
      tokens = CONTEXT_TOKENS.default,
      files = CONTEXT_FILES.default,
    }: { readonly tokens?: number; readonly files?: number } = {},
    asking: Asking = { session: DEFAULT_SESSION },
  ): Promise<ContextPack> {
    const sight = await this.#dispatcher.look(asking.session, undefined, true);
    const graph = runToShow(sight.state, sight.session, undefined)?.graph ?? null;
    if (graph === null) throw HoldfastError.of(NO_OPEN_TASK);
    const texts: { path: string; text: string }[] = [];
    for (const path of filesInFocus(sight, Number.POSITIVE_INFINITY)) {
      if (texts.length >= Math.min(Math.max(files, 1), CONTEXT_FILES.max)) break;
      const text = await this.#dispatcher.readText(path, CONTEXT_FILE_BYTES_MAX);
      if (text !== null) texts.push({ path, text });
    }
    const budget = Math.min(Math.max(tokens, CONTEXT_TOKENS.min), CONTEXT_TOKENS.max);
    return { guidance: [...guidanceLines(graph)], files: packed(texts, budget) };
  }

  /** All runs, in the order in which they began. */
  async tasks(asking: Asking = { session: DEFAULT_SESSION }): Promise<readonly TaskSummary[]> {
    const session = this.#dispatcher.sessionHash(asking.session);
    return runsOf(await this.#dispatcher.state()).map((run) => taskSummary(run, session));
  }

  /** One run: the named one, else the open one, else the last. */
  async task(run?: string, asking: Asking = { session: DEFAULT_SESSION }): Promise<RunState> {
    const state = await this.#dispatcher.state();
    const found = namedRun(state, { session: this.#dispatcher.sessionHash(asking.session) }, run);
    if (!("refused" in found)) return found;
    const last = run === undefined ? runsOf(state).at(-1) : undefined;
    if (last !== undefined) return last;
    // It may stand behind the damage.
    this.journal.assertSound();
    throw HoldfastError.of(found.refused);
  }

  /** The folded state of everything in the journal, frozen: it is the one that is decided on. */
  async state(): Promise<ProjectState> {
    return frozen(await this.#dispatcher.state());
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  async #accepted(command: Command, asking: Asking): Promise<Answer> {
    const answer = await this.#dispatcher.dispatch(command, asking);
    if (answer.refusal !== null) throw HoldfastError.of(answer.refusal);
    return answer;
  }
}

/** Null where the run's criterion graph was shed. */
function gateInput({ state, tree, hashing }: Sight, { task, graph }: RunState): GateInput | null {
  return graph === null ? null : { task, graph, evidence: state.evidence, tree, hashing };
}

function openRun({ state, session }: Sight, id: string | undefined): RunState {
  const found = namedRun(state, { session }, id);
  if ("refused" in found) throw HoldfastError.of(found.refused);
  const refusal = notAtWork(found);
  if (refusal !== null) throw HoldfastError.of(refusal);
  return found;
}

function runIn(state: ProjectState, run: string): RunState {
  const found = runWithId(state, run);
  if (found === null) throw new Error(`Run ${run} is not in the state.`);
  return found;
}

/** The gate that a command recorded as its first event. */
function gateIn(event: StoredEvent | undefined): GateEvaluated {
  return decidedBody(event?.body ?? {}) as unknown as GateEvaluated;
}
