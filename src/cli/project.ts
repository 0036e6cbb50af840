import process from "node:process";
import type { Engine } from "../engine/index.ts";
import { HoldfastError } from "../errors.ts";
import type { JournalPorts, JournalStore } from "../journal/index.ts";
import type { StateFolder } from "../workspace/index.ts";
import type { Call } from "./command.ts";
import { switchesOf } from "./environment.ts";
import { EXIT } from "./failure.ts";
import type { Reply } from "./output.ts";

/**
 * What a command needs of the journal.
 *
 * - `made`: one is made where none was
 * - `made-anew`: one is made even where an older one is gone
 * - `there`: one has to be there
 * - `there-or-empty`: without one, the project is looked at as with an empty one; nothing is made
 */
export type JournalNeed = "made" | "made-anew" | "there" | "there-or-empty";

export interface Project {
  readonly engine: Engine;
  /** Absolute real paths. */
  readonly projectDir: string;
  readonly stateDir: string;
  /** Whether a journal was there before this call. */
  readonly existed: boolean;
}

interface Opening {
  readonly need: JournalNeed;
  /** Whether the command tells all it has to of a journal that a newer version wrote. */
  readonly toldOfNewer?: boolean;
}

/**
 * Opens the project that a call is about, has `work` done on it and closes it.
 *
 * Of a damaged journal, what could be read up to the damage is still told, and the exit code says
 * that it is not all.
 */
export async function inProject(
  call: Call,
  { need, toldOfNewer = false }: Opening,
  work: (project: Project) => Promise<Reply | null>,
): Promise<Reply | null> {
  const project = await openProject(call, need);
  try {
    const reply = await work(project);
    const reading = await readingOf(project.engine);
    if (reading.note !== null) call.output.note(reading.note);
    if (reading.is === "whole" || (reading.is === "newer" && toldOfNewer)) return reply;
    if (reply !== null) return { ...reply, exitCode: EXIT.journal };
    process.exitCode ||= EXIT.journal;
    return null;
  } finally {
    await project.engine.close();
  }
}

/** Where the project of a call is, and where its state folder is or would be. Makes nothing. */
export async function locateProject(call: Call): Promise<StateFolder> {
  const [{ locateStateFolder }, { JOURNAL_FILE }] = await Promise.all([
    import("../workspace/index.ts"),
    import("../journal-sqlite/index.ts"),
  ]);
  return locateStateFolder({
    from: call.options.dir ?? currentFolder(),
    env: process.env.HOLDFAST_DIR,
    journalFile: JOURNAL_FILE,
    piHost: (process.env.PI_SESSION_ID ?? "") !== "",
  });
}

/** @throws HoldfastError `input/unreadable` where the current folder was deleted */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new HoldfastError(
      "input/unreadable",
      "The current folder can't be opened; it may have been deleted.",
      "Go to a folder that exists.",
      { cause },
    );
  }
}

async function openProject(call: Call, need: JournalNeed): Promise<Project> {
  const located = await locateProject(call);
  const [{ openEngine, systemPorts }, { openWorkspace }] = await Promise.all([
    import("../open.ts"),
    import("../workspace/index.ts"),
  ]);
  const { switches } = switchesOf(process.env);
  const ports = await systemPorts();
  const workspace = await openWorkspace(located);
  const store = await openStore(located, need, ports);
  const engine = await openEngine({ ...ports, store, workspace, switches });
  const { projectDir, stateDir, exists } = located;
  return { engine, projectDir, stateDir, existed: exists };
}

async function openStore(
  { projectDir, stateDir, exists }: StateFolder,
  need: JournalNeed,
  ports: JournalPorts,
): Promise<JournalStore> {
  const { hadJournal, openSqliteStore } = await import("../journal-sqlite/index.ts");
  if (need === "there-or-empty" && !exists && !hadJournal(stateDir)) {
    const { MemoryStore } = await import("../journal/index.ts");
    return new MemoryStore(ports.ids);
  }
  return openSqliteStore({ projectDir, stateDir, create: CREATE[need], ports });
}

const CREATE = {
  made: "where-none-was",
  "made-anew": "new-after-loss",
  there: "never",
  "there-or-empty": "never",
} as const satisfies Record<JournalNeed, string>;

/** How far the journal could be read, and what its readers have to know. */
async function readingOf(
  engine: Engine,
): Promise<{ readonly is: "whole" | "damaged" | "newer"; readonly note: string | null }> {
  const { damage, checkedHead } = engine.journal;
  if (damage !== null) {
    return {
      is: "damaged",
      note: `The journal is damaged at event ${damage.seq}: ${damage.message} What is told was read up to event ${checkedHead.seq}, the last sound one. See: holdfast journal verify`,
    };
  }
  const { notUnderstood } = await engine.state();
  if (notUnderstood === null) return { is: "whole", note: null };
  return {
    is: "newer",
    note: `Event ${notUnderstood.seq} (${notUnderstood.type}) was written by a newer Holdfast, so what is told may lack something. Upgrade to see it, and to go on.`,
  };
}
