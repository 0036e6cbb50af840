import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { anEvent, appendTo } from "../journal/makers.ts";
import { journalIn, stateDirIn, storedIn, withEngine } from "./journals.ts";
import type { Operation, Outcome } from "./operations.ts";

const SECRET = "TOP-demo-SECRET-42";
const BEFORE = 12;
const CEILING = 5;

async function prepare(folder: string): Promise<void> {
  const { journal, close } = await journalIn(folder);
  for (let n = 2; n <= BEFORE; n++) {
    const text = n % 4 === 0 ? `${SECRET} ${"x".repeat(5_000)}` : `kept ${n}`;
    await appendTo(journal, anEvent({ text }));
  }
  await close();
}

async function assertSound(folder: string): Promise<void> {
  const { ok, problems } = await withEngine(folder, ({ journal }) => journal.verify());
  assert.deepEqual([ok, problems], [true, []]);
}

function filesWithSecret(folder: string): readonly string[] {
  const stateDir = stateDirIn(folder);
  return readdirSync(stateDir).filter((name) =>
    readFileSync(path.join(stateDir, name)).includes(SECRET),
  );
}

/** Upkeep that is killed at each of its writes. */
export const UPKEEP_OPERATIONS = {
  "shed a text": {
    prepare,
    async run(folder, acknowledge) {
      await withEngine(folder, async ({ journal }) => {
        const { purged } = await journal.shed({ text: SECRET, reason: "a pasted key" });
        if (purged) acknowledge();
      });
    },
    async check(folder): Promise<Outcome> {
      const rows = await storedIn(folder);
      const absent = rows.filter(({ bodyText }) => bodyText === null).length;
      const isDone = rows.length === BEFORE + 1;
      assert.deepEqual([rows.length, absent], isDone ? [BEFORE + 1, 3] : [BEFORE, 0]);
      await assertSound(folder);
      assert.equal(filesWithSecret(folder).length === 0, isDone);
      return isDone ? "done" : "not done";
    },
    isRepeatable: true,
  },

  "compact a journal": {
    prepare,
    async run(folder, acknowledge) {
      await withEngine(folder, async ({ journal }) => {
        await journal.compact({ ceiling: CEILING });
        acknowledge();
      });
    },
    async check(folder): Promise<Outcome> {
      const rows = await storedIn(folder);
      const isDone = rows.length === CEILING;
      assert.equal(rows.length, isDone ? CEILING : BEFORE);
      assert.equal(rows.at(-1)?.header.seq, isDone ? BEFORE + 1 : BEFORE);
      await assertSound(folder);
      return isDone ? "done" : "not done";
    },
    isRepeatable: true,
  },
} as const satisfies Record<string, Operation>;
