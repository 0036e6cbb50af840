/**
 * A process whose journal is pulled away while it has it open. Its argument is a `PulledAwayJob` as
 * JSON.
 *
 * It says `<label> stored` or `<label> <code>` for each event that it, or one who comes meanwhile,
 * tries to append afterwards, and in the end `closed`.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { HoldfastError } from "../../src/errors.ts";
import { JOURNAL_FILE } from "../../src/state-folder/index.ts";
import { anEvent, appendTo } from "../journal/makers.ts";
import { say } from "./die.ts";
import { journalIn, stateDirIn } from "./journals.ts";
import type { NewcomerJob } from "./newcomer-worker.ts";
import type { PullJob } from "./pull-worker.ts";

export interface PulledAwayJob {
  /** An empty folder. */
  readonly folder: string;
  readonly happens: string;
  /** Whether this process tries to append before another one comes. */
  readonly isFirst: boolean;
}

const { folder, happens, isFirst } = JSON.parse(process.argv[2] ?? "") as PulledAwayJob;
const atFirst = path.join(folder, "at first");
const older = path.join(folder, "older");

function run(command: string, ...args: readonly string[]): string {
  const stdio = ["ignore", "pipe", "inherit"] as const;
  return spawnSync(command, args, { stdio: [...stdio], encoding: "utf8" }).stdout;
}

const runWorker = (name: string, job: unknown) =>
  run(process.execPath, path.join(import.meta.dirname, `${name}.ts`), JSON.stringify(job));

async function tryToAppend(label: string): Promise<void> {
  try {
    await appendTo(journal, anEvent({ label }));
    say(`${label} stored`);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    say(`${label} ${error.code}`);
  }
}

function letAnotherAppend(label: string): void {
  const found = runWorker("newcomer-worker", { folder, append: label } satisfies NewcomerJob);
  const isStored = found.split("\n").includes(`holds ${label}`);
  say(`${label} ${isStored ? "stored" : found.trim().replace("refused ", "")}`);
}

await (await journalIn(folder)).close();
run("cp", "-r", stateDirIn(folder), atFirst);
const before = await journalIn(folder);
await appendTo(before.journal, anEvent({ label: "moved out of the log" }));
await before.close();

const { journal, close } = await journalIn(folder, { lockWaitMs: 1_000 });
await appendTo(journal, anEvent({ label: "one" }));
run("cp", "-r", stateDirIn(folder), older);
run("cp", path.join(atFirst, JOURNAL_FILE), older);
await appendTo(journal, anEvent({ label: "two" }));

runWorker("pull-worker", { folder, happens, older, atFirst } satisfies PullJob);
if (isFirst) await tryToAppend("mine-before");
letAnotherAppend("another's");
await tryToAppend("mine-after");
await close();
say("closed");
