import { createHash } from "node:crypto";
import type { ContractV1, Switches, TaskDraft } from "../../src/contract/index.ts";
import type { CommandEnd, CommandHashing, ObservedTree } from "../../src/evidence/index.ts";
import { type Header, keyedHash } from "../../src/journal/index.ts";
import { createRedactor, REDACTOR_VERSION } from "../../src/redaction/index.ts";
import type { Command, Facts, ObserveCommand } from "../../src/task/index.ts";

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The sessions that take part: hashes of their ids, as everywhere past the engine's door. */
export const ADA = sha256("session of Ada");
export const BOB = sha256("session of Bob");

export const VERIFIER = "npm test";
/** A criterion that asks for a behavioral check and the exact verifier. */
export const BEHAVIOR = "addItem counts quantities";
/** A criterion that the exact verifier alone proves. */
export const VERIFIED = "all tests pass";

/** A small source change that its verifier alone proves. */
export function aDraft(over: Partial<TaskDraft> = {}): TaskDraft {
  return {
    summary: "Reject quantities below one",
    acceptanceCriteria: [VERIFIED],
    verifyCommands: [VERIFIER],
    scope: ["src/**", "test/**"],
    ...over,
  };
}

/** A task that may look and not change. */
export function aReading(over: Partial<TaskDraft> = {}): TaskDraft {
  return {
    summary: "Find out why the cart is slow",
    acceptanceCriteria: ["the reason is known"],
    changeMode: "read-only",
    ...over,
  };
}

/** A contract as version 1 wrote it while its task was worked on. */
export function aContractV1(over: Readonly<Record<string, unknown>> = {}): ContractV1 {
  return {
    schemaVersion: 1,
    taskRunId: "cart-20250102030405abcdef0123",
    taskId: "cart",
    sessionId: "session of Ada",
    attempt: 1,
    maxAttempts: 3,
    changeMode: "source-change",
    riskLane: "normal",
    summary: "Reject quantities below one",
    expectedOutput: "addItem throws RangeError",
    acceptanceCriteria: [VERIFIED],
    scope: ["src/**", "test/**"],
    verifyCommands: [VERIFIER],
    baselineChangedFiles: [],
    trace: { outcome: "pending" },
    ...over,
  };
}

/** Wishes for it to become a run. */
export function importOf(contract: unknown): Command {
  const text = JSON.stringify(contract);
  return {
    type: "importContract",
    contract,
    archive: { digest: sha256(text), bytes: text.length },
  };
}

/** A UUID of version 7 that ends in a number. */
export function anId(number: number): string {
  return `01900000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

export const PASSED: CommandEnd = { exitCode: 0, signal: null, timedOut: false, aborted: false };
export const FAILED: CommandEnd = { ...PASSED, exitCode: 1 };
export const TIMED_OUT: CommandEnd = { ...PASSED, exitCode: null, timedOut: true };

export const NO_OUTPUT: ObserveCommand["output"] = {
  digest: sha256(""),
  bytes: 0,
  head: "",
  tail: "",
};

/** Hashes of commands under the key of one journal. */
export function hashingOf(key: string): CommandHashing {
  return { keyId: sha256(`id of ${key}`), hashOf: (command) => keyedHash(sha256(key), command) };
}

export const HASHING = hashingOf("this journal");
export const SWITCHES: Switches = {
  autoRecovery: "on",
  phaseTools: "shadow",
  intelligenceEngine: "on",
};
export const REDACTOR = createRedactor();

/** An empty working tree, read after the whole journal. */
export function aTree(over: Partial<ObservedTree> = {}): ObservedTree {
  return {
    place: "main",
    folder: "",
    digest: sha256("an empty tree"),
    unavailable: [],
    commit: null,
    branch: null,
    operation: null,
    base: null,
    dirty: {},
    dirtyTruncated: false,
    files: {},
    sinceSeq: Number.MAX_SAFE_INTEGER,
    ...over,
  };
}

export function facts(over: Partial<Facts> = {}): Facts {
  return {
    session: ADA,
    newRun: anId(1),
    tree: aTree(),
    hashing: HASHING,
    redactorVersion: REDACTOR_VERSION,
    redact: REDACTOR.text,
    switches: SWITCHES,
    switched: {},
    sha256,
    ...over,
  };
}

/** The header of a made-up event; a fold reads nothing else of it than what is given here. */
export function aHeader(over: Partial<Header>): Header {
  return {
    v: 1,
    seq: 1,
    id: anId(1),
    run: "-",
    runSeq: 1,
    type: "x.test",
    at: "2026-01-02T03:04:05.678Z",
    session: null,
    cause: null,
    key: null,
    bodyDigest: sha256("{}"),
    prev: sha256("before"),
    ...over,
  };
}

/** The same value with everything in it frozen, so that a write to it throws. */
export function deepFrozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFrozen(part);
  }
  return value;
}
