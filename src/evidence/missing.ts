import {
  type Contract,
  type ContractState,
  type Criterion,
  discoverySteps,
} from "../contract/index.ts";
import type { ProofKind } from "../criteria/index.ts";
import { SHED } from "../journal/index.ts";
import { type GateInput, isSettled } from "./criteria.ts";
import { instructionItems } from "./instructions.ts";
import { COMMAND_MAX } from "./limits.ts";
import type { OpenCall } from "./projection.ts";
import type { GateItem } from "./schemas.ts";
import { SETTLEMENTS } from "./terms.ts";
import { forbiddenChanges, listedText } from "./tree.ts";
import type { CriterionStanding, VerifierStanding } from "./view-schemas.ts";

interface Standings {
  readonly verifiers: readonly VerifierStanding[];
  readonly changes: readonly string[];
  readonly criteria: readonly CriterionStanding[];
}

/** Everything that is between a task and its being done: the tree, changes, verifiers, criteria, calls. */
export function missingItems(
  input: GateInput,
  { verifiers, changes, criteria }: Standings,
): readonly GateItem[] {
  const { contract } = input.task;
  return [
    ...treeItems(input),
    ...contractItems(contract),
    ...planItems(input.task),
    ...changeItems(input, changes),
    ...instructionItems(input.task, changes),
    ...verifiers.flatMap(verifierItems),
    ...criteria.flatMap((standing) =>
      criterionItems(
        standing,
        contract.criteria.find(({ id }) => id === standing.id),
        verifiers.every(({ currency }) => currency === "current"),
      ),
    ),
    ...callItems(input),
  ];
}

function treeItems({ task, tree }: GateInput): readonly GateItem[] {
  const { place, folder, baseline } = task.contract;
  const items: GateItem[] = [];
  // What is done elsewhere says nothing of the tree that the task is about.
  if (tree.place !== place || tree.folder !== folder) {
    items.push({
      code: "other-place",
      message: `The task belongs to ${placeText(place, folder)}, and this is ${placeText(tree.place, tree.folder)}.`,
      remedy: "Ask again in the working tree that the task was started in.",
      command: null,
      by: "agent",
    });
  } else if (tree.base !== baseline.commit) {
    items.push({
      code: "baseline-lost",
      message:
        "The commit that the task began on can't be found any more, so what changed since is not known.",
      remedy: "Bring the commit back into the repository, or start a new task.",
      command: null,
      by: "agent",
    });
  }
  if (tree.digest === null) {
    items.push({
      code: "tree-unavailable",
      message: `The working tree can't be read whole: ${tree.unavailable.join("; ") || "no reason known"}.`,
      remedy: "Make these files readable, or ignore them in git.",
      command: null,
      by: "agent",
    });
  }
  if (tree.dirtyTruncated) {
    items.push({
      code: "changes-too-many",
      message: "More files differ from the beginning than can be compared one by one.",
      remedy: "Ignore generated files in git, or start a new task on a committed tree.",
      command: null,
      by: "agent",
    });
  }
  return items;
}

function placeText(place: string, folder: string): string {
  const tree = place === "folder" ? "a folder without git" : `the working tree ${place}`;
  return folder === "" ? tree : `${folder} in ${tree}`;
}

/** What was agreed on and nobody knows any more binds nobody either, so nothing shows that it was kept to. */
function contractItems(contract: Contract): readonly GateItem[] {
  const { criteria, scope, outOfScope, protectedPaths, baseline, plan } = contract;
  const parts: Readonly<Record<string, readonly (string | null)[]>> = {
    "its criteria": criteria.map(({ text }) => text),
    "its scope": scope,
    "what is out of its scope": outOfScope,
    "its protected paths": protectedPaths,
    "what differed before it": baseline.dirty.flatMap(({ path, entry }) => [path, entry]),
    "its plan": plan.flatMap(({ title, dependsOn }) => [title, ...dependsOn]),
  };
  const lost = Object.keys(parts).filter((part) => parts[part]?.includes(SHED));
  if (lost.length === 0) return [];
  return [
    toEnd(
      "contract-shed",
      `Of what binds the task something was shed (${lost.join(", ")}), so nothing can show that it was kept to.`,
      "Begin anew with a task that may be kept",
    ),
  ];
}

