import crypto from "node:crypto";
import process from "node:process";
import type { Switches } from "./contract/index.ts";
import { DEFAULT_SWITCHES, Engine, type EnginePorts } from "./engine/index.ts";
import type { JournalPorts, JournalStore } from "./journal/index.ts";
import type { Durability } from "./journal-sqlite/index.ts";
import { assertNodeVersion } from "./node-version.ts";
import type { Clock, Ids, Sha256 } from "./ports.ts";
import { createRedactor, sensitiveEnvironment } from "./redaction/index.ts";
import type { Workspace } from "./workspace/port.ts";

export interface EngineOptions {
  /** The project folder. Defaults to the current one. */
  readonly projectDir?: string;
  /** The state folder. Defaults to the project's own, found or made by the rules of `docs/state-folder.md`. */
  readonly stateDir?: string;
  /** `full` (default): an acknowledged event survives a power cut; `process`: a killed process. */
  readonly durability?: Durability;
  /** What to do where no journal is. Defaults to `where-none-was`: make one, unless an older one is gone. */
  readonly create?: "never" | "where-none-was" | "new-after-loss";
  /** How long a write waits for the lock of another process, in milliseconds. */
  readonly lockWaitMs?: number;
  readonly switches?: Partial<Switches>;
  readonly store?: JournalStore;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly workspace?: Workspace;
}

/**
 * Opens the engine on a project. With `store`, `clock`, `ids` and `workspace` given it touches no
 * file.
 *
 * @throws HoldfastError `runtime/node-too-old`, `journal/missing`, `journal/unsafe-path` and what
 * else the store throws when it is opened
 * @example
 * const engine = await openEngine({ projectDir: "." });
 * const task = await engine.startTask(draft, { session: "s-1" });
 */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const ports = await systemPorts(options);
  const literals = sensitiveEnvironment(process.env);
  const { store, workspace } = await storeAndWorkspace(options, ports);
  const engine: EnginePorts = {
    ...ports,
    store,
    workspace,
    redactor: createRedactor({ literals }),
    switches: { ...DEFAULT_SWITCHES, ...options.switches },
  };
  try {
    return await Engine.open(engine);
  } catch (error) {
    await store.close();
    throw error;
  }
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

async function systemIds(): Promise<Ids> {
  const { v7 } = await import("uuid");
  return { uuid: () => v7(), secret: () => crypto.randomBytes(32).toString("hex") };
}

async function storeAndWorkspace(
  options: EngineOptions,
  ports: JournalPorts,
): Promise<{ store: JournalStore; workspace: Workspace }> {
  const { store, workspace } = options;
  if (store !== undefined && workspace !== undefined) return { store, workspace };
  assertNodeVersion(process.version);
  const [{ JOURNAL_FILE, openSqliteStore }, { locateStateFolder, openWorkspace }] =
    await Promise.all([import("./journal-sqlite/index.ts"), import("./workspace/index.ts")]);
  const located = await locateStateFolder({
    from: options.projectDir ?? process.cwd(),
    env: options.stateDir ?? process.env.HOLDFAST_DIR,
    journalFile: JOURNAL_FILE,
  });
  return {
    store:
      store ??
      (await openSqliteStore({
        projectDir: located.projectDir,
        stateDir: located.stateDir,
        create: options.create ?? "where-none-was",
        ports,
        ...(options.durability === undefined ? {} : { durability: options.durability }),
        ...(options.lockWaitMs === undefined ? {} : { lockWaitMs: options.lockWaitMs }),
      })),
    workspace: workspace ?? (await openWorkspace(located)),
  };
}
