import { HoldfastError, type Refusal } from "../errors.ts";
import type { ObservedTree } from "../evidence/index.ts";
import {
  COMPACTION_CEILING,
  type Head,
  headOf,
  Journal,
  portableSha256,
  type StoredEvent,
  storedEvent,
} from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import { REDACTOR_VERSION } from "../redaction/index.ts";
import {
  type Command,
  decide,
  type Facts,
  openRunOf,
  type ProjectState,
  type RunState,
  runToRetry,
  runWithId,
} from "../task/index.ts";
import type { Answer, Asking } from "./answer.ts";
import { Fold } from "./fold.ts";
import { assertUnderstood, type Pending, type Settled } from "./group.ts";
import { assertInput, contentText } from "./input.ts";
import { JournalAccess } from "./journal-access.ts";
import { GROUP_MAX, TREE_READINGS_MAX } from "./limits.ts";
import type { EnginePorts } from "./ports.ts";
import { runToShow, type Sight } from "./sight.ts";
import { isObservation, needsTree, observeTree } from "./tree.ts";
import { purge, type Upkeep } from "./upkeep.ts";

interface Waiting {
  readonly pending: Pending;
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The imperative shell around the pure core: reads the world through its ports, decides in one
 * write transaction on a state that includes what other processes appended, and answers once the
 * events are durable.
 */
export class Dispatcher {
  readonly journal: JournalAccess;
  readonly #ports: EnginePorts;
  readonly #sha256: Sha256;
  readonly #journal: Journal;
  readonly #fold: Fold;
  /** The session that asked last: it is mostly the same one. */
  #session: { readonly id: string; readonly hash: string } | null = null;
  /** Everything that touches the journal runs one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #waiting: Waiting[] = [];
  #closed = false;
  /** Commands that were asked for and are not answered yet. */
  readonly #inFlight = new Set<Promise<Answer>>();

  private constructor(ports: EnginePorts, journal: Journal, fold: Fold, sha256: Sha256) {
    this.#ports = ports;
    this.#sha256 = sha256;
    this.#journal = journal;
    this.#fold = fold;
    this.journal = new JournalAccess({
      journal,
      sha256: this.#sha256,
      compactionCeiling: ports.compactionCeiling ?? COMPACTION_CEILING,
      dispatch: (command, asking) => this.dispatch(command, asking),
      takeOver: (imported) => this.#exclusive(() => journal.importRows(imported)),
      upkeep: (work) => this.#exclusive(() => this.#upkeep(work)),
    });
  }

  static async open(ports: EnginePorts): Promise<Dispatcher> {
    const sha256 = ports.sha256 ?? portableSha256;
    const journal = await Journal.open(ports.store, ports);
    const fold = await Fold.open(journal, sha256);
    // A purge that was cut off; a damaged file is left as it is.
    if (journal.damage === null) await purge(journal);
    return new Dispatcher(ports, journal, fold, sha256);
  }

  /**
   * Carries a command out. Commands of one turn of the event loop are decided in order and
   * committed together.
   *
   * @throws HoldfastError `input/invalid` or `contract/invalid` for a command of the wrong shape,
   * `journal/busy`, `journal/corrupt`, `journal/key-reused`, `tree/unstable` … A refusal is no
   * error: it stands in the answer.
   */
  dispatch(command: Command, asking: Asking): Promise<Answer> {
    const carried = this.#carryOut(command, asking);
    this.#inFlight.add(carried);
    const landed = () => this.#inFlight.delete(carried);
    carried.then(landed, landed);
    return carried;
  }

