import {
  exactCommand,
  FAILED_AT,
  isUntold,
  nextStatus,
  scopeEntryProblem,
} from "../contract/index.ts";
import type { Refusal } from "../errors.ts";
import {
  evaluateGate,
  type GateEvaluated,
  gateWithoutGraph,
  isCheck,
  type Observation,
  type RecordedObservation,
  type Reference,
  type WhyNotCounted,
  whyNotCounted,
} from "../evidence/index.ts";
import { movesAtConclusion } from "../trajectory/index.ts";
import { accept, type Decision, phasesEntered, refuse, refused } from "./decision.ts";
import type { Facts } from "./facts.ts";
import type { ProjectState, RunState } from "./projection.ts";
import type { BindEvidence, ConcludeTask, RecordGate } from "./schemas.ts";
import { criterionUnknown, ownRun } from "./which.ts";

/** Binds evidence to a criterion. Whether it holds is judged at each evaluation of the gate. */
export function bindEvidence(state: ProjectState, command: BindEvidence, facts: Facts): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const { criterion, kind } = command;
  const node = own.graph?.nodes.find(({ id }) => id === criterion);
  if (node === undefined) return refused(criterionUnknown(own, criterion));
  if (!node.proofKinds.includes(kind)) {
    return refuse(
      "evidence/kind-not-asked",
      `${criterion} does not ask for a ${kind}.`,
      `It asks for ${node.proofKinds.join(" and ")}.`,
    );
  }
  const resolved = resolveReference(state, own, command, facts);
  if ("refusal" in resolved) return resolved;
  return accept({
    run: own.task.contract.run,
    type: "evidence.bound",
    body: { criterion, kind, ...resolved },
  });
}

type Resolved = {
  readonly reference: Reference;
  readonly observation: Observation | null;
};

function resolveReference(
  state: ProjectState,
  { task }: RunState,
  { reference: text, kind }: BindEvidence,
  facts: Facts,
): Resolved | Decision {
  const [, scheme, rest] = /^(seq|command|path):(.*)$/s.exec(text) ?? [null, "path", text];
  if (kind === "scoped-diff") {
    return refuse(
      "evidence/kind-by-runtime",
      "A scoped-diff is seen from the working tree itself and needs no reference.",
      "Make the change within the agreed scope; `holdfast gate` tells whether it is.",
    );
  }
  if (scheme === "path") {
    return kind === "read-evidence"
      ? resolvePath(rest ?? "", facts)
      : refuse(
          "evidence/reference-invalid",
          `A file shows no ${kind}; an observed command does.`,
          "Refer to one with seq:N or command:TEXT.",
        );
  }
  const found =
    scheme === "seq"
      ? observationAt(state, rest ?? "")
      : latestOf(state, rest ?? "", task.contract.folder, facts);
  if (found === undefined) {
    return refuse(
      "evidence/observation-unknown",
      `No observed command matches ${text} (only the newest ones can be referred to).`,
      "Run it under observation: holdfast exec -- …, then refer to its event with seq:N.",
    );
  }
  // A verify command was agreed on as a check, whatever it is.
  if (found.commandHash === null || (found.verifierOf === null && !isCheck(found.command))) {
    return refuse(
      "evidence/not-a-check",
      `\`${found.command}\` only prints or reads, does nothing, or carries a secret, so it proves no behavior.`,
      "Refer to a command that runs what the criterion is about and fails when it does not hold.",
    );
  }
  const why = whyNotCounted(found, task, facts.hashing);
  if (why !== null) return refused(notCounted(found.seq, why));
  const { seq, ...observation } = found;
  return scheme === "seq"
    ? { reference: { type: "observation", seq }, observation }
    : {
        reference: { type: "command", command: found.command, commandHash: found.commandHash },
        observation: null,
      };
}

function notCounted(seq: number, why: WhyNotCounted): Refusal {
  switch (why) {
    case "before-task":
      return {
        code: "evidence/before-task",
        message: `Event ${seq} was observed before the task began, so it shows nothing of it.`,
        remedy: "Run the command again under observation: holdfast exec -- …",
      };
    case "folder-unknown":
      return {
        code: "evidence/folder-unknown",
        message: `Event ${seq} was observed by an older version, and in which folder is unknown, so it may have been another command.`,
        remedy: "Run the command again under observation: holdfast exec -- …",
      };
    case "other-folder":
      return {
        code: "evidence/other-folder",
        message: `Event ${seq} was observed in another folder than the task's, where the same words are another command.`,
        remedy: "Run the command in the project folder: holdfast exec -- …",
      };
    case "other-journal":
      return {
        code: "evidence/other-journal",
        message: `Event ${seq} was observed under another journal's key, which proves nothing here.`,
        remedy: "Run the command again under observation: holdfast exec -- …",
      };
  }
}

