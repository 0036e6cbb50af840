import type { EventRow } from "../../src/journal/index.ts";
import type { AppendJob } from "./append-worker.ts";
import { stateDirIn } from "./journals.ts";

/** One event by one writer, unless said otherwise. */
export const jobIn = (folder: string, job: Partial<AppendJob>): AppendJob => ({
  projectDir: folder,
  stateDir: stateDirIn(folder),
  create: "where-none-was",
  writer: "w",
  appends: 1,
  ...job,
});

/** What the events but the opening are called, in order. */
export const labelsOf = (rows: readonly EventRow[]) =>
  rows.slice(1).map(({ bodyText }) => (JSON.parse(bodyText ?? "") as { label: string }).label);

/** What a worker said of its events: label and seq. */
export function acknowledged(said: readonly string[]): readonly (readonly [string, number])[] {
  return said.flatMap((line) => {
    const [, label, seq] = /^(\S+-\d+) (\d+)$/.exec(line) ?? [];
    return label === undefined ? [] : [[label, Number(seq)] as const];
  });
}
