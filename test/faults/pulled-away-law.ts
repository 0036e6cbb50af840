import { expect } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import type { NewcomerJob } from "./newcomer-worker.ts";
import { runWorker } from "./processes.ts";
import type { PulledAwayJob } from "./pulled-away-worker.ts";

const REFUSALS = /^journal\/(replaced|corrupt|missing|not-a-journal|not-writable)$/;

/**
 * Pulls the files away from under a process that has the journal open. Whatever is acknowledged
 * afterwards, to it or to one who comes meanwhile, is there for whoever comes later; all else is
 * refused with a typed error.
 */
export async function expectNothingIntoTheVoid(happens: string): Promise<void> {
  await Promise.all([expectNothing(happens, true), expectNothing(happens, false)]);
}

async function expectNothing(happens: string, isFirst: boolean): Promise<void> {
  const folder = temporaryFolder();
  const job: PulledAwayJob = { folder, happens, isFirst };
  const { said, complaints, signal } = await runWorker("pulled-away-worker", job);
  const newcomer: NewcomerJob = { folder, append: null };
  const later = await runWorker("newcomer-worker", newcomer);
  const what = `${said.join(", ")}; then ${later.said.join(", ")}`;

  expect([complaints, later.complaints]).toEqual(["", ""]);
  // Memory that another process takes away from under SQLite ends this one before it can say so.
  if (signal !== "SIGBUS") expect(said.at(-1), what).toBe("closed");
  const answers = said.flatMap((line) => {
    const [label = "", answer] = line.split(" ");
    return answer === undefined ? [] : [{ label, answer }];
  });
  for (const { answer } of answers.filter((it) => it.answer !== "stored")) {
    expect(answer, what).toMatch(REFUSALS);
  }
  for (const { label } of answers.filter((it) => it.answer === "stored")) {
    expect(later.said, what).toContain(`holds ${label}`);
  }
}
