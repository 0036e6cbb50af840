import type { TaskDraft } from "../../src/contract/index.ts";
import {
  type CommandEnd,
  evaluateGate,
  type GateEvaluated,
  type ObservedTree,
  type VerifierStanding,
  verifierStandings,
} from "../../src/evidence/index.ts";
import { decideResume, type ResumeDecision, type ResumeInput } from "../../src/handoff/index.ts";
import { bodyText, type JsonObject, type StoredEvent } from "../../src/journal/index.ts";
import {
  type BindEvidence,
  type Command,
  type ConcludeTask,
  type Decision,
  decide,
  evolve,
  type Facts,
  initialState,
  isCommand,
  type JudgeCriterion,
  type MoveStep,
  openRunOf,
  type ProjectState,
  type RequestTool,
  type RunState,
} from "../../src/task/index.ts";
import {
  ADA,
  aHeader,
  anId,
  aTree,
  facts,
  HASHING,
  NO_OUTPUT,
  PASSED,
  REDACTOR,
  sha256,
  VERIFIER,
} from "./makers.ts";

type Files = ReadonlyMap<string, string>;

/** Who does something and where; Ada at the top of the main working tree if nothing is said. */
interface Circumstances {
  readonly session?: string;
  readonly place?: string;
  readonly facts?: Partial<Facts>;
}

interface Call extends Circumstances {
  /** The host's id of the call; a new one if nothing is said. */
  readonly call?: string;
  readonly effect?: RequestTool["effect"];
  readonly cwd?: string;
}

interface Ending extends Call {
  readonly treeBefore?: string | null;
}

/**
 * A project without a disk: files, commits and working trees are maps, and its journal is what
 * `decide` decided, redacted, written and read back as the engine does it, and folded by `evolve`.
 */
export class Project {
  state: ProjectState = initialState;
  readonly events: StoredEvent[] = [];
  readonly #commits = new Map<string, Files>();
  readonly #places = new Map<string, Map<string, string>>();
  readonly #runSeqs = new Map<string, number>();
  #head = "";
  #calls = 0;
  /** Why the working tree can't be read, if it can't. */
  unavailable: readonly string[] = [];
  operation: string | null = null;
  folder = "";

  constructor(
    files: Readonly<Record<string, string>> = { "src/cart.js": "v1", "README.md": "read me" },
  ) {
    this.#places.set("main", new Map(Object.entries(files)));
    this.commit();
  }

  write(path: string, content: string, place = "main"): void {
    this.#filesAt(place).set(path, content);
  }

  remove(path: string): void {
    this.#filesAt("main").delete(path);
  }

  /** Commits the main working tree as it is. */
  commit(): void {
    this.#head = sha256(`commit ${this.#commits.size}`).slice(0, 40);
    this.#commits.set(this.#head, new Map(this.#filesAt("main")));
  }

  /** Adds a linked working tree with the content of the main one. */
  link(place: string): void {
    this.#places.set(place, new Map(this.#filesAt("main")));
  }

  /** The working tree as the engine reads it: against the beginning of the session's run. */
  tree({ session = ADA, place = "main" }: Circumstances = {}): ObservedTree {
    const files = this.#filesAt(place);
    const base = openRunOf(this.state, session)?.task.contract.baseline.commit ?? this.#head;
    const committed = this.#commits.get(base) ?? new Map<string, string>();
    const paths = new Set([...committed.keys(), ...files.keys()]);
    const dirty = [...paths]
      .filter((path) => committed.get(path) !== files.get(path))
      .map((path) => [path, entryOf(files.get(path))]);
    const whole = this.unavailable.length === 0;
    return aTree({
      place,
      folder: this.folder,
      digest: whole ? sha256(JSON.stringify([...files].toSorted())) : null,
      unavailable: this.unavailable,
      commit: this.#head,
      branch: "main",
      operation: this.operation,
      base,
      dirty: Object.fromEntries(dirty),
      files: Object.fromEntries(
        [...files].map(([path, content]) => [path, `sha256:${sha256(content)}`]),
      ),
      sinceSeq: this.events.length,
      paths: [...files.keys()],
    });
  }

