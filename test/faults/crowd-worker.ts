/**
 * One of a crowd that uses a journal at the same time. Its argument is a `CrowdJob` as JSON.
 *
 * A writer says `<writer>-<number> <seq>` for each acknowledged event; a reader says nothing of
 * what it reads. Both end with `longest <milliseconds>` and `times <number>`.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Journal } from "../../src/journal/index.ts";
import { anEvent, appendTo } from "../journal/makers.ts";
import { say } from "./die.ts";
import { journalIn, openStoreOf } from "./journals.ts";
import { REAL_PORTS } from "./ports.ts";

export interface CrowdJob {
  readonly folder: string;
  /** Null for a reader. */
  readonly writer: string | null;
  /** How long it goes on, in milliseconds. */
  readonly forMs: number;
}

const LOCK_WAIT_MS = 60_000;
const CATCH_UPS_BETWEEN = 200;

const { folder, writer, forMs } = JSON.parse(process.argv[2] ?? "") as CrowdJob;
const until = performance.now() + forMs;
let longestMs = 0;
let times = 0;

async function timed<T>(call: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await call();
  longestMs = Math.max(longestMs, performance.now() - begin);
  times++;
  return result;
}

async function write(name: string): Promise<void> {
  const { journal, close } = await journalIn(folder, { lockWaitMs: LOCK_WAIT_MS });
  while (performance.now() < until) {
    const label = `${name}-${times + 1}`;
    const [event] = await timed(() => appendTo(journal, anEvent({ label })));
    say(`${label} ${event?.header.seq}`);
  }
  await close();
}

/** Catches up on and on; now and then another comes who reads all of it from the beginning. */
async function read(): Promise<void> {
  const hashes: string[] = [];
  const store = await openStoreOf(folder, { create: "never", lockWaitMs: LOCK_WAIT_MS });
  const journal = await Journal.open(store, REAL_PORTS);
  while (performance.now() < until) {
    await timed(() => journal.catchUp(({ hash }) => void hashes.push(hash)));
    assert.equal(journal.damage, null);
    if (times % CATCH_UPS_BETWEEN === 0) await readAnew(hashes);
    await nextTurn();
  }
  await store.close();
}

/** What was read once is still the beginning of what is there. */
async function readAnew(before: readonly string[]): Promise<void> {
  const store = await openStoreOf(folder, { create: "never", lockWaitMs: LOCK_WAIT_MS });
  const hashes: string[] = [];
  const journal = await Journal.open(store, REAL_PORTS);
  await journal.catchUp(({ hash }) => void hashes.push(hash));
  await store.close();
  assert.equal(journal.damage, null);
  assert.deepEqual(hashes.slice(0, before.length), before);
}

await (writer === null ? read() : write(writer));
say(`longest ${Math.ceil(longestMs)}`);
say(`times ${times}`);
