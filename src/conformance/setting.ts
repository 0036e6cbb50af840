import {
  type Append,
  EMPTY_HEAD,
  type EventRow,
  exportLine,
  type Head,
  headOf,
  Journal,
  type JournalPorts,
  type JournalStore,
  MemoryStore,
  type NewEvent,
  portableSha256,
  type StoredEvent,
} from "../journal/index.ts";

/**
 * Two handles on one store, as two processes would have them. It is new: empty, or with nothing but
 * the journal's opening. Both may be the same object where a store has one handle only.
 */
export interface TwoHandles {
  readonly one: JournalStore;
  readonly other: JournalStore;
}

/** Begins a new store each time. The test closes both handles. */
export type OpenTwoHandles = () => Promise<TwoHandles>;

/** One promise of the store port. */
export interface StoreTest {
  /** A sentence that says what is promised. */
  readonly name: string;
  /** Resolves where the promise holds and throws where it does not. */
  readonly run: (open: OpenTwoHandles) => Promise<void>;
}

export interface Setting extends TwoHandles {
  /** Over the first handle, caught up. */
  readonly journal: Journal;
}

/** A test that gets a journal over a new store, whose handles are closed after it. */
export function storeTest(name: string, test: (setting: Setting) => Promise<void>): StoreTest {
  return {
    name,
    run: async (open) => {
      const handles = await open();
      try {
        await test({ ...handles, journal: await openJournal(handles.one) });
      } finally {
        await handles.one.close();
        await handles.other.close();
      }
    },
  };
}

/** Appends events numbered from 2 on, each with its number as body, and gives all rows. */
export async function fill(
  { one, journal }: Setting,
  last: number,
): Promise<readonly [EventRow, ...EventRow[]]> {
  for (let seq = 2; seq <= last; seq++) await appendTo(journal, anEvent({ seq }));
  return (await one.read(0, 100)) as readonly EventRow[] as readonly [EventRow, ...EventRow[]];
}

/** Where a journal stands that ends with this row, or has none. */
export const headAfter = (row: EventRow | undefined): Head =>
  row === undefined ? EMPTY_HEAD : headOf(row);

export const seqsOf = (rows: readonly EventRow[]): readonly number[] =>
  rows.map(({ header }) => header.seq);

export const hashOf = portableSha256;

/** The first instant at which the clock of a test stands; each look is one millisecond later. */
const BEGINNING_MS = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** A UUID of version 7 with a number in it. `kind` tells those of two writers apart. */
export const uuidOf = (number: number, kind = 0): string =>
  `0194${kind.toString(16).padStart(4, "0")}-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;

/** A run that is none of the journal's own. */
export const RUN = uuidOf(1, 0xf00);

/** The same ids, times and secrets each time. `kind` tells the ids of two writers apart. */
export function fixedPorts(kind = 0): Required<JournalPorts> {
  let ids = 0;
  let ticks = 0;
  let secrets = 0;
  return {
    clock: { now: () => BEGINNING_MS + ticks++ },
    ids: {
      uuid: () => uuidOf(++ids, kind),
      secret: () => portableSha256(`secret ${kind} ${++secrets}`),
    },
    sha256: portableSha256,
  };
}

/** An event with this body; all else can be said and need not be. */
export function anEvent(body: NewEvent["body"] = {}, rest: Partial<NewEvent> = {}): NewEvent {
  return { run: "-", type: "x.noted", session: null, cause: null, key: null, ...rest, body };
}

/** Appends one command in one commit. */
export function appendTo(
  journal: Journal,
  ...events: readonly NewEvent[]
): Promise<readonly StoredEvent[]> {
  return journal.append([], (append: Append) => append.add(events));
}

/** A journal over a store, caught up with what is stored. */
export async function openJournal(
  store: JournalStore,
  ports: JournalPorts = fixedPorts(),
): Promise<Journal> {
  const journal = await Journal.open(store, ports);
  await journal.catchUp(() => {});
  return journal;
}

/** The rows and the export of another journal, with ids of its own. */
export async function elsewhere(
  ...events: readonly NewEvent[]
): Promise<{ readonly rows: readonly EventRow[]; readonly text: string }> {
  const ports = fixedPorts(0xe);
  const store = new MemoryStore(ports.ids);
  const journal = await openJournal(store, ports);
  for (const event of events) await appendTo(journal, event);
  const rows = await store.read(0, 1_000);
  return { rows, text: textOf(rows) };
}

/** The rows as an export, each line with its newline. */
export const textOf = (rows: readonly EventRow[]): string =>
  rows.map((row) => `${exportLine(row)}\n`).join("");

/** Takes bodies out, with the event that accounts for that. */
export async function shed(
  journal: Journal,
  rows: readonly (EventRow | undefined)[],
  replacement: NewEvent["body"] | null,
): Promise<void> {
  const items = rows.flatMap((row) =>
    row === undefined
      ? []
      : [{ seq: row.header.seq, bodyDigest: row.header.bodyDigest, replacement }],
  );
  const text = replacement === null ? null : JSON.stringify(replacement);
  await journal.append([], (append) => {
    append.add([anEvent({ reason: "a secret", items }, { type: "journal.shed" })]);
    append.takeOut({ shed: items.map(({ seq }) => ({ seq, text })) });
  });
  await journal.catchUp(() => {}); // Its own past has changed.
}

/** Takes the beginning out, up to an event, with the event that accounts for that. */
export async function removeThrough(journal: Journal, row: EventRow | undefined): Promise<void> {
  const { seq, hash } = headAfter(row);
  await journal.append([], (append) => {
    const { head: headBefore } = journal;
    const body = { through: { seq, hash }, headBefore: { ...headBefore } };
    append.add([anEvent(body, { type: "journal.compacted" })]);
    append.takeOut({ removeThrough: seq });
  });
  await journal.catchUp(() => {}); // Its own past has changed.
}
