import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { HoldfastError } from "../../src/errors.ts";
import type { EventRow } from "../../src/journal/index.ts";
import { anEvent, appendTo, hashOf, RUN } from "../journal/makers.ts";
import { quickFolder } from "./folders.ts";
import { journalFileIn, journalIn, stateDirIn, storedIn } from "./journals.ts";

/** What a killed process leaves behind. */
export interface JournalFiles {
  readonly main: Buffer;
  readonly log: Buffer;
  /** The index of the log, in memory that processes share; stale once they are gone. */
  readonly index: Buffer;
}

/** A journal whose process was killed: all but its opening is in the write-ahead log alone. */
export interface KilledJournal {
  readonly files: JournalFiles;
  /** The main file once everything was moved into it from the log. */
  readonly mainAfterCheckpoint: Buffer;
  /** What was acknowledged, in order. */
  readonly events: readonly EventRow[];
  /** How many events had been acknowledged when the log had no more than these bytes. */
  readonly acknowledgedIn: (bytes: number) => number;
  /** What a process finds that comes when some of the files hold this instead. */
  readonly found: (files: Partial<JournalFiles>) => Promise<readonly EventRow[]>;
}

/** Commands of one and of several events, with and without what a header may hold, and a long one. */
const COMMANDS = [
  [anEvent({ n: 2 })],
  [anEvent({ n: 3 }, { key: hashOf("key") }), anEvent({ n: 4 }), anEvent({ n: 5 })],
  [anEvent({ n: 6 }, { run: RUN, session: hashOf("session") })],
  [anEvent({ n: 7, long: "x".repeat(5_000) }, { run: RUN })],
];

export async function killedJournal(): Promise<KilledJournal> {
  const source = quickFolder();
  const { journal, close } = await journalIn(source);
  const steps: { events: number; bytes: number }[] = [{ events: 1, bytes: 0 }];
  for (const command of COMMANDS) {
    await appendTo(journal, ...command);
    steps.push({
      events: journal.head.seq,
      bytes: readFileSync(journalFileIn(source, "-wal")).length,
    });
  }
  const files: JournalFiles = {
    main: readFileSync(journalFileIn(source)),
    log: readFileSync(journalFileIn(source, "-wal")),
    index: readFileSync(journalFileIn(source, "-shm")),
  };
  const events = await storedIn(source);
  await close();

  const folder = quickFolder();
  mkdirSync(stateDirIn(folder), { mode: 0o700 });
  return {
    files,
    mainAfterCheckpoint: readFileSync(journalFileIn(source)),
    events,
    acknowledgedIn: (bytes) => steps.findLast((step) => step.bytes <= bytes)?.events ?? 0,
    async found(instead) {
      const { main, log, index } = { ...files, ...instead };
      writeFileSync(journalFileIn(folder), main, { mode: 0o600 });
      writeFileSync(journalFileIn(folder, "-wal"), log, { mode: 0o600 });
      writeFileSync(journalFileIn(folder, "-shm"), index, { mode: 0o600 });
      return storedIn(folder);
    },
  };
}

/** Cuts the log to each of these sizes: what was acknowledged within it is there, and nothing else. */
export async function expectPrefixOfCutLog(
  { files, events, acknowledgedIn, found }: KilledJournal,
  sizes: readonly number[],
): Promise<void> {
  for (const size of sizes) {
    const prefix = events.slice(0, acknowledgedIn(size));
    expect(await found({ log: files.log.subarray(0, size) }), `cut to ${size}`).toEqual(prefix);
  }
}

/**
 * Flips bits of each of these bytes: what was acknowledged before that byte was written is found,
 * or a typed error, and never anything else.
 */
export async function expectPrefixOfFlippedLog(
  { files, events, acknowledgedIn, found }: KilledJournal,
  offsets: readonly number[],
  random: { readonly below: (bound: number) => number },
): Promise<void> {
  for (const offset of offsets) {
    const mask = 1 + random.below(255);
    const log = Buffer.from(files.log);
    log[offset] = (log[offset] ?? 0) ^ mask;
    const what = `byte ${offset} of the log xor ${mask}`;
    try {
      expect(await found({ log }), what).toEqual(events.slice(0, acknowledgedIn(offset)));
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      expect(error.kind, what).toBe("journal");
    }
  }
}