/** A high-risk task is planned and challenged before it is done, whatever was changed meanwhile. */
function planItems({ contract, plan }: ContractState): readonly GateItem[] {
  if (contract.riskLane !== "high-risk" || contract.changeMode === "read-only") return [];
  return discoverySteps(plan)
    .filter(({ status }) => status !== "done")
    .map(({ id, status }) =>
      toRun(
        "plan-step-open",
        `The task is high-risk, and its step ${id} is ${status}.`,
        "Carry it out, and say so",
        `holdfast plan step ${id} --status done`,
      ),
    );
}

function changeItems({ task }: GateInput, changes: readonly string[]): readonly GateItem[] {
  const { contract } = task;
  if (contract.changeMode === "read-only") {
    if (changes.length === 0) return [];
    return [
      {
        code: "read-only-changed",
        message: `A read-only task must change nothing, but these files changed: ${listedText(changes)}.`,
        remedy: "Put them back as they were.",
        command: null,
        by: "observed",
      },
    ];
  }
  const { guarded, outside } = forbiddenChanges(contract, changes);
  const items: GateItem[] = [];
  if (guarded.length > 0) {
    items.push({
      code: "protected-changed",
      message: `Files that the task protects changed: ${listedText(guarded)}.`,
      remedy: "Put them back as they were.",
      command: null,
      by: "observed",
    });
  }
  if (outside.length > 0) {
    items.push({
      code: "out-of-scope",
      message: `Files outside the agreed scope changed: ${listedText(outside)}.`,
      remedy: `Put them back as they were; the scope is ${listedText(contract.scope)}.`,
      command: null,
      by: "observed",
    });
  }
  return items;
}

/** What the agent can do: run this command. */
function toRun(code: string, message: string, advice: string, command: string): GateItem {
  return { code, message, remedy: `${advice}: ${command}`, command, by: "agent" };
}

/** What only a person can decide: to end a run that can't be completed any more; another attempt may follow. */
function toEnd(code: string, message: string, advice: string): GateItem {
  const command = "holdfast conclude --outcome partial --reason …";
  return { code, message, remedy: `${advice}: ${command}`, command, by: "person" };
}

const toVerify = (code: string, message: string) =>
  toRun(code, message, "Run it", "holdfast verify");

function verifierItems(standing: VerifierStanding): readonly GateItem[] {
  const { command, currency, seq, reason, changed } = standing;
  const paths =
    changed.count === 0
      ? ""
      : ` Changed since: ${changed.paths.join(", ")}${changed.count > changed.paths.length ? " and more" : ""}.`;
  const at = `\`${command}\``;
  switch (currency) {
    case "current":
      return [];
    case "missing":
      return [toVerify("verifier-missing", `${at} was not seen to run since the task started.`)];
    case "shed":
      return [
        toEnd(
          "verifier-shed",
          "A verify command of the task was shed, so nothing can prove it any more.",
          "Begin anew with a command that may be kept",
        ),
      ];
    case "flaky":
      return [
        {
          code: "verifier-flaky",
          message: `${at} passed at event ${seq}, after ${standing.failures} failure(s) on the very same working tree, and the task does not take that for proof.`,
          remedy: "Mend what makes it fail now and then; on a changed working tree it counts anew.",
          command: null,
          by: "agent",
        },
      ];
    case "stale":
      return [
        toVerify(
          "verifier-stale",
          `${at} passed at event ${seq}, but the working tree has changed since then.${paths}`,
        ),
      ];
    case "changed-tree":
      return [
        toVerify(
          "verifier-changed-tree",
          `${at} passed at event ${seq} and changed the working tree itself, so it proved another one.${paths}`,
        ),
      ];
    case "failed-before":
      return [
        toVerify(
          "verifier-failed-before",
          `${at} failed at event ${seq}, on another working tree; it has not run since.`,
        ),
      ];
    case "failed":
      return [
        {
          code: "verifier-failed",
          message: `${at} failed at event ${seq} on the working tree as it is.`,
          remedy: `Look at its output (holdfast show ${seq}), mend the cause, and run holdfast verify.`,
          command: `holdfast show ${seq}`,
          by: "observed",
        },
      ];
    case "inconclusive":
      return [
        toVerify(
          "verifier-inconclusive",
          `${at} ended at event ${seq} without a result (${reason ?? "unknown"}).`,
        ),
      ];
    case "folder-unknown":
      return [
        toVerify(
          "verifier-folder-unknown",
          `${at} was observed at event ${seq}, and in which folder is unknown, so it may have been another command.`,
        ),
      ];
    case "other-journal":
      return [
        toVerify(
          "verifier-other-journal",
          `${at} was observed at event ${seq} under another journal's key, which proves nothing here.`,
        ),
      ];
  }
}