  /** Decides a command and stores what it causes. */
  dispatch(command: Command, circumstances: Circumstances = {}): Decision {
    if (!isCommand(command)) throw new Error(`No command: ${JSON.stringify(command)}`);
    const { session = ADA } = circumstances;
    const observed = facts({
      session,
      newRun: anId(1_000 + this.events.length),
      tree: this.tree(circumstances),
      ...circumstances.facts,
    });
    const decision = decide(this.state, command, observed);
    const first = this.events.length + 1;
    for (const event of decision.events) this.#store(event, session, first);
    return decision;
  }

  /** Dispatches what has to be accepted. */
  accept(command: Command, circumstances: Circumstances = {}): readonly StoredEvent[] {
    const before = this.events.length;
    const { refusal } = this.dispatch(command, circumstances);
    if (refusal !== null) throw new Error(`${refusal.code}: ${refusal.message}`);
    return this.events.slice(before);
  }

  /** Dispatches what has to be refused, and gives the code. */
  refusal(command: Command, circumstances: Circumstances = {}): string {
    const { refusal } = this.dispatch(command, circumstances);
    if (refusal === null) throw new Error(`${command.type} was not refused.`);
    return refusal.code;
  }

  start(draft: TaskDraft, circumstances: Circumstances = {}): string {
    const [started] = this.accept(startOf(draft), circumstances);
    return started?.header.run ?? "";
  }

