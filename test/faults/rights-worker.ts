/**
 * A process that opens a journal, appends an event and closes it, with the rights that it has. Its
 * argument is a `RightsJob` as JSON; it says `stored <seq>` or `refused <code> <kind>`.
 */
import process from "node:process";
import { HoldfastError } from "../../src/errors.ts";
import type { SqliteStoreOptions } from "../../src/journal-sqlite/index.ts";
import { anEvent, appendTo } from "../journal/makers.ts";
import { say } from "./die.ts";
import { journalIn } from "./journals.ts";

export interface RightsJob {
  readonly folder: string;
  readonly create: SqliteStoreOptions["create"];
}

const { folder, create } = JSON.parse(process.argv[2] ?? "") as RightsJob;
try {
  const { journal, close } = await journalIn(folder, { create });
  try {
    const [event] = await appendTo(journal, anEvent({ by: "the one whose rights are tried" }));
    say(`stored ${event?.header.seq}`);
  } finally {
    await close();
  }
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  say(`refused ${error.code} ${error.kind}`);
}