function criterionItems(
  standing: CriterionStanding,
  criterion: Criterion | undefined,
  areVerifiersCurrent: boolean,
): readonly GateItem[] {
  const { id, text, judgement, missing, since } = standing;
  if (isSettled(standing)) return [];
  if (criterion?.kind === "human") {
    return [
      judgeItem(
        "criterion-needs-person",
        judgement === null
          ? `${id} ("${text}") is for a person to judge.`
          : `${id} ("${text}") was approved at event ${judgement.seq}, and the working tree changed since.`,
        "Have the person who wants it judge it",
        `holdfast criterion approve ${id} --reason …`,
      ),
    ];
  }
  return (
    missing
      // A verifier that is missing has its own item; it is not told again for each criterion.
      .filter((kind) => kind !== "exact-verifier" || areVerifiersCurrent)
      .map((kind) => ({
        code: "criterion-unproved",
        message:
          kind === "exact-verifier"
            ? `${id} ("${text}") is asked for in these words since event ${since}, and the verify commands did not run since.`
            : `${id} ("${text}") lacks a ${kind} on the working tree as it is.`,
        ...supply(kind, id),
        by: "agent",
      }))
  );
}

function judgeItem(code: string, message: string, advice: string, command: string): GateItem {
  const remedy = `${advice}: ${command}; or conclude as partial with a reason.`;
  return { code, message, remedy, command, by: "person" };
}

/** How a kind of proof is supplied for a criterion. */
function supply(kind: ProofKind, id: string): Pick<GateItem, "remedy" | "command"> {
  const add = (advice: string, reference: string) => {
    const command = `holdfast evidence add --criterion ${id} --kind ${kind} --ref ${reference}`;
    return { remedy: `${advice}: ${command}`, command };
  };
  switch (kind) {
    case "behavioral-check":
      return add("Run a command that shows it, then", "'command:…'");
    case "read-evidence":
      return add("Name the file that shows it", "'path:…'");
    case "scoped-diff":
      return { remedy: "Make the change within the agreed scope.", command: null };
    case "exact-verifier":
      return { remedy: "Run it: holdfast verify", command: "holdfast verify" };
  }
}

function callItems({ task, evidence }: GateInput): readonly GateItem[] {
  const { run } = task.contract;
  const unlisted = evidence.unlisted[run] ?? 0;
  const calls = Object.values(evidence.openCalls).filter(
    (call) => call.run === run && call.effect !== "read",
  );
  return [...(unlisted === 0 ? [] : [unlistedItem(unlisted)]), ...calls.map(callItem)];
}

function callItem(call: OpenCall): GateItem {
  const { seq, tool, command, verifierOf, runAgain } = call;
  if (verifierOf !== null) {
    return toRun(
      "call-uncertain",
      `The run of \`${command}\` that began at event ${seq} was never seen to end.`,
      "Run it again",
      "holdfast verify",
    );
  }
  if (runAgain) {
    return toRun(
      "call-to-run-again",
      `The call at event ${seq} (${tool}: ${command}) has to be run again, as was decided.`,
      "Make it again under observation",
      runAgainCommand(call),
    );
  }
  return {
    code: "call-uncertain",
    message: `The call at event ${seq} (${tool}: ${command}) was never seen to end, so what it did is uncertain.`,
    remedy: `Find out, then: holdfast settle ${seq} --as ${SETTLEMENTS.join("|")} --reason …`,
    command: settleCommand(seq),
    by: "person",
  };
}

/** How somebody says what a call did. */
export function settleCommand(seq: number): string {
  return `holdfast settle ${seq} --as … --reason …`;
}

/** How a call is made again, or its input shown. Only a shell's input, and only a whole one, is a command line. */
export function runAgainCommand({ seq, effect, command, commandHash }: OpenCall): string {
  const isWhole = effect === "shell" && commandHash !== null && command.length < COMMAND_MAX;
  return isWhole ? `holdfast exec -c ${quoted(command)}` : `holdfast show ${seq}`;
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** What a run lacks whose criteria were shed: nobody knows what it is held to. */
export const CRITERIA_SHED: GateItem = toEnd(
  "criteria-shed",
  "What the task is held to was shed, so nothing can show that it is done.",
  "Begin anew with another attempt",
);

function unlistedItem(count: number): GateItem {
  return toEnd(
    "calls-unlisted",
    `${count} more calls of this run were never seen to end, too many to be told apart, so what they did is uncertain.`,
    "Find out (holdfast log), then begin anew with another attempt",
  );
}
