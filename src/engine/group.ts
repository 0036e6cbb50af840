import { HoldfastError, type Refusal } from "../errors.ts";
import {
  type Append,
  bodyText,
  type Header,
  type Journal,
  type JsonObject,
  type NewEvent,
  type StoredEvent,
} from "../journal/index.ts";
import type { Redactor } from "../redaction/index.ts";
import {
  COMMAND_DIGEST,
  type Command,
  type DecidedEvent,
  decide,
  evolve,
  type Facts,
  isFoldable,
  type ProjectState,
} from "../task/index.ts";

/** A command with what was observed for it. */
export interface Pending {
  readonly command: Command;
  readonly facts: Facts;
  /** The caller's idempotency key; null where the engine made one. */
  readonly key: string | null;
  /** SHA-256 of the idempotency key. */
  readonly keyHash: string;
  /** SHA-256 of what the caller said; null when the key is the engine's own and can't come twice. */
  readonly commandDigest: string | null;
}

/** The same, where its key may be left out. */
type Keyed = Omit<Pending, "keyHash"> & { readonly keyHash: string | null };

/** What became of one command. */
export type Settled =
  | {
      readonly refusal: Refusal | null;
      readonly events: readonly StoredEvent[];
      /** True when the key was used before and these are the events of then. */
      readonly replayed: boolean;
    }
  | { readonly failure: unknown };

/**
 * Decides commands in order, each on the state that the one before left, and stores what they cause
 * in one commit. A command that is refused or fails leaves the others as they are.
 */
export async function commitGroup(
  journal: Journal,
  redactor: Redactor,
  before: ProjectState,
  group: readonly Pending[],
): Promise<{ readonly state: ProjectState; readonly settled: readonly Settled[] }> {
  let state = before;
  let settled: Settled[] = [];
  const keys = group.map(({ keyHash }) => keyHash);
  await journal.append(keys, (append) => {
    state = before;
    settled = [];
    for (const event of append.tail) state = evolve(state, event);
    const inThisGroup = new Map<string, readonly StoredEvent[]>();
    for (const pending of group) {
      const earlier = inThisGroup.get(pending.keyHash) ?? append.commandOf(pending.keyHash);
      try {
        const outcome = settle(pending, earlier, state, append, redactor);
        if (!outcome.replayed && outcome.events.length > 0) {
          inThisGroup.set(pending.keyHash, outcome.events);
          for (const event of outcome.events) state = evolve(state, event);
        }
        if (outcome.events.some(mustOutlastPowerCut)) append.makeLasting();
        settled.push(outcome);
      } catch (failure) {
        settled.push({ failure });
      }
    }
  });
  return { state, settled };
}

/**
 * Decisions survive a power cut even where a store is set to be faster: only what was merely seen
 * may be seen again.
 */
function mustOutlastPowerCut({ header: { type } }: StoredEvent): boolean {
  return !(type === "tool.requested" || type === "command.observed" || type.startsWith("x."));
}

function settle(
  pending: Pending,
  earlier: readonly StoredEvent[] | undefined,
  state: ProjectState,
  append: Append,
  redactor: Redactor,
): Exclude<Settled, { failure: unknown }> {
  if (earlier !== undefined) {
    assertSameCommand(pending, earlier, redactor);
    return { refusal: refusalOf(pending.command, earlier), events: earlier, replayed: true };
  }
  assertUnderstood(state);
  const { events, refusal } = decide(state, pending.command, pending.facts);
  // A call that was refused is decided anew when it is asked for again: its phase may have gone on.
  const isKeyless = refusal !== null && pending.command.type === "requestTool";
  const keyed = isKeyless ? { ...pending, keyHash: null, commandDigest: null } : pending;
  const stored = append.add(events.map((event, index) => newEvent(event, index, keyed, redactor)));
  return { refusal, events: stored, replayed: false };
}

/** @throws HoldfastError `journal/unknown-event` where writing on top of the journal would be guessing */
export function assertUnderstood({ notUnderstood }: ProjectState): void {
  if (notUnderstood === null) return;
  throw new HoldfastError(
    "journal/unknown-event",
    `Event ${notUnderstood.seq} (${notUnderstood.type}) was written by a version that knows more than this one.`,
    "Upgrade Holdfast; until then the journal can be read, verified and exported.",
  );
}

/** Nothing is stored before it passed the redactor, and nothing that could not be folded again. */
function newEvent(
  event: DecidedEvent,
  index: number,
  { facts, keyHash, commandDigest, command }: Keyed,
  redactor: Redactor,
): NewEvent {
  const isTold = index === 0 && commandDigest !== null && command.type !== "appendExtension";
  const body = redactor.value(event.body).value as NewEvent["body"];
  if (!isFoldable(event.type, body)) {
    if (isFoldable(event.type, event.body)) throw tooLongWithoutSecrets();
    throw new Error(`${event.type} was decided in a shape that could not be read back.`);
  }
  return {
    run: event.run,
    type: event.type,
    session: facts.session,
    cause: event.cause ?? null,
    key: index === 0 ? keyHash : null,
    body: isTold ? { ...body, [COMMAND_DIGEST]: commandDigest } : body,
  };
}

/** What stands for a secret may be longer than it was. */
function tooLongWithoutSecrets(): HoldfastError {
  return new HoldfastError(
    "input/invalid",
    "A text carries secrets, and is longer than it may be once they are taken out.",
    "Leave the secrets out: they would not be stored.",
  );
}

/** @throws HoldfastError `journal/key-reused` when the key stood for something else before */
function assertSameCommand(
  { command, commandDigest, facts, key }: Pending,
  earlier: readonly StoredEvent[],
  redactor: Redactor,
): void {
  const first = earlier[0];
  const same =
    command.type === "appendExtension"
      ? contentOf(earlier.map(({ header }) => header)) ===
        contentOf(
          command.events.map(({ type, body }) => ({
            type,
            bodyDigest: facts.sha256(bodyText(redactor.value(body).value as JsonObject)),
          })),
        )
      : first?.body?.[COMMAND_DIGEST] === commandDigest;
  if (same) return;
  throw keyReused(key, first?.header);
}

/** The error of a command whose key stood for something else before, at this event. */
export function keyReused(
  key: string | null | undefined,
  first: Pick<Header, "seq" | "type"> | undefined,
): HoldfastError {
  return new HoldfastError(
    "journal/key-reused",
    `The idempotency key ${JSON.stringify(key)} was used before, at event ${first?.seq} (${first?.type}), for something else.`,
    "Use a new key for a new command; repeat a command with its key only as it was.",
  );
}

/** What events say, as far as it can still be told once their bodies were shed. */
function contentOf(events: readonly Pick<Header, "type" | "bodyDigest">[]): string {
  return events.map(({ type, bodyDigest }) => `${type} ${bodyDigest}`).join("\n");
}

/** A conclusion that was refused the first time left only its gate; it is refused again. */
function refusalOf(command: Command, events: readonly StoredEvent[]): Refusal | null {
  if (command.type !== "concludeTask") return null;
  if (events.some(({ header }) => header.type === "task.concluded")) return null;
  return {
    code: "gate/refused",
    message: `The task was not done when this was asked first (event ${events[0]?.header.seq}).`,
    remedy: "Look at the gate (holdfast gate), and ask again with a new key.",
  };
}