function observationAt(state: ProjectState, text: string): RecordedObservation | undefined {
  return /^\d+$/.test(text)
    ? state.evidence.recent.find(({ seq }) => seq === Number(text))
    : undefined;
}

/** The newest observation of a command in the task's folder, else the newest of all. */
function latestOf(
  state: ProjectState,
  command: string,
  folder: string,
  facts: Facts,
): RecordedObservation | undefined {
  const hash = facts.hashing.hashOf(exactCommand(command));
  const observed = state.evidence.recent.filter(({ commandHash }) => commandHash === hash);
  return observed.findLast((observation) => observation.folder === folder) ?? observed.at(-1);
}

function resolvePath(path: string, facts: Facts): Resolved | Decision {
  if (scopeEntryProblem(path) !== null || path.split("/").includes(".git")) {
    return refuse(
      "evidence/reference-invalid",
      `${path} is no file of the project.`,
      "Name a file relative to the project folder, for instance path:src/cart.js.",
    );
  }
  const files = facts.tree?.files ?? {};
  const digest = Object.hasOwn(files, path) ? files[path] : null;
  if (digest == null) {
    return refuse(
      "evidence/file-unreadable",
      `${path} is no readable file of this project.`,
      "Name a file relative to the project folder.",
    );
  }
  return { reference: { type: "path", path, digest }, observation: null };
}

/** Evaluates the gate and records the answer. */
export function recordGate(state: ProjectState, command: RecordGate, facts: Facts): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const body = gateOf(state, own, facts);
  return accept({ run: own.task.contract.run, type: "gate.evaluated", body });
}

/**
 * Ends the run. `completed` only through a passing gate, the other outcomes only with a reason.
 * The gate's answer is recorded in any case: a refused claim is part of the history.
 */
export function concludeTask(state: ProjectState, command: ConcludeTask, facts: Facts): Decision {
  const own = ownRun(state, facts, command);
  if ("refused" in own) return refused(own.refused);
  const { outcome, reason, failedAt } = command;
  const { contract, status } = own.task;
  const { run } = contract;
  const gate = gateOf(state, own, facts);
  const gatePasses = gate.decision === "pass";
  const claim = {
    type: "conclude",
    outcome,
    gatePasses,
    hasReason: reason !== undefined,
    saysWhere: failedAt !== undefined,
  } as const;
  const next = isUntold(status) ? null : nextStatus(status, claim);
  const evaluated = { run, type: "gate.evaluated", body: gate } as const;
  if (next === null && outcome === "completed") {
    const refusal = {
      code: "gate/refused" as const,
      message: `The task is not done: ${gate.missing.map(({ message }) => message).join(" ")}`,
      remedy: gate.missing[0]?.remedy ?? "Look at the gate: holdfast gate",
    };
    return { events: [evaluated], refusal };
  }
  if (next === null) {
    return refuse(
      "contract/invalid",
      `The outcome ${outcome} needs a reason${outcome === "failed" ? " and the phase that failed" : ""}.`,
      outcome === "failed"
        ? `Add --reason … and --failed-at ${FAILED_AT.join("|")}.`
        : "Add --reason …",
    );
  }
  return accept(
    evaluated,
    {
      run,
      type: "task.concluded",
      body: {
        outcome,
        reason: reason ?? null,
        failedAt: failedAt ?? null,
        tree: gate.tree,
        commit: gate.commit,
        changed: gate.changed,
      },
    },
    ...phasesEntered(run, movesAtConclusion(own.trajectory.phase, contract, outcome), "completion"),
  );
}

function gateOf(state: ProjectState, own: RunState, facts: Facts): GateEvaluated {
  const { task, graph } = own;
  if (facts.tree === null) throw new Error("The gate needs the working tree.");
  if (graph === null) return gateWithoutGraph(facts.tree);
  const { evidence } = state;
  return evaluateGate({ task, graph, evidence, tree: facts.tree, hashing: facts.hashing });
}
