import {
  type Append,
  type EventRow,
  exportLine,
  Journal,
  type JournalPorts,
  type JournalStore,
  MemoryStore,
  type NewEvent,
  portableSha256,
  type StoredEvent,
} from "../../src/journal/index.ts";

/** 2026-01-02T03:04:05.678Z; each look at the clock is one millisecond later. */
const NOON = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

/** A UUID of version 7 with a number in it. */
export const uuidOf = (number: number, kind = 0): string =>
  `0194${kind.toString(16).padStart(4, "0")}-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;

/** The same ids, times and secrets each time. `kind` tells the ids of two writers apart. */
export function fixedPorts(kind = 0): Required<JournalPorts> {
  let ids = 0;
  let ticks = 0;
  let secrets = 0;
  return {
    clock: { now: () => NOON + ticks++ },
    ids: {
      uuid: () => uuidOf(++ids, kind),
      secret: () => portableSha256(`secret ${kind} ${++secrets}`),
    },
    sha256: portableSha256,
  };
}

export const RUN = uuidOf(1, 0xf00);

/** An event with this body; all else can be said and need not be. */
export function anEvent(body: NewEvent["body"] = {}, rest: Partial<NewEvent> = {}): NewEvent {
  return { run: "-", type: "x.noted", session: null, cause: null, key: null, ...rest, body };
}

export const hashOf = portableSha256;

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

export async function memoryJournal(...events: readonly NewEvent[]): Promise<Journal> {
  const ports = fixedPorts();
  const journal = await openJournal(new MemoryStore(ports.ids), ports);
  for (const event of events) await appendTo(journal, event);
  return journal;
}

export async function rowsOf(journal: Journal): Promise<readonly EventRow[]> {
  const rows: EventRow[] = [];
  for await (const row of journal.rows()) rows.push(row);
  return rows;
}

/** The journal's export, each line with its newline. */
export async function exportOf(journal: Journal): Promise<string> {
  return (await rowsOf(journal)).map((row) => `${exportLine(row)}\n`).join("");
}
