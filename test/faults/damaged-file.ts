import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { HoldfastError } from "../../src/errors.ts";
import { anEvent, appendTo, hashOf, RUN } from "../journal/makers.ts";
import { type Examined, type ExaminedJournal, examined } from "./examined.ts";
import { quickFolder } from "./folders.ts";
import { journalFileIn, journalIn, stateDirIn } from "./journals.ts";
import { every } from "./offsets.ts";

const SNAPSHOT = { foldVersion: 7, state: { folded: "state" } };
const [USED_KEY, FREE_KEY] = [hashOf("used"), hashOf("free")];

/** A closed journal in one file, of which damaged copies are made. */
export interface ClosedJournal {
  readonly file: Buffer;
  /** How many events it holds. */
  readonly events: number;
  readonly commandKey: string;
  readonly sound: Examined;
  /** What is found when the file holds this instead. */
  readonly examine: (file: Buffer) => Promise<Examined>;
  /** What is found after an append to the file that is there, or the code that refused it. */
  readonly examineAfterAppend: () => Promise<Examined>;
}

/** Six events: of commands of one and of several, with and without what a header may hold. */
export async function closedJournal(): Promise<ClosedJournal> {
  const source = quickFolder();
  const { journal, store, close } = await journalIn(source);
  await appendTo(journal, anEvent({ n: 2 }, { key: USED_KEY }), anEvent({ n: 3 }));
  await appendTo(journal, anEvent({ n: 4 }, { run: RUN, session: hashOf("session") }));
  await appendTo(journal, anEvent({ n: 5, long: "x".repeat(5_000) }, { run: RUN }));
  await appendTo(journal, anEvent({ n: 6 }));
  const events = journal.head.seq;
  await journal.snapshot(SNAPSHOT.foldVersion, SNAPSHOT.state);
  const commandKey = await store.commandKey();
  await close();
  const file = readFileSync(journalFileIn(source));

  const folder = quickFolder();
  mkdirSync(stateDirIn(folder), { mode: 0o700 });
  const look: ExaminedJournal = { folder, keys: [USED_KEY, FREE_KEY], snapshot: SNAPSHOT };
  const examine = (content: Buffer) => {
    rmSync(journalFileIn(folder, "-wal"), { force: true });
    rmSync(journalFileIn(folder, "-shm"), { force: true });
    writeFileSync(journalFileIn(folder), content, { mode: 0o600 });
    return examined(look);
  };
  return {
    file,
    events,
    commandKey,
    sound: await examine(file),
    examine,
    async examineAfterAppend() {
      try {
        const opened = await journalIn(folder, { durability: "process" });
        try {
          const rest = { key: FREE_KEY, session: hashOf("session") };
          await appendTo(opened.journal, anEvent({ n: events + 1 }, rest));
        } finally {
          await opened.close();
        }
      } catch (error) {
        if (!(error instanceof HoldfastError) || error.kind !== "journal") throw error;
        return { refused: error.code };
      }
      return examined(look);
    },
  };
}

const PAGE_BYTES = 4_096;

/**
 * Flips bits of each of these bytes of the file. Each is found as a problem or a typed error, or
 * makes no difference to anything that can be read; then an append works, or is refused with a
 * typed error.
 */
export async function expectFoundInFile(
  { file, events, sound, examine, examineAfterAppend }: ClosedJournal,
  offsets: readonly number[],
  random: { readonly below: (bound: number) => number },
): Promise<void> {
  const tally = { problem: 0, refused: 0, "not live": 0, "refused at the next append": 0 };
  for (const offset of offsets) {
    const mask = 1 + random.below(255);
    const damaged = Buffer.from(file);
    damaged[offset] = (file[offset] ?? 0) ^ mask;
    const what = `byte ${offset % PAGE_BYTES} of page ${Math.floor(offset / PAGE_BYTES)} xor ${mask}`;
    const found = await attempt(what, () => examine(damaged));
    if ("refused" in found) tally.refused++;
    else if (found.problems.length > 0) tally.problem++;
    else {
      expect(found, what).toEqual(sound);
      const next = await attempt(`${what}, then an append`, examineAfterAppend);
      if ("refused" in next) tally["refused at the next append"]++;
      else {
        expect(next.problems, what).toEqual([]);
        expect(JSON.parse(next.content)[0], what).toHaveLength(events + 1);
        tally["not live"]++;
      }
    }
  }
  console.info(`${offsets.length} bytes: ${JSON.stringify(tally)}`);
}

async function attempt(what: string, look: () => Promise<Examined>): Promise<Examined> {
  try {
    return await look();
  } catch (cause) {
    throw new Error(`${what}: ${cause}`, { cause });
  }
}

/** Where the header says whether a log belongs to the file. @see https://www.sqlite.org/fileformat.html §1.3 */
export const LOG_VERSIONS = [18, 20] as const;

/** A copy of the file without a log, which a database in memory can't have. */
export function inMemory(file: Buffer): Database.Database {
  const readable = Buffer.from(file);
  readable.fill(1, ...LOG_VERSIONS);
  return new Database(readable);
}

/** The bytes of the pages of each table and index. */
export function bytesByTable({ file }: ClosedJournal): ReadonlyMap<string, readonly number[]> {
  const database = inMemory(file);
  try {
    const select = database.prepare("SELECT name, (pageno - 1) * pgsize, pgsize FROM dbstat").raw();
    const pages = select.all() as (readonly [name: string, start: number, size: number])[];
    const bytes = ([, start, size]: (typeof pages)[number]) => every(size).map((n) => start + n);
    const names = [...new Set(pages.map(([name]) => name))];
    return new Map(names.map((name) => [name, pages.filter(([of]) => of === name).flatMap(bytes)]));
  } finally {
    database.close();
  }
}
