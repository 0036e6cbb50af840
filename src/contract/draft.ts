import type { Refusal } from "../errors.ts";
import { REDACTION_MARKER } from "../redaction/index.ts";
import { pinnedBy } from "./authority.ts";
import {
  ATTEMPTS_DEFAULT,
  CANDIDATES_LISTED,
  CRITERION_MAX,
  SCOPE_ENTRIES_MAX,
  SUMMARY_MIN,
  TASK_ID_MAX,
  VERIFY_TIMEOUT_DEFAULT_MS,
} from "./limits.ts";
import { highRiskProblem, planOf, planProblem } from "./plan.ts";
import type { Contract, Criterion, TaskDraft } from "./schemas.ts";
import { type Bounds, resolvedEntry, scopeEntryProblem } from "./scope.ts";
import { slugOf } from "./slug.ts";

/** What the runtime knows when a task starts and the draft does not say. */
export interface StartFacts {
  readonly run: string;
  readonly intakeMode: Contract["intakeMode"];
  readonly place: string;
  readonly folder: string;
  readonly baseline: Contract["baseline"];
  readonly switches: Contract["switches"];
  /** The text as it may be stored. */
  readonly redact: (text: string) => string;
}

/** Commands that succeed whatever the project does. */
const MEANINGLESS_VERIFIER = /^(?:true|:|echo|printf)(?:[\s;&|<>]|$)/;

/** The exact text of a command: ends trimmed, CRLF as LF, nothing else. */
export function exactCommand(command: string): string {
  return command.replaceAll("\r\n", "\n").trim();
}

/**
 * Fills in what a draft leaves out. The attempt is counted by `decide`.
 *
 * Free texts are redacted here already: the criterion graph is pinned by a digest over them, which
 * has to hold for what is stored.
 */
export function contractOf(draft: TaskDraft, facts: StartFacts): Omit<Contract, "attempt"> {
  const { redact } = facts;
  const changeMode = draft.changeMode ?? "source-change";
  const riskLane = draft.riskLane ?? "normal";
  const summary = redact(draft.summary).trim();
  return {
    schemaVersion: 2,
    taskId: draft.taskId ?? taskIdOf(summary, facts),
    run: facts.run,
    maxAttempts: draft.maxAttempts ?? ATTEMPTS_DEFAULT,
    changeMode,
    riskLane,
    intakeMode: facts.intakeMode,
    summary,
    expectedOutput: draft.expectedOutput == null ? null : redact(draft.expectedOutput).trim(),
    criteria: draft.acceptanceCriteria.map((given, index) =>
      criterionOf(given, criterionId(index + 1), redact),
    ),
    scope: (draft.scope ?? ["**"]).map(redact),
    outOfScope: (draft.outOfScope ?? []).map(redact),
    protectedPaths: (draft.protectedPaths ?? []).map(redact),
    verifyCommands: (draft.verifyCommands ?? []).map(exactCommand),
    verifyTimeoutMs: draft.verifyTimeoutMs ?? VERIFY_TIMEOUT_DEFAULT_MS,
    verifyShell: draft.shell ?? "sh",
    flaky: draft.flaky ?? "mark",
    plan: planOf(draft, { changeMode, riskLane, intakeMode: facts.intakeMode }),
    place: facts.place,
    folder: facts.folder,
    baseline: facts.baseline,
    ...pinnedBy(facts.switches),
  };
}

/** The first reason why a contract can't be agreed on, or null. */
export function contractProblem(
  contract: Omit<Contract, "attempt">,
  carriesSecret: (text: string) => boolean,
): Refusal | null {
  return (
    textProblem(contract) ??
    idProblem(contract, carriesSecret) ??
    verifierProblem(contract, carriesSecret) ??
    scopeProblem(contract) ??
    planRefusal(contract)
  );
}

/** A contract whose paths are those of the project, and what the person who asks for it has to know. */
export interface Resolution<C> {
  readonly contract: C;
  readonly warnings: string[];
}

