import { ATTEMPTS_DEFAULT } from "./limits.ts";
import type { ContractV1, Migration, TaskDraft } from "./schemas.ts";

/**
 * Reads contracts of version 1.
 *
 * Only what was asked for is taken over: fields of a closed list, with the defaults of a draft for
 * those that version 1 left out. Nothing that it says of digests, evidence or progress is, since its
 * digests have no name for how they were made and so can't be compared with ours.
 *
 * @see docs/contract-import.md
 */

/** What was asked for, as a draft of today. */
export function draftOfV1(old: ContractV1): TaskDraft {
  const { taskId, summary, acceptanceCriteria } = old;
  const { changeMode, riskLane, expectedOutput, workPlan = [] } = old;
  const { scope, outOfScope, protectedPaths, verifyCommands } = old;
  const plan = workPlan.map(({ id, title, mode, role = "parent", dependsOn = [] }) => ({
    role,
    id,
    title,
    mode,
    dependsOn: [...dependsOn],
  }));
  return {
    taskId,
    summary,
    acceptanceCriteria: [...acceptanceCriteria],
    maxAttempts: old.maxAttempts ?? Math.max(ATTEMPTS_DEFAULT, attemptOfV1(old)),
    ...(changeMode === undefined ? {} : { changeMode }),
    ...(riskLane === undefined ? {} : { riskLane }),
    ...(expectedOutput === undefined ? {} : { expectedOutput }),
    ...(scope === undefined ? {} : { scope }),
    ...(outOfScope === undefined ? {} : { outOfScope }),
    ...(protectedPaths === undefined ? {} : { protectedPaths }),
    ...(verifyCommands === undefined ? {} : { verifyCommands }),
    ...(plan.length === 0 ? {} : { plan }),
  };
}

export function attemptOfV1({ attempt = 1 }: ContractV1): number {
  return attempt;
}

/**
 * What becomes of a contract of version 1.
 *
 * @param isOwnSession whether the session that imports it is exactly the one that it names
 */
export function migrationOf(
  old: ContractV1,
  { archive, isOwnSession }: Pick<Migration, "archive"> & { readonly isOwnSession: boolean },
): Migration {
  const { outcome } = old.trace;
  return {
    schemaVersion: 1,
    taskRunId: old.taskRunId ?? null,
    outcome,
    status:
      outcome !== "pending"
        ? "historical-unverifiable"
        : isOwnSession && canBeRefreshed(old)
          ? "verification-refresh-required"
          : "new-attempt-required",
    archive,
  };
}

/** Whether running each verify command once more is all that a pending attempt lacks. */
function canBeRefreshed({ changeMode, baselineChangedFiles, verifyCommands = [] }: ContractV1) {
  const isSourceChange = (changeMode ?? "source-change") === "source-change";
  const beganClean = baselineChangedFiles?.length === 0;
  return isSourceChange && beganClean && verifyCommands.length > 0;
}

/** Fields that are taken over or looked at: all that the schema names. */
const READ: Readonly<Record<keyof ContractV1, true>> = {
  schemaVersion: true,
  taskId: true,
  summary: true,
  acceptanceCriteria: true,
  trace: true,
  taskRunId: true,
  sessionId: true,
  attempt: true,
  maxAttempts: true,
  changeMode: true,
  riskLane: true,
  intakeMode: true,
  expectedOutput: true,
  scope: true,
  outOfScope: true,
  protectedPaths: true,
  verifyCommands: true,
  workPlan: true,
  baselineChangedFiles: true,
};

/** Fields that version 1 had, and of which nothing holds in a run of today. */
const NOT_TAKEN_OVER: readonly string[] = [
  "sessionName",
  "previousAttempts",
  "createdAt",
  "updatedAt",
  "requiredContext",
  "contextManifest",
  "memoryCitations",
  "mcpCapabilities",
  "criterionGraph",
  "reviewLenses",
  "orchestration",
  "verifyGroup",
  "verifyEvidence",
  "baselineFileDigests",
  "observedChangedFiles",
  "finalWorkingTreeFiles",
  "finalFileDigests",
  "changedFiles",
  "workingTreeDigestAlgorithm",
  "workingTreeDigestMigration",
  "acceptanceReceipt",
  "authoritySnapshot",
  "failedAt",
  "failureReason",
  "ruledOut",
];

type Fields = Readonly<Record<string, unknown>>;

/** What is read of a contract, without all else. */
export function readFieldsOfV1(contract: Fields): Fields {
  const { trace } = contract;
  const read = Object.keys(READ).filter((name) => Object.hasOwn(contract, name));
  const fields = Object.fromEntries(read.map((name) => [name, contract[name]]));
  return typeof trace === "object" && trace !== null && "outcome" in trace
    ? { ...fields, trace: { outcome: trace.outcome } }
    : fields;
}

/** Names that a warning lists at most, and characters of one. */
const NAMES_MAX = 10;
const NAME_MAX = 60;

/** What somebody who imports a contract has to know: what of it stands in the archive alone. */
export function warningsOnV1(contract: Fields): readonly string[] {
  const names = Object.keys(contract);
  const unknown = names.filter((name) => !isRead(name) && !NOT_TAKEN_OVER.includes(name));
  const left = names.filter((name) => NOT_TAKEN_OVER.includes(name) && !isEmpty(contract[name]));
  return [
    ...(unknown.length === 0
      ? []
      : [`Fields that version 1 does not have are ignored: ${listed(unknown)}.`]),
    ...(left.length === 0 ? [] : [`These stand in the archive alone: ${listed(left)}.`]),
  ];
}

function isRead(name: string): boolean {
  return Object.hasOwn(READ, name);
}

/** A list or an object with something in it is missed by somebody; a time or a label is not. */
function isEmpty(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_MAX).map((name) => name.slice(0, NAME_MAX));
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}
