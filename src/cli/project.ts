import process from "node:process";
import type { Engine } from "../engine/index.ts";
import type { SqliteJournalStore } from "../journal-sqlite/index.ts";
import type { ProjectOptions } from "../open.ts";
import type { StateFolder } from "../state-folder/index.ts";
import type { Call } from "./command.ts";
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
  /** The store; null where a project without a journal is looked at as one with an empty one. */
  readonly sqlite: SqliteJournalStore | null;
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
  const project = await openedProject(call, need);
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
  const { locateProject: locate } = await import("../open.ts");
  return locate(projectOf(call));
}

/** What the options of a call say of its project. */
export function projectOf({ options }: Call): { readonly projectDir?: string } {
  return options.dir === undefined ? {} : { projectDir: options.dir };
}

const OPENED_FOR = {
  made: { create: "where-none-was" },
  "made-anew": { create: "new-after-loss" },
  there: { create: "never" },
  "there-or-empty": { create: "never", noneIsEmpty: true },
} as const satisfies Record<JournalNeed, ProjectOptions>;

async function openedProject(call: Call, need: JournalNeed): Promise<Project> {
  const { openProject } = await import("../open.ts");
  const { engine, folder, sqlite } = await openProject({
    ...projectOf(call),
    ...OPENED_FOR[need],
  });
  const { projectDir, stateDir, exists } = folder;
  return { engine, projectDir, stateDir, existed: exists, sqlite };
}

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
  const { readOnly } = engine.journal;
  if (readOnly !== null) {
    const note = `${readOnly.message} What is told may lack something. Upgrade to see it, and to go on.`;
    return { is: "newer", note };
  }
  const { notUnderstood } = await engine.state();
  if (notUnderstood === null) return { is: "whole", note: null };
  return {
    is: "newer",
    note: `Event ${notUnderstood.seq} (${notUnderstood.type}) was written by a newer Holdfast, so what is told may lack something. Upgrade to see it, and to go on.`,
  };
}
