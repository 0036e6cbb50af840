import { expect, test } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import type { EachWriteJob } from "./each-write-worker.ts";
import { journalIn, storedIn } from "./journals.ts";
import { OPERATIONS, type OperationName } from "./operations.ts";
import { runWorker } from "./processes.ts";
import { stoppedBefore, tryToAppend } from "./stopped.ts";

/** Operations that go together with what another process appends meanwhile, and the events they add. */
const EVENTS: Partial<Record<OperationName, number>> = {
  "append three events": 3,
  "start a task": 3,
  "write a snapshot": 0,
  "make a journal": 0,
};

async function prepared(operation: OperationName): Promise<string> {
  const folder = temporaryFolder();
  await OPERATIONS[operation].prepare(folder);
  return folder;
}

async function eventsIn(folder: string): Promise<number> {
  const { journal, close } = await journalIn(folder);
  await close();
  return journal.head.seq;
}

test.each(Object.entries(EVENTS) as [OperationName, number][])(
  "a process that is stopped before any write of this holds nobody up for longer than they wait: %s",
  async (operation, events) => {
    const eventsBefore = await eventsIn(await prepared(operation));
    const job: EachWriteJob = { operation, folder: await prepared(operation), dieAt: null };
    const { said } = await runWorker("each-write-worker", job);
    const writes = said.filter((line) => line.startsWith("write "));
    expect(writes.length).toBeGreaterThan(0);
    let busy = 0;
    for (const [index, name] of writes.entries()) {
      const folder = await prepared(operation);
      const { child, ended } = await stoppedBefore(index + 1, operation, folder);
      await eventsIn(folder); // Reading works in any case.
      const { outcome, afterMs } = await tryToAppend(folder, 50);
      expect(afterMs, name).toBeLessThan(2_000);
      child.kill("SIGCONT");
      expect(await ended, name).toMatchObject({ code: 0, complaints: "" });
      const appended = outcome === "stored" ? 1 : 0;
      expect(await storedIn(folder), name).toHaveLength(eventsBefore + appended + events);
      busy += 1 - appended;
    }
    console.info(
      `${operation}: stopped ${writes.length} times, others found it busy ${busy} times`,
    );
  },
);