/**
 * Looks up what the paths of a contract stand for. A name that several files have is refused: which of
 * them is meant nobody but the one who asks can say.
 *
 * @param paths of all files, relative to the project folder; null where they are not known
 */
export function resolved<C extends Bounds>(
  contract: C,
  paths: readonly string[] | null,
  isScopeGiven: boolean,
): Resolution<C> | { readonly refused: Refusal } {
  const warnings = isScopeGiven
    ? []
    : ["No scope is given, so any file of the project may change (scope: **)."];
  if (paths === null) return { contract, warnings };
  const found = { scope: [], outOfScope: [], protectedPaths: [] } as Record<keyof Bounds, string[]>;
  for (const name of Object.keys(found) as (keyof Bounds)[]) {
    for (const entry of contract[name]) {
      const resolution = resolvedEntry(entry, paths);
      if ("candidates" in resolution) return { refused: ambiguous(entry, resolution.candidates) };
      const { entry: meant, isFound } = resolution;
      // What is to be left alone is left alone under both names.
      if (meant !== entry && name !== "scope") found[name].push(entry);
      found[name].push(meant);
      if (meant !== entry) warnings.push(`${entry} stands for ${meant}.`);
      if (name === "scope" && !isFound)
        warnings.push(`The scope entry ${entry} matches no file yet.`);
    }
  }
  return { contract: { ...contract, ...found }, warnings };
}

function ambiguous(entry: string, candidates: readonly string[]): Refusal {
  const listed = candidates.slice(0, CANDIDATES_LISTED);
  const more = candidates.length - listed.length;
  return {
    code: "contract/scope-ambiguous",
    message: `${entry} is the name of ${candidates.length} files: ${listed.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    remedy: `Name the one that is meant by its path, or all of them as **/${entry}.`,
  };
}

function taskIdOf(summary: string, { run, redact }: StartFacts): string {
  const suffix = run.slice(-8);
  const slug = slugOf(summary, TASK_ID_MAX - suffix.length - 1);
  const taskId = `${slug}-${suffix}`;
  // Harmless words joined by hyphens can look like a key, which would not be stored as it is.
  return slug === "" || redact(taskId) !== taskId ? `task-${suffix}` : taskId;
}

/** The id of the criterion with this number; numbers begin at 1. */
export function criterionId(number: number): string {
  return `criterion-${String(number).padStart(2, "0")}`;
}

/** A criterion with all that its draft left out. */
export function criterionOf(
  given: TaskDraft["acceptanceCriteria"][number],
  id: string,
  redact: StartFacts["redact"],
): Criterion {
  const criterion = typeof given === "string" ? { text: given } : given;
  const text = redact(criterion.text).trim();
  return {
    id,
    text,
    label: criterion.label === undefined ? labelOf(text) : redact(criterion.label),
    kind: criterion.kind ?? "observed",
    priority: criterion.priority ?? "normal",
  };
}

/** A criterion may begin with a label that later ones refer to: "[Guard] …". */
function labelOf(text: string): string | null {
  return /^\s*\[([A-Za-z][A-Za-z0-9_-]{0,20})\]/.exec(text)?.[1] ?? null;
}

function textProblem(contract: Omit<Contract, "attempt">): Refusal | null {
  const empty = contract.criteria.find((criterion) => criterion.text === "");
  if (empty !== undefined) {
    return invalid(`${empty.id} has no text`, "Say what has to hold when the task is done.");
  }
  const long = contract.criteria.find(({ text }) => [...text].length > CRITERION_MAX);
  if (long !== undefined) {
    return invalid(
      `${long.id} is longer than ${CRITERION_MAX} characters once its secrets are taken out`,
      "Leave the secrets out: they would not be stored.",
    );
  }
  if (contract.summary.length < SUMMARY_MIN) {
    return invalid(
      `The summary "${contract.summary}" is shorter than ${SUMMARY_MIN} characters`,
      "Say in a sentence what is asked for.",
    );
  }
  if (contract.expectedOutput !== null && contract.expectedOutput.length < SUMMARY_MIN) {
    return invalid(
      `The expected output "${contract.expectedOutput}" is shorter than ${SUMMARY_MIN} characters`,
      "Say in a sentence what a good result is, or leave it out.",
    );
  }
  return null;
}

/** An id is stored as it is or not at all: a redacted one would be no id any more. */
function idProblem(
  contract: Omit<Contract, "attempt">,
  carriesSecret: (text: string) => boolean,
): Refusal | null {
  const remedy = "Give it a plain name.";
  if (carriesSecret(contract.taskId)) return invalid("The task id looks like a secret", remedy);
  const step = contract.plan.findIndex(({ id }) => carriesSecret(id));
  return step < 0 ? null : invalid(`The id of plan step ${step + 1} looks like a secret`, remedy);
}

function verifierProblem(
  contract: Omit<Contract, "attempt">,
  carriesSecret: (text: string) => boolean,
): Refusal | null {
  const { verifyCommands } = contract;
  const secret = verifyCommands.findIndex(carriesSecret);
  if (secret >= 0) {
    return {
      code: "contract/secret-in-command",
      message: `Verify command ${secret + 1} carries a secret, so it could not be stored to be run again.`,
      remedy: "Take the secret from the environment or a file, and leave it out of the command.",
    };
  }
  const nul = verifyCommands.findIndex((command) => command.includes("\0"));
  if (nul >= 0) {
    return invalid(`Verify command ${nul + 1} holds a NUL character`, "Give it as it is run.");
  }
  const twice = verifyCommands.find((command, index) => verifyCommands.indexOf(command) !== index);
  if (twice !== undefined) {
    return invalid(`The verify command \`${twice}\` is given twice`, "Give each command once.");
  }
  const meaningless = verifyCommands.find(
    (command) => command === "" || MEANINGLESS_VERIFIER.test(command),
  );
  const none = contract.changeMode === "source-change" && verifyCommands.length === 0;
  if (!none && meaningless === undefined) return null;
  return {
    code: "contract/no-verifier",
    message: none
      ? "A source change needs a command that proves it, and none is given."
      : `\`${meaningless}\` succeeds whatever the project does, so it proves nothing.`,
    remedy: "Name the command that has to pass, for instance --verify 'npm test'.",
  };
}

