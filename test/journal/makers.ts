import { appendTo, fixedPorts, openJournal, textOf } from "../../src/conformance/setting.ts";
import {
  type EventRow,
  type Journal,
  MemoryStore,
  type NewEvent,
} from "../../src/journal/index.ts";

// What the suite for stores makes its journals of serves every other test of a journal, too.
export {
  anEvent,
  appendTo,
  fixedPorts,
  hashOf,
  openJournal,
  RUN,
  uuidOf,
} from "../../src/conformance/setting.ts";

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
  return textOf(await rowsOf(journal));
}
