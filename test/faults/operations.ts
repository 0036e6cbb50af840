import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { HoldfastError } from "../../src/errors.ts";
import { type EventRow, exportLine, Journal } from "../../src/journal/index.ts";
import { DRAFT } from "../engine/workspace.ts";
import { anEvent, appendTo } from "../journal/makers.ts";
import { backToVersionOne, glanceAt } from "../journal-sqlite/version-one.ts";
import { aContractV1 } from "../task/makers.ts";
import {
  journalFileIn,
  journalIn,
  openStoreOf,
  stateDirIn,
  storedIn,
  withEngine,
} from "./journals.ts";
import { REAL_PORTS } from "./ports.ts";
import { UPKEEP_OPERATIONS } from "./upkeep-operations.ts";

export type Outcome = "done" | "not done";

/** Something that may be cut off anywhere, and is then either done or not done. */
export interface Operation {
  /** Makes what it begins with, in an empty folder. */
  readonly prepare: (folder: string) => Promise<void>;
  /**
   * Carries it out; `acknowledge` is called as soon as its caller may rely on it, and not at all
   * where it answers that a part is still to be done.
   */
  readonly run: (folder: string, acknowledge: () => void) => Promise<void>;
  /** Looks at what is there, and throws unless that is sound and one of the two. */
  readonly check: (folder: string) => Promise<Outcome>;
  /** Whether it may be carried out again although it is done, and does nothing then. */
  readonly isRepeatable?: boolean;
}

/** Events of a journal that operations begin with, `journal.opened` among them. */
const BEFORE = 4;
const IMPORTED = 8;
const FOLDED = { folded: "state" };
const FOLD_VERSION = 7;

/** Events of a journal whose tables are upgraded. */
const UPGRADED = 1_000;

const OLD_CONTRACT = JSON.stringify(aContractV1(), null, 2);
const archiveIn = (folder: string) => path.join(stateDirIn(folder), "archive");

const backupFileIn = (folder: string) => path.join(folder, "backup.sqlite");
const headFileIn = (folder: string) => path.join(folder, "head.json");
const exportFileIn = (folder: string) => path.join(folder, "journal.jsonl");

/** Uses the journal, and closes it however that ends. */
async function withJournal(
  folder: string,
  use: (journal: Journal) => Promise<void>,
): Promise<void> {
  const { journal, close } = await journalIn(folder);
  try {
    await use(journal);
  } finally {
    await close();
  }
}

const prepareJournal = (folder: string) =>
  withJournal(folder, async (journal) => {
    for (let n = 2; n <= BEFORE; n++) await appendTo(journal, anEvent({ n }));
  });

function appendInOneCommit(events: number): Operation["run"] {
  return (folder, acknowledge) =>
    withJournal(folder, async (journal) => {
      await appendTo(journal, ...Array.from({ length: events }, (_, n) => anEvent({ n })));
      acknowledge();
    });
}

/** Done if so many events came to those before, not done if none did. */
function appended(events: number): Operation["check"] {
  return async (folder) => outcomeOf((await storedIn(folder)).length, BEFORE, BEFORE + events);
}

function outcomeOf(found: unknown, notDone: unknown, done: unknown): Outcome {
  assert([notDone, done].includes(found), `Found ${found}, where ${notDone} or ${done} may be.`);
  return found === done ? "done" : "not done";
}

const textOf = (rows: readonly EventRow[]) => rows.map((row) => `${exportLine(row)}\n`).join("");

function exportTo(replace: boolean): Operation["run"] {
  return async (folder, acknowledge) => {
    const { writeNewFile } = await import("../../src/cli/new-file.ts");
    await withEngine(folder, async ({ journal }) => {
      await writeNewFile(exportFileIn(folder), { replace, text: journal.export() });
      acknowledge();
    });
  };
}

