import crypto from "node:crypto";
import Database from "better-sqlite3";
import { portableSha256 } from "../../src/journal/index.ts";
import { evolve, FOLD_VERSION, initialState, type ProjectState } from "../../src/task/index.ts";
import type { Measure } from "../figures.ts";
import { median, microseconds } from "../timing.ts";
import { dispatchMixed } from "../work.ts";
import { engineOver, journalFile, openStore, openUnread } from "../world.ts";

/** Sizes of the texts that are hashed, in bytes, and how often each is before the clock is read. */
const TEXTS = [
  [64, 2_000],
  [300, 1_000],
  [1_024, 500],
  [16_384, 50],
  [1_048_576, 1],
] as const;

/** SHA-256 of texts of several sizes, by Node in one call and in plain JavaScript, in turns. */
export const hashes: Measure = async ({ count }) => {
  const found: Record<string, number> = {};
  for (const [bytes, times] of TEXTS) {
    const texts = Array.from({ length: times }, (_, n) => String(n).padStart(bytes, "x"));
    const nativeUs: number[] = [];
    const portableUs: number[] = [];
    for (let round = 0; round < count; round++) {
      nativeUs.push(
        await microseconds(() => texts.map((text) => crypto.hash("sha256", text, "hex"))),
      );
      portableUs.push(await microseconds(() => texts.map((text) => portableSha256(text))));
    }
    found[`native${bytes}Us`] = median(nativeUs) / times;
    found[`ratio${bytes}`] = median(portableUs) / median(nativeUs);
  }
  return found;
};

/** Events after a snapshot. */
const TAILS = [250, 500, 1_000, 2_000, 4_000];

/**
 * What it costs to write the snapshot of the given journal, and what it costs to open the journal
 * with so many events after it.
 */
export const snapshots: Measure = async ({ folder, count }) => {
  const found: Record<string, number> = await writingSnapshot(folder, count);
  let length = 0;
  for (const tail of TAILS) {
    const store = await openStore(folder, "process");
    store.writeSnapshot = async () => {}; // The one there is stays, and the tail grows.
    const engine = await engineOver(store);
    await dispatchMixed(engine, tail - length);
    await engine.close();
    length = tail;
    const restoreMs: number[] = [];
    const foldMs: number[] = [];
    for (let round = 0; round < count; round++) {
      const journal = await openUnread(folder, "process");
      let state = initialState;
      const restoring = microseconds(async () => {
        state = ((await journal.restore(FOLD_VERSION)) ?? initialState) as ProjectState;
      });
      restoreMs.push((await restoring) / 1_000);
      const from = journal.head.seq;
      const folding = microseconds(() =>
        journal.catchUp((event) => {
          state = evolve(state, event);
        }),
      );
      foldMs.push((await folding) / 1_000);
      if (journal.head.seq - from !== tail) throw new Error(`Not ${tail} events were folded.`);
      await journal.close();
    }
    found[`tail${tail}Ms`] = median(foldMs);
    found.restoreMs = median(restoreMs);
  }
  return found;
};

async function writingSnapshot(folder: string, count: number): Promise<Record<string, number>> {
  const journal = await openUnread(folder, "full");
  let state = initialState;
  await journal.catchUp((event) => {
    state = evolve(state, event);
  });
  const us: number[] = [];
  for (let round = 0; round < count; round++) {
    us.push(await microseconds(() => journal.snapshot(FOLD_VERSION, state)));
  }
  await journal.close();
  const database = new Database(journalFile(folder), { readonly: true });
  const bytes = Number(database.prepare("SELECT length(text) FROM snapshot").pluck().get());
  database.close();
  return { writeMs: median(us) / 1_000, kilobytes: bytes / 1_000 };
}
