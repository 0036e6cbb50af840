import { expect } from "vitest";
import { temporaryFolder } from "../journal-sqlite/makers.ts";
import type { CrowdJob } from "./crowd-worker.ts";
import { journalIn, storedIn } from "./journals.ts";
import { runWorker } from "./processes.ts";

const WRITERS = 8;
const READERS = 2;

/**
 * Lets a crowd of processes use one journal for a while: each acknowledged event is stored once,
 * with its number, and nothing else; readers only ever see a beginning of it, which grows.
 */
export async function expectNoneLostIn(forMs: number): Promise<void> {
  const folder = temporaryFolder();
  await (await journalIn(folder)).close();
  const run = (writer: string | null) =>
    runWorker("crowd-worker", { folder, writer, forMs } satisfies CrowdJob);
  const [writers, readers] = await Promise.all([
    Promise.all(Array.from({ length: WRITERS }, (_, number) => run(`w${number}`))),
    Promise.all(Array.from({ length: READERS }, () => run(null))),
  ]);
  for (const { complaints, code } of [...writers, ...readers]) {
    expect([complaints, code]).toEqual(["", 0]);
  }
  const stored = (await storedIn(folder)).slice(1);
  const labels = stored.map(
    ({ bodyText }) => (JSON.parse(bodyText ?? "") as { label: string }).label,
  );
  const acknowledged = writers.flatMap(({ said }) => said.flatMap(acknowledgedIn));
  expect(labels).toHaveLength(acknowledged.length);
  for (const { label, seq } of acknowledged) expect(labels[seq - 2]).toBe(label);

  const said = (word: string, all: typeof writers) =>
    all.map((it) => Number(it.said.find((line) => line.startsWith(`${word} `))?.split(" ")[1]));
  for (const times of said("times", [...writers, ...readers])) expect(times).toBeGreaterThan(0);
  console.info(
    `${WRITERS} writers, ${forMs} ms: ${labels.length} events; ` +
      `by each: ${said("times", writers).join(", ")}; ` +
      `longest append ${Math.max(...said("longest", writers))} ms; ` +
      `${said("times", readers).join(" and ")} readings, longest ${Math.max(...said("longest", readers))} ms`,
  );
}

function acknowledgedIn(line: string): readonly { readonly label: string; readonly seq: number }[] {
  const [, label, seq] = /^(w\d+-\d+) (\d+)$/.exec(line) ?? [];
  return label === undefined ? [] : [{ label, seq: Number(seq) }];
}