/** Every operation that is killed at each of its writes; a further one is one more entry. */
export const OPERATIONS = {
  "append one event": {
    prepare: prepareJournal,
    run: appendInOneCommit(1),
    check: appended(1),
  },

  "append three events": {
    prepare: prepareJournal,
    run: appendInOneCommit(3),
    check: appended(3),
  },

  "start a task": {
    prepare: prepareJournal,
    run: (folder, acknowledge) =>
      withEngine(folder, async (engine) => {
        await engine.startTask(DRAFT, { session: "ada", key: "start" });
        acknowledge();
      }),
    async check(folder) {
      const tasks = await withEngine(folder, (engine) => engine.tasks({ session: "ada" }));
      const phases = tasks.map(({ phase }) => phase);
      assert(phases.length <= 1);
      const outcome = await appended(3)(folder);
      assert.deepEqual(phases, outcome === "done" ? ["plan"] : []);
      return outcome;
    },
    isRepeatable: true,
  },

  "import a contract": {
    prepare: prepareJournal,
    run: (folder, acknowledge) =>
      withEngine(folder, async (engine) => {
        await engine.importContract(Buffer.from(OLD_CONTRACT), { session: "ada" });
        acknowledge();
      }),
    async check(folder) {
      const outcome = await appended(3)(folder);
      const archived = readdirSync(stateDirIn(folder)).includes("archive")
        ? readdirSync(archiveIn(folder)).filter((name) => name.endsWith(".json"))
        : [];
      for (const name of archived) {
        assert.equal(readFileSync(path.join(archiveIn(folder), name), "utf8"), OLD_CONTRACT);
      }
      if (outcome === "done") assert.equal(archived.length, 1);
      return outcome;
    },
    isRepeatable: true,
  },

  "append a group of commands": {
    prepare: prepareJournal,
    run: (folder, acknowledge) =>
      withEngine(folder, async (engine) => {
        const append = (n: number) =>
          engine.journal.append([{ type: "x.noted", body: { n } }], {
            session: "ada",
            key: `command ${n}`,
          });
        // In one turn of the event loop, so in one commit.
        await Promise.all([1, 2, 3, 4, 5].map(append));
        acknowledge();
      }),
    check: appended(5),
    isRepeatable: true,
  },

  "write a snapshot": {
    prepare: prepareJournal,
    run: (folder, acknowledge) =>
      withJournal(folder, async (journal) => {
        await journal.snapshot(FOLD_VERSION, FOLDED);
        acknowledge();
      }),
    async check(folder) {
      assert.equal((await storedIn(folder)).length, BEFORE);
      const store = await openStoreOf(folder);
      const restored = await (await Journal.open(store, REAL_PORTS)).restore(FOLD_VERSION);
      await store.close();
      return outcomeOf(JSON.stringify(restored), "null", JSON.stringify(FOLDED));
    },
    isRepeatable: true,
  },

  "make a journal": {
    async prepare() {},
    run: (folder, acknowledge) => withJournal(folder, async () => acknowledge()),
    async check(folder) {
      try {
        assert.equal((await storedIn(folder)).length, 1);
      } catch (error) {
        if (!(error instanceof HoldfastError)) throw error;
        // Not "held a journal before": nobody has to be asked whether one may begin.
        assert.match(`${error.code} ${error.message}`, /^journal\/missing There is no journal/);
        return "not done";
      }
      assert(readdirSync(stateDirIn(folder)).includes(".gitignore"));
      return "done";
    },
    isRepeatable: true,
  },

  "import an export": {
    async prepare(folder) {
      const other = path.join(folder, "other");
      await appendInOneCommit(IMPORTED - 1)(other, () => {});
      writeFileSync(exportFileIn(folder), textOf(await storedIn(other)));
      await withJournal(folder, async () => {});
    },
    run: (folder, acknowledge) =>
      withEngine(folder, async (engine) => {
        await engine.journal.import([readFileSync(exportFileIn(folder), "utf8")]);
        acknowledge();
      }),
    async check(folder) {
      const rows = await storedIn(folder);
      const outcome = outcomeOf(rows.length, 1, IMPORTED);
      const isImported = textOf(rows) === readFileSync(exportFileIn(folder), "utf8");
      assert.equal(isImported, outcome === "done");
      return outcome;
    },
  },

  "upgrade the tables": {
    async prepare(folder) {
      await appendInOneCommit(UPGRADED - 1)(folder, () => {});
      backToVersionOne(journalFileIn(folder));
      writeFileSync(headFileIn(folder), JSON.stringify(glanceAt(journalFileIn(folder)).head));
    },
    async run(folder, acknowledge) {
      const { close } = await journalIn(folder, { create: "never" });
      acknowledge();
      await close();
    },
    async check(folder) {
      const noted = JSON.parse(readFileSync(headFileIn(folder), "utf8")) as unknown;
      const whole = (version: number) => ({ version, events: UPGRADED, head: noted });
      const found = glanceAt(journalFileIn(folder));
      const outcome = outcomeOf(found.version, 1, 2);
      assert.deepEqual(found, whole(outcome === "done" ? 2 : 1));
      if (outcome === "not done") return outcome;
      assert.deepEqual(glanceAt(`${journalFileIn(folder)}.before-v2`), whole(1));
      assert.equal((await storedIn(folder)).length, UPGRADED);
      return outcome;
    },
    isRepeatable: true,
  },

  "back up to a new file": {
    prepare: prepareJournal,
    async run(folder, acknowledge) {
      const { store, close } = await journalIn(folder, { create: "never" });
      await store.backup(backupFileIn(folder));
      acknowledge();
      await close();
    },
    async check(folder) {
      const rows = await storedIn(folder);
      if (!existsSync(backupFileIn(folder))) return "not done";
      const { events, head } = glanceAt(backupFileIn(folder));
      assert.deepEqual([events, head.hash], [rows.length, rows.at(-1)?.hash]);
      return "done";
    },
  },

  "export to a new file": {
    prepare: prepareJournal,
    run: exportTo(false),
    async check(folder) {
      const rows = await storedIn(folder);
      if (!existsSync(exportFileIn(folder))) return "not done";
      assert.equal(readFileSync(exportFileIn(folder), "utf8"), textOf(rows));
      return "done";
    },
  },

  "export over an older file": {
    async prepare(folder) {
      await prepareJournal(folder);
      writeFileSync(exportFileIn(folder), "older\n");
    },
    run: exportTo(true),
    async check(folder) {
      const rows = await storedIn(folder);
      return outcomeOf(readFileSync(exportFileIn(folder), "utf8"), "older\n", textOf(rows));
    },
    isRepeatable: true,
  },

  ...UPKEEP_OPERATIONS,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