  async #carryOut(command: Command, asking: Asking): Promise<Answer> {
    this.#assertOpen();
    await assertInput(command, asking);
    for (let reading = 1; ; reading++) {
      let pending = await this.#pend(command, asking);
      // An observation is a fact and never refused: of a tree that does not hold still it says nothing.
      if (reading > TREE_READINGS_MAX) pending = withUnknownTree(pending);
      const settled = await this.#enqueue(pending);
      if ("failure" in settled) throw settled.failure;
      if (settled.refusal?.code === "tree/moved") {
        if (reading < TREE_READINGS_MAX || isObservation(command)) continue;
        throw new HoldfastError(
          "tree/unstable",
          `The working tree changed during each of ${TREE_READINGS_MAX} readings.`,
          "Repeat the call once nothing writes to the working tree.",
        );
      }
      const last = settled.events.at(-1);
      const head = last === undefined ? this.#journal.head : headOf(last);
      return { ...settled, head, conflict: await this.#eventAt(settled.refusal?.seq) };
    }
  }

  /**
   * Whether a command would be refused as things are, and why. Stores nothing, and knows nothing of
   * keys.
   */
  async refusalOf(command: Command, asking: Asking): Promise<Refusal | null> {
    this.#assertOpen();
    await assertInput(command, asking);
    const { facts } = await this.#pend(command, asking);
    const { state } = await this.#current();
    assertUnderstood(state);
    return decide(state, command, facts).refusal;
  }

  /** The state after everything that is stored, by whichever process. */
  async state(): Promise<ProjectState> {
    this.#assertOpen();
    return (await this.#current()).state;
  }

  /**
   * Everything a view is made from, with the tree read against the run that the session works on.
   *
   * @param paths whether all paths of the tree are to be known
   */
  async look(session: string, run?: string, paths = false): Promise<Sight> {
    this.#assertOpen();
    const { state, head } = await this.#current();
    const sessionHash = this.sessionHash(session);
    const shown = runToShow(state, sessionHash, run);
    const { workspace } = this.#ports;
    const tree = await observeTree(workspace, head.seq, shown, state.evidence, { paths });
    return {
      state,
      tree,
      session: sessionHash,
      hashing: await this.#fold.hashing(),
      sha256: this.#sha256,
      damage: this.#journal.damage,
      head,
      checkedFrom: this.#journal.checkedFrom,
      removed: this.#journal.start.seq,
    };
  }

  /**
   * As `look`, on events that were checked from the run's beginning on and wherever its evidence
   * points: a snapshot is enough to show something, and not to go on from or to call it proved.
   */
  async lookClosely(session: string, run?: string): Promise<Sight> {
    this.#assertOpen();
    const { state } = await this.#current();
    const shown = runToShow(state, this.sessionHash(session), run);
    if (shown !== null) await this.#checkRun(state, shown);
    return this.look(session, run);
  }

  /** The text of a file of the project, or null where it is none, too large, or carries a secret. */
  async readText(file: string, bytesMax: number): Promise<string | null> {
    this.#assertOpen();
    const { workspace, redactor } = this.#ports;
    const text = await workspace.readText(file, bytesMax);
    return text === null || redactor.text(text).redacted ? null : text;
  }

  sessionHash(session: string): string {
    if (session !== this.#session?.id) this.#session = { id: session, hash: this.#sha256(session) };
    return this.#session.hash;
  }

  /** Resolves once what was asked before has been carried out. Nothing can be asked afterwards. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#inFlight);
    await this.#exclusive(async () => {
      await this.#fold.snapshot();
      await this.#journal.close();
    });
  }

  async #pend(command: Command, { session, key }: Asking): Promise<Pending> {
    const sessionHash = this.sessionHash(session);
    const facts: Facts = {
      session: sessionHash,
      newRun: this.#ports.ids.uuid(),
      tree: needsTree(command) ? await this.#observe(command, sessionHash) : null,
      hashing: await this.#fold.hashing(),
      redactorVersion: REDACTOR_VERSION,
      redact: (text) => this.#ports.redactor.text(text),
      switches: this.#ports.switches,
      switched: this.#ports.switched ?? {},
      sha256: this.#sha256,
    };
    return {
      command,
      facts,
      key: key ?? null,
      keyHash: this.#sha256(key ?? this.#ports.ids.uuid()),
      commandDigest:
        key === undefined
          ? null
          : this.#sha256(contentText(this.#ports.redactor.value(command).value)),
    };
  }

  async #observe(command: Command, session: string): Promise<ObservedTree> {
    // Seen against its own run, a tree is the same whatever others did: the lock tells the rest.
    const isKnown = isObservation(command) && openRunOf(this.#fold.state, session) !== null;
    const { state, head } = isKnown ? this.#fold : await this.#current();
    const named =
      "run" in command && command.run !== undefined ? runWithId(state, command.run) : null;
    const begins = ["startTask", "importContract", "retryTask"].includes(command.type);
    const run: RunState | null = begins ? null : (named ?? openRunOf(state, session));
    if (run !== null && (command.type === "recordGate" || command.type === "concludeTask")) {
      await this.#checkRun(state, run);
    }
    if (command.type === "retryTask") {
      const earlier = runToRetry(state, { session }, command.run);
      if (!("refused" in earlier)) await this.#checkRun(state, earlier);
    }
    return observeTree(
      this.#ports.workspace,
      head.seq,
      run,
      state.evidence,
      command.type === "bindEvidence"
        ? { file: command.reference.replace(/^path:/, "") }
        : {
            paths:
              command.type === "startTask" ||
              command.type === "importContract" ||
              command.type === "narrowScope",
          },
    );
  }

  async #eventAt(seq: number | undefined): Promise<StoredEvent | null> {
    const row = seq === undefined ? null : await this.#journal.rowAt(seq);
    return row === null ? null : storedEvent(row);
  }

  #enqueue(pending: Pending): Promise<Settled> {
    const { promise, resolve, reject } = Promise.withResolvers<Settled>();
    this.#waiting.push({ pending, resolve, reject });
    if (this.#waiting.length === 1) void this.#exclusive(() => this.#flush());
    return promise;
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, GROUP_MAX);
      try {
        const pending = group.map((waiting) => waiting.pending);
        const settled = await this.#fold.commit(pending, this.#ports.redactor);
        for (const [index, waiting] of group.entries()) waiting.resolve(settled[index] as Settled);
        await this.#fold.snapshot();
      } catch (error) {
        for (const waiting of group) waiting.reject(error);
      }
    }
  }

  /** The state and where the journal stood then. */
  #current(): Promise<{ readonly state: ProjectState; readonly head: Head }> {
    return this.#exclusive(async () => {
      await this.#fold.catchUp();
      return { state: this.#fold.state, head: this.#fold.head };
    });
  }

