import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { DEFAULT_SWITCHES, Engine } from "../src/engine/index.ts";
import type { JournalStore } from "../src/journal/index.ts";
import { type Durability, openSqliteStore } from "../src/journal-sqlite/index.ts";
import { systemPorts } from "../src/open.ts";
import { createRedactor } from "../src/redaction/index.ts";
import type { Workspace } from "../src/workspace/port.ts";

/** A new folder on the disk that is measured (`BENCH_DIR`, else the system's temporary one). */
export function scratchFolder(): string {
  const root = process.env.BENCH_DIR ?? os.tmpdir();
  fs.mkdirSync(root, { recursive: true });
  return fs.mkdtempSync(path.join(root, "holdfast-bench-"));
}

export async function openStore(folder: string, durability: Durability): Promise<JournalStore> {
  return openSqliteStore({
    projectDir: folder,
    stateDir: path.join(folder, ".holdfast"),
    durability,
    create: "where-none-was",
    ports: await systemPorts(),
  });
}

/** The engine over a real journal and a tree that costs nothing to read, so that only the rest is measured. */
export async function openEngineOn(folder: string, durability: Durability): Promise<Engine> {
  return Engine.open({
    ...(await systemPorts()),
    store: await openStore(folder, durability),
    workspace: STILL,
    redactor: createRedactor(),
    switches: DEFAULT_SWITCHES,
  });
}

export const STILL_DIGEST = "a".repeat(64);

const STILL: Workspace = {
  read: async () => ({
    place: "main",
    folder: "",
    method: "git",
    digest: STILL_DIGEST,
    unavailable: [],
    commit: null,
    branch: null,
    operation: null,
    dirty: {},
    base: null,
    dirtyTruncated: false,
  }),
  fileDigest: async () => null,
};
