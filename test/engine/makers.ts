import {
  type ContractArchive,
  DEFAULT_SWITCHES,
  Engine,
  type EnginePorts,
} from "../../src/engine/index.ts";
import { type JournalStore, MemoryStore, portableSha256 } from "../../src/journal/index.ts";
import { createRedactor } from "../../src/redaction/index.ts";
import type { Command } from "../../src/task/index.ts";
import { fixedPorts } from "../journal/makers.ts";
import { DRAFT, MapWorkspace, VERIFIER } from "./workspace.ts";

export { DRAFT, MapWorkspace, VERIFIER };

/** A command that was seen to end, with the tree as it was before. */
export function observed(
  treeBefore: string | null,
  more: { command?: string; exitCode?: number | null; call?: string; output?: string } = {},
): Command {
  const { command = VERIFIER, exitCode = 0, call = "call-1", output = "" } = more;
  return {
    type: "observeCommand",
    call,
    tool: "bash",
    command,
    treeBefore,
    end: { exitCode, signal: null, timedOut: false, aborted: false },
    output: { digest: portableSha256(output), bytes: output.length, head: output, tail: "" },
    durationMs: 12,
  };
}

export interface Opened {
  readonly engine: Engine;
  readonly workspace: MapWorkspace;
  readonly store: JournalStore;
}

/** An engine without a disk or chance. A further one may be opened over the same store and tree. */
export async function openEngineOver(
  given: {
    store?: JournalStore;
    workspace?: MapWorkspace;
    kind?: number;
    archive?: ContractArchive;
  } = {},
): Promise<Opened> {
  const ports = fixedPorts(given.kind);
  const store = given.store ?? new MemoryStore(ports.ids);
  const workspace = given.workspace ?? new MapWorkspace({ "src/cart.js": "v1" });
  const { archive } = given;
  const engine = await Engine.open({ ...enginePorts(ports), store, workspace, archive });
  return { engine, workspace, store };
}

function enginePorts(
  ports: ReturnType<typeof fixedPorts>,
): Omit<EnginePorts, "store" | "workspace"> {
  return { ...ports, redactor: createRedactor(), switches: DEFAULT_SWITCHES };
}

/** A task that was started, worked on and verified; nothing stands in the way of its conclusion. */
export async function provedTask(session = "ada"): Promise<Opened & { readonly run: string }> {
  const opened = await openEngineOver();
  const { engine, workspace } = opened;
  const { run } = await engine.startTask(DRAFT, { session });
  workspace.write("src/cart.js", "v2");
  const { events } = await engine.dispatch(observed(workspace.digest), { session });
  const reference = `seq:${events[0]?.header.seq}`;
  await engine.dispatch(
    { type: "bindEvidence", criterion: "criterion-01", kind: "behavioral-check", reference },
    { session },
  );
  return { ...opened, run };
}