  /** Checks what a run and its evidence rest on, as far as a snapshot stood for it so far. */
  async #checkRun(state: ProjectState, { task }: RunState): Promise<void> {
    const cited = (state.evidence.bindings[task.contract.run] ?? []).map(({ reference }) =>
      reference.type === "observation" ? reference.seq : task.startedSeq,
    );
    const from = Math.min(task.startedSeq, ...cited);
    await this.#exclusive(() => this.#journal.checkFrom(from));
  }

  /** Has upkeep done on a state that is up to date, and folds anew what it left. */
  async #upkeep<T>(work: (upkeep: Upkeep) => Promise<T>): Promise<T> {
    this.#assertOpen();
    await this.#fold.catchUp();
    const { ids, redactor } = this.#ports;
    const done = await work({
      journal: this.#journal,
      sha256: this.#sha256,
      uuid: () => ids.uuid(),
      redact: (text) => redactor.text(text).text,
      fold: this.#fold,
    });
    await this.#fold.catchUp();
    return done;
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {}); // The caller gets the error; the next one starts afresh.
    return result;
  }

  #assertOpen(): void {
    if (!this.#closed) return;
    throw new HoldfastError("journal/closed", "The engine is closed.", "Open it again.");
  }
}

/** The same with a tree of which only the place is known. */
function withUnknownTree({ facts, ...pending }: Pending): Pending {
  const { tree } = facts;
  if (tree === null) return { ...pending, facts };
  const unknown = { ...tree, digest: null, sinceSeq: Number.MAX_SAFE_INTEGER };
  return { ...pending, facts: { ...facts, tree: unknown } };
}
