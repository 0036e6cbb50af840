import crypto from "node:crypto";
import process from "node:process";
import type { Switches } from "./contract/index.ts";
import {
  type ContractArchive,
  DEFAULT_SWITCHES,
  Engine,
  type EnginePorts,
} from "./engine/index.ts";
import { HoldfastError } from "./errors.ts";
import { systemIds } from "./ids.ts";
import { type JournalPorts, type JournalStore, MemoryStore } from "./journal/index.ts";
import type { Durability, Sharing, SqliteJournalStore } from "./journal-sqlite/index.ts";
import { assertNodeVersion } from "./node-version.ts";
import type { Clock, Ids, Sha256 } from "./ports.ts";
import { createRedactor, sensitiveEnvironment } from "./redaction/index.ts";
import {
  hadJournal,
  keepInArchive,
  locateStateFolder,
  type StateFolder,
} from "./state-folder/index.ts";
import { switchesOf } from "./switches.ts";
import type { Workspace } from "./workspace/port.ts";

export interface EngineOptions {
  /** The project folder. Defaults to the current one. */
  readonly projectDir?: string;
  /** The state folder. Defaults to the project's own, found or made by the rules of `docs/state-folder.md`. */
  readonly stateDir?: string;
  /** `full` (default): an acknowledged event survives a power cut; `process`: a killed process. */
  readonly durability?: Durability;
  /**
   * `detect` (default): several processes use the journal at once where its file system allows that;
   * `exclusive`: this one has it alone until it closes.
   */
  readonly sharing?: Sharing;
  /** What to do where no journal is. Defaults to `where-none-was`: make one, unless an older one is gone. */
  readonly create?: "never" | "where-none-was" | "new-after-loss";
  /** How long a write waits for the lock of another process, in milliseconds. */
  readonly lockWaitMs?: number;
  /** Events that a compaction leaves where it is not told otherwise. Defaults to 5,000. */
  readonly compactionCeiling?: number;
  /** Those that are left out stand as the environment sets them. */
  readonly switches?: Partial<Switches>;
  /** Closed with the engine; left open when opening fails. */
  readonly store?: JournalStore;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly workspace?: Workspace;
  /** Where the bytes of imported contracts are kept. Defaults to a folder in the state folder. */
  readonly archive?: ContractArchive;
}

/**
 * Opens the engine on a project. With `store`, `clock`, `ids` and `workspace` given it touches no
 * file.
 *
 * @throws HoldfastError `runtime/node-too-old`, `input/invalid`, `journal/missing`, `journal/unsafe-path` and what
 * else the store throws when it is opened
 * @example
 * const engine = await openEngine({ projectDir: "." });
 * const task = await engine.startTask(draft, { session: "s-1" });
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  assertNodeVersion(process.version);
  assertOpenOptions(options);
  const { store, workspace, archive } = options;
  if (store !== undefined && workspace !== undefined) {
    return engineOver({ store, workspace, archive }, await systemPorts(options), options);
  }
  return (await openProject(options)).engine;
}

export interface ProjectOptions extends EngineOptions {
  /** Whether a project without a journal is looked at as one with an empty journal; none is made then. */
  readonly noneIsEmpty?: boolean;
}

export interface Project {
  readonly engine: Engine;
  readonly folder: StateFolder;
  /** The store, where it is a journal's file. */
  readonly sqlite: SqliteJournalStore | null;
}

/** Opens a project: the one way in that the library and the command line share. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const folder = await locateProject(options);
  const ports = await systemPorts(options);
  // Before the store, so that nothing is open yet when it fails.
  const workspace = options.workspace ?? (await workspaceIn(folder));
  const sqlite = options.store === undefined ? await sqliteIn(folder, options, ports) : null;
  const store = options.store ?? sqlite ?? new MemoryStore(ports.ids);
  const over = { store, workspace, archive: options.archive ?? archiveBeside(store, folder) };
  try {
    return { engine: await engineOver(over, ports, options), folder, sqlite };
  } catch (error) {
    await sqlite?.close();
    throw error;
  }
}

/** In the folder of the journal; one that is in memory alone has an archive that keeps nothing either. */
function archiveBeside(store: JournalStore, { stateDir }: StateFolder): ContractArchive {
  if (store instanceof MemoryStore) return { keep: async () => "" };
  return { keep: async (digest, text) => keepInArchive(stateDir, digest, text) };
}

