/**
 * A process that comes to a journal, appends an event if it is told to, and says what it finds. Its
 * argument is a `NewcomerJob` as JSON; it says `holds <label>` for each event, or `refused <code>`.
 */
import process from "node:process";
import { HoldfastError } from "../../src/errors.ts";
import { anEvent, appendTo } from "../journal/makers.ts";
import { say } from "./die.ts";
import { journalIn } from "./journals.ts";

export interface NewcomerJob {
  readonly folder: string;
  /** The label of the event that it appends. */
  readonly append: string | null;
}

const { folder, append } = JSON.parse(process.argv[2] ?? "") as NewcomerJob;
try {
  const { journal, close } = await journalIn(folder, { create: "never", lockWaitMs: 1_000 });
  try {
    if (append !== null) await appendTo(journal, anEvent({ label: append }));
    journal.assertSound();
    for await (const { bodyText } of journal.rows()) {
      say(`holds ${(JSON.parse(bodyText ?? "") as { label?: string }).label ?? "the opening"}`);
    }
  } finally {
    await close();
  }
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  say(`refused ${error.code}`);
}
