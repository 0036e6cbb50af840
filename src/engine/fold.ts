import { HoldfastError } from "../errors.ts";
import type { CommandHashing } from "../evidence/index.ts";
import type { Head, Journal, StoredEvent } from "../journal/index.ts";
import type { Sha256 } from "../ports.ts";
import type { Redactor } from "../redaction/index.ts";
import { evolve, FOLD_VERSION, initialState, type ProjectState } from "../task/index.ts";
import { commitGroup, type Pending, type Settled } from "./group.ts";
import { commandHashing } from "./hashing.ts";
import { SNAPSHOT_EVERY } from "./limits.ts";
import { decidedUpToDate } from "./out-of-date.ts";

/** The folded state of a journal, kept up with what anybody appends, and cached now and then. */
export class Fold {
  readonly #journal: Journal;
  readonly #sha256: Sha256;
  #state: ProjectState = initialState;
  #hashing: CommandHashing | null = null;
  /** The event that the newest snapshot stands at. */
  #snapshotSeq = 0;

  private constructor(journal: Journal, sha256: Sha256) {
    this.#journal = journal;
    this.#sha256 = sha256;
  }

  /** Goes on from the cached state where there is one to trust, and reads the rest. */
  static async open(journal: Journal, sha256: Sha256): Promise<Fold> {
    const fold = new Fold(journal, sha256);
    const cached = await journal.restore(FOLD_VERSION);
    if (cached !== null) fold.#state = cached as ProjectState;
    fold.#snapshotSeq = journal.head.seq;
    await fold.catchUp();
    return fold;
  }

  get state(): ProjectState {
    return this.#state;
  }

  /** The point up to which everything is folded. */
  get head(): Head {
    return this.#journal.head;
  }

  /** Hashes commands under the key of the journal that is folded. */
  async hashing(): Promise<CommandHashing> {
    this.#hashing ??= commandHashing(await this.#journal.commandKey(), this.#sha256);
    return this.#hashing;
  }

  async catchUp(): Promise<void> {
    await this.#journal.catchUp(
      (event) => {
        this.#state = evolve(this.#state, event);
      },
      () => {
        this.#state = initialState;
        this.#snapshotSeq = 0;
        this.#hashing = null; // It may be another journal, with another key.
      },
    );
  }

  /** Decides a group of commands and stores what they cause, in one commit. */
  async commit(group: readonly Pending[], redactor: Redactor): Promise<readonly Settled[]> {
    const { state, settled } = await decidedUpToDate(
      () => commitGroup(this.#journal, redactor, this.#state, group),
      () => this.catchUp(),
    );
    this.#state = state;
    return settled;
  }

  /** Folds events that the journal read under the lock, and would not give again. */
  follow(events: readonly StoredEvent[]): void {
    this.#state = events.reduce(evolve, this.#state);
  }

  /** Caches the state where reading it again would take long. Without the cache nothing is lost. */
  async snapshot(): Promise<void> {
    const { head, damage } = this.#journal;
    if (damage !== null || head.seq - this.#snapshotSeq < SNAPSHOT_EVERY) return;
    try {
      await this.#journal.snapshot(FOLD_VERSION, this.#state);
      this.#snapshotSeq = head.seq;
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      // Busy, full or read-only: the next one will do.
    }
  }
}