/** Where a project is, and where its state folder is or would be. Makes nothing. */
export async function locateProject({
  projectDir,
  stateDir,
}: Pick<EngineOptions, "projectDir" | "stateDir">): Promise<StateFolder> {
  const { workingTreesOf } = await import("./workspace/index.ts");
  return locateStateFolder({
    from: projectDir ?? currentFolder(),
    named: stateDir ?? process.env.HOLDFAST_DIR,
    piHost: (process.env.PI_SESSION_ID ?? "") !== "",
    workingTrees: workingTreesOf,
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

async function workspaceIn(folder: StateFolder): Promise<Workspace> {
  const { openWorkspace } = await import("./workspace/index.ts");
  return openWorkspace(folder);
}

/** `null` where there is no journal and that is as good as an empty one. */
async function sqliteIn(
  { projectDir, stateDir, exists }: StateFolder,
  {
    create = "where-none-was",
    noneIsEmpty = false,
    durability,
    sharing,
    lockWaitMs,
  }: ProjectOptions,
  ports: JournalPorts,
): Promise<SqliteJournalStore | null> {
  if (noneIsEmpty && !exists && !hadJournal(stateDir)) return null;
  const { openSqliteStore } = await import("./journal-sqlite/index.ts");
  return openSqliteStore({
    projectDir,
    stateDir,
    create,
    ports,
    ...(durability === undefined ? {} : { durability }),
    ...(sharing === undefined ? {} : { sharing }),
    ...(lockWaitMs === undefined ? {} : { lockWaitMs }),
  });
}

function engineOver(
  over: Pick<EnginePorts, "store" | "workspace" | "archive">,
  ports: Required<JournalPorts>,
  options: Pick<EngineOptions, "switches" | "compactionCeiling">,
): Promise<Engine> {
  const switched = { ...switchesOf(process.env).switches, ...options.switches };
  return Engine.open({
    ...ports,
    ...over,
    compactionCeiling: options.compactionCeiling,
    redactor: createRedactor({ literals: sensitiveEnvironment(process.env) }),
    switches: { ...DEFAULT_SWITCHES, ...switched },
    switched,
  });
}

/** The clock, the ids and the hash of this system, unless others are given. */
export async function systemPorts(
  given: Pick<EngineOptions, "clock" | "ids"> = {},
): Promise<Required<JournalPorts>> {
  return {
    clock: given.clock ?? { now: () => Date.now() },
    ids: given.ids ?? (await systemIds()),
    sha256: nativeSha256,
  };
}

/** Much faster than plain JavaScript for the short texts of headers and bodies. */
const nativeSha256: Sha256 = (text) => crypto.hash("sha256", text, "hex");

/** What an option may be, and how that is said. */
interface Rule {
  readonly allows: (value: unknown) => boolean;
  readonly values: string;
}

const OPTION_RULES: Readonly<Record<string, Rule>> = {
  durability: oneOf("full", "process"),
  sharing: oneOf("detect", "exclusive"),
  create: oneOf("never", "where-none-was", "new-after-loss"),
  lockWaitMs: {
    allows: (value) => typeof value === "number" && value >= 0,
    values: "a number of milliseconds, 0 or more",
  },
  compactionCeiling: {
    allows: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    values: "a whole number of events, 1 or more",
  },
};

function oneOf(...values: readonly string[]): Rule {
  return {
    allows: (value) => values.includes(value as string),
    values: values.map((value) => JSON.stringify(value)).join(" or "),
  };
}

/**
 * A value that is none of an option's own would quietly stand for another one: a journal that was to
 * be had alone would be shared.
 *
 * @throws HoldfastError `input/invalid`, which names the option and its values
 */
function assertOpenOptions(options: unknown): void {
  if (typeof options !== "object" || options === null) {
    throw invalid("What an engine is opened with has to be an object.", "Pass { projectDir }.");
  }
  const given = options as Readonly<Record<string, unknown>>;
  for (const [name, { allows, values }] of Object.entries(OPTION_RULES)) {
    const value = given[name];
    if (value === undefined || allows(value)) continue;
    throw invalid(`\`${name}\` has to be ${values}.`, "Correct it, or leave it out.");
  }
}

function invalid(message: string, remedy: string): HoldfastError {
  return new HoldfastError("input/invalid", message, remedy);
}
