import { renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { anEvent, appendTo, fixedPorts, openJournal } from "../journal/makers.ts";
import { journalFileIn, openStoreIn, temporaryFolder } from "./makers.ts";

/** Someone else who holds the write lock until told otherwise. */
function holdLock(file: string): { readonly release: () => void } {
  const holder = new Database(file, { fileMustExist: true });
  onTestFinished(() => void holder.close());
  holder.exec("BEGIN IMMEDIATE");
  return { release: () => void holder.exec("COMMIT") };
}

test("a held lock ends a short patience in a retryable error and a long one in success (FR-011)", async () => {
  const folder = temporaryFolder();
  const short = await openJournal(await openStoreIn(folder, { lockWaitMs: 50 }), fixedPorts(1));
  const long = await openJournal(await openStoreIn(folder, { lockWaitMs: 30_000 }), fixedPorts(2));
  const holder = holdLock(journalFileIn(folder));
  const patient = appendTo(long, anEvent({ by: "the patient" }));
  await expect(appendTo(short, anEvent({ by: "the hasty" }))).rejects.toMatchObject({
    code: "journal/busy",
    kind: "busy",
  });
  holder.release();
  expect((await patient)[0]?.header.seq).toBe(2);
  expect((await appendTo(short, anEvent({ by: "the hasty" })))[0]?.header.seq).toBe(3);
});

test("while an append waits for the lock, the event loop goes on", async () => {
  const folder = temporaryFolder();
  const journal = await openJournal(await openStoreIn(folder, { lockWaitMs: 30_000 }));
  const holder = holdLock(journalFileIn(folder));
  let isStored = false;
  const stored = appendTo(journal, anEvent()).then(() => {
    isStored = true;
  });
  let turns = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (++turns < 5) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  expect(isStored).toBe(false);
  holder.release();
  await stored;
  expect(isStored).toBe(true);
});

test("a held lock keeps nobody from reading", async () => {
  const folder = temporaryFolder();
  const store = await openStoreIn(folder, { lockWaitMs: 0 });
  holdLock(journalFileIn(folder));
  expect((await store.extent()).head.seq).toBe(1);
  expect(await store.read(0, 10)).toHaveLength(1);
});

test("a journal that is replaced while an append waits for the lock gets nothing", async () => {
  const folder = temporaryFolder();
  const file = journalFileIn(folder);
  const journal = await openJournal(await openStoreIn(folder, { lockWaitMs: 30_000 }));
  const holder = holdLock(file);
  const waiting = appendTo(journal, anEvent());
  renameSync(file, `${file}.old`);
  rmSync(`${file}-wal`);
  holder.release();
  await expect(waiting).rejects.toMatchObject({ code: "journal/replaced" });
});

test("an opening waits for one who holds everybody off, and says so in the end", async () => {
  const folder = temporaryFolder();
  await (await openStoreIn(folder)).close();
  const holder = new Database(journalFileIn(folder));
  onTestFinished(() => void holder.close());
  // As a process does that puts the log in order after a crash.
  holder.pragma("locking_mode = EXCLUSIVE");
  holder.exec("BEGIN EXCLUSIVE");
  await expect(openStoreIn(folder, { lockWaitMs: 50 })).rejects.toMatchObject({
    code: "journal/busy",
  });
  const waiting = openStoreIn(folder, { lockWaitMs: 30_000 });
  holder.exec("COMMIT");
  holder.close();
  expect((await (await waiting).extent()).head.seq).toBe(1);
});