  /** A call begins, and its end is not seen. Gives the seq of the request. */
  request(command = VERIFIER, given: Call = {}): number {
    const { call = this.#newCall(), effect = "shell", cwd } = given;
    const [requested] = this.accept(
      {
        type: "requestTool",
        call,
        tool: "bash",
        effect,
        command,
        ...(cwd === undefined ? {} : { cwd }),
      },
      given,
    );
    return requested?.header.seq ?? 0;
  }

  /** A call is seen to end. Gives the seq of the observation. */
  end(command = VERIFIER, end: CommandEnd = PASSED, given: Ending = {}): number {
    const { call = this.#newCall(), cwd, treeBefore = this.tree(given).digest } = given;
    const events = this.accept(
      {
        type: "observeCommand",
        call,
        tool: "bash",
        command,
        treeBefore,
        end,
        output: NO_OUTPUT,
        durationMs: 1,
        ...(cwd === undefined ? {} : { cwd }),
      },
      given,
    );
    return events[0]?.header.seq ?? 0;
  }

  /**
   * A command runs from its request to its end.
   *
   * @param during what it does to the files
   */
  run(command = VERIFIER, end: CommandEnd = PASSED, given: Call = {}, during = () => {}): number {
    const call = given.call ?? this.#newCall();
    const treeBefore = this.tree(given).digest;
    this.request(command, { ...given, call });
    during();
    return this.end(command, end, { ...given, call, treeBefore });
  }

  bind(
    criterion: string,
    kind: BindEvidence["kind"],
    reference: string,
    circumstances: Circumstances = {},
  ): Decision {
    return this.dispatch({ type: "bindEvidence", criterion, kind, reference }, circumstances);
  }

  step(step: string, status: MoveStep["status"], note?: string): Decision {
    const noted = note === undefined ? {} : { note };
    return this.dispatch({ type: "moveStep", step, status, ...noted });
  }

  judge(criterion: string, as: JudgeCriterion["as"], circumstances: Circumstances = {}): Decision {
    const said = { criterion, as, reason: "Looked at it.", by: "terminal" } as const;
    return this.dispatch({ type: "judgeCriterion", ...said }, circumstances);
  }

  conclude(
    outcome: ConcludeTask["outcome"],
    more: Pick<ConcludeTask, "reason" | "failedAt"> = {},
    circumstances: Circumstances = {},
  ): Decision {
    return this.dispatch({ type: "concludeTask", outcome, ...more }, circumstances);
  }

  /** The run that a session works on, else the newest of all. */
  own(session = ADA): RunState {
    const run = openRunOf(this.state, session) ?? Object.values(this.state.runs).at(-1);
    if (run === undefined) throw new Error("No run has begun.");
    return run;
  }

  gate(circumstances: Circumstances = {}): GateEvaluated {
    const { task, graph } = this.own(circumstances.session);
    if (graph === null) throw new Error("The run has no graph.");
    const hashing = circumstances.facts?.hashing ?? HASHING;
    const tree = circumstances.facts?.tree ?? this.tree(circumstances);
    return evaluateGate({ task, graph, evidence: this.state.evidence, tree, hashing });
  }

  /** The codes of what the gate misses. */
  missing(circumstances: Circumstances = {}): readonly string[] {
    return this.gate(circumstances).missing.map(({ code }) => code);
  }

  /** How the first verify command stands. */
  standing(circumstances: Circumstances = {}): VerifierStanding {
    const { task } = this.own(circumstances.session);
    const hashing = circumstances.facts?.hashing ?? HASHING;
    const tree = this.tree(circumstances);
    const [standing] = verifierStandings({ evidence: this.state.evidence, task, tree, hashing });
    if (standing === undefined) throw new Error("The task has no verify command.");
    return standing;
  }

  resumeInput(session = ADA, over: Partial<ResumeInput> = {}): ResumeInput {
    const tree = this.tree({ session });
    return { state: this.state, session, tree, hashing: HASHING, sha256, damage: null, ...over };
  }

  resume(session = ADA, over: Partial<ResumeInput> = {}): ResumeDecision {
    return decideResume(this.resumeInput(session, over));
  }

  /** Stores an event as another version or a damaged writer might have: nothing is decided. */
  plant(type: string, body: JsonObject | null, run = "-"): void {
    this.#append(type, body, run, ADA, null);
  }

  #store(event: Decision["events"][number], session: string, first: number): void {
    const body = REDACTOR.value(event.body).value as unknown as JsonObject;
    const isFirst = this.events.length + 1 === first;
    const cause = event.cause ?? (isFirst ? null : (this.events[first - 1]?.header.id ?? null));
    this.#append(event.type, body, event.run, session, cause);
    const { notUnderstood } = this.state;
    if (notUnderstood !== null) throw new Error(`${event.type} was not understood.`);
  }

  #append(
    type: string,
    body: JsonObject | null,
    run: string,
    session: string,
    cause: string | null,
  ): void {
    const seq = this.events.length + 1;
    const runSeq = (this.#runSeqs.get(run) ?? 0) + 1;
    this.#runSeqs.set(run, runSeq);
    const at = new Date(Date.UTC(2026, 0, 2) + seq * 1_000).toISOString();
    const header = aHeader({ seq, id: anId(seq), run, runSeq, type, at, session, cause });
    const read = body === null ? null : (JSON.parse(bodyText(body)) as JsonObject);
    const event: StoredEvent = { header, hash: sha256(`event ${seq}`), body: read };
    this.events.push(event);
    this.state = evolve(this.state, event);
  }

  #filesAt(place: string): Map<string, string> {
    const files = this.#places.get(place);
    if (files === undefined) throw new Error(`There is no working tree ${place}.`);
    return files;
  }

  #newCall(): string {
    this.#calls += 1;
    return `call-${this.#calls}`;
  }
}

export function startOf(draft: unknown): Command {
  return { type: "startTask", draft, intakeMode: "model" };
}

function entryOf(content: string | undefined): string | null {
  return content === undefined ? null : `100644 blob ${sha256(content).slice(0, 40)}`;
}

/** A project in which a task was started. */
export function started(draft: TaskDraft, files?: Readonly<Record<string, string>>): Project {
  const project = new Project(files);
  project.start(draft);
  return project;
}
