import { FOCUSED_FILES_DEFAULT, focusedFiles } from "../criteria/index.ts";
import { pathInProject, realChanges } from "../evidence/index.ts";
import { type ResumeInput, runToResume } from "../handoff/index.ts";

/** The files that a session should look at first for the task that it finds; none without one. */
export function filesInFocus(
  { state, session, tree }: Pick<ResumeInput, "state" | "session" | "tree">,
  limit = FOCUSED_FILES_DEFAULT,
): readonly string[] {
  const run = runToResume(state, session);
  if (run?.graph == null) return [];
  const { contract } = run.task;
  const inProject = (paths: readonly string[]) =>
    paths.flatMap((path) => pathInProject(contract, path) ?? []);
  const bound = (state.evidence.bindings[contract.run] ?? []).flatMap(({ reference }) =>
    reference.type === "path" ? reference.path : [],
  );
  const files = {
    paths: inProject(tree.paths ?? []),
    observed: [...bound, ...inProject(realChanges(contract, tree))],
  };
  return focusedFiles(run.graph, contract, files, limit);
}
