import type { ObservedTree } from "../evidence/index.ts";
import type { Command, ProjectState, RunState } from "../task/index.ts";
import type { Workspace } from "../workspace/port.ts";

/**
 * Reads the working tree against the beginning of a run, with the files that its evidence refers to.
 *
 * @param sinceSeq how far the journal was read before the reading began
 */
export async function observeTree(
  workspace: Workspace,
  sinceSeq: number,
  run: RunState | null,
  evidence: ProjectState["evidence"],
  more: { readonly file?: string; readonly paths?: boolean } = {},
): Promise<ObservedTree> {
  const base = run?.task.contract.baseline.commit;
  const paths = new Set(run === null ? [] : boundPaths(evidence, run.task.contract.run));
  if (more.file !== undefined) paths.add(more.file);
  const reading = await workspace.read({
    ...(run === null ? {} : { base }),
    ...(more.paths === true ? { paths: true } : {}),
  });
  const files = await Promise.all(
    [...paths].map(async (path) => [path, await workspace.fileDigest(path)] as const),
  );
  const { place, folder, digest, commit, branch, operation, dirty, dirtyTruncated } = reading;
  return {
    place,
    folder,
    digest,
    unavailable: reading.unavailable.map(({ path, reason }) =>
      path === null ? reason : `${path} (${reason})`,
    ),
    commit,
    branch,
    operation,
    base: reading.base,
    dirty,
    dirtyTruncated,
    files: Object.fromEntries(files),
    sinceSeq,
    ...(reading.paths === undefined ? {} : { paths: reading.paths }),
  };
}

function boundPaths(evidence: ProjectState["evidence"], run: string): readonly string[] {
  return (evidence.bindings[run] ?? []).flatMap(({ reference }) =>
    reference.type === "path" ? [reference.path] : [],
  );
}

/** Whether a command is decided on the working tree as it is now. */
export function needsTree(command: Command): boolean {
  switch (command.type) {
    case "startTask":
    case "importContract":
    case "retryTask":
    case "observeCommand":
    case "judgeCriterion":
    case "narrowScope":
    case "recordGate":
    case "concludeTask":
      return true;
    case "requestTool":
      return command.effect !== "read";
    case "bindEvidence":
      return command.kind === "read-evidence";
    default:
      return false;
  }
}

/** An observation is a fact: it never waits for a tree that does not hold still. */
export function isObservation({ type }: Command): boolean {
  return type === "requestTool" || type === "observeCommand";
}