function scopeProblem(contract: Omit<Contract, "attempt">): Refusal | null {
  const { scope, outOfScope, protectedPaths } = contract;
  for (const list of [scope, outOfScope, protectedPaths]) {
    if (list.length <= SCOPE_ENTRIES_MAX) continue;
    return scopeInvalid(
      `A list of paths has ${list.length} entries, and at most ${SCOPE_ENTRIES_MAX}`,
    );
  }
  if (scope.length === 0) {
    return scopeInvalid("The scope is an empty list, so nothing may change");
  }
  for (const entry of [...scope, ...outOfScope, ...protectedPaths]) {
    const problem = entry.includes(REDACTION_MARKER)
      ? "it looks like a secret, and would not be stored as it is"
      : scopeEntryProblem(entry);
    if (problem !== null) {
      return scopeInvalid(`The scope entry ${JSON.stringify(entry)} can't be used: ${problem}`);
    }
  }
  return null;
}

function planRefusal(contract: Omit<Contract, "attempt">): Refusal | null {
  const { plan, riskLane } = contract;
  const problem =
    planProblem(plan) ?? (riskLane === "high-risk" ? highRiskProblem(contract, plan) : null);
  if (problem === null) return null;
  return {
    code: "contract/plan-invalid",
    message: `The plan can't be followed: ${problem}.`,
    remedy: "Give each step an id of its own and let it depend on earlier steps only.",
  };
}

const invalid = (what: string, remedy: string): Refusal => ({
  code: "contract/invalid",
  message: `${what}.`,
  remedy,
});

const scopeInvalid = (what: string): Refusal => ({
  code: "contract/scope-invalid",
  message: `${what}.`,
  remedy: "Name paths or globs relative to the project folder, for instance src/**.",
});
