import type { CriterionGraph } from "../criteria/index.ts";
import { clipHead } from "../evidence/index.ts";
import { CHARACTERS_PER_TOKEN, GUIDANCE_HINTS_MAX, GUIDANCE_LINES_MAX } from "./limits.ts";
import type { ContextPack } from "./view-schemas.ts";

/** One line for each criterion: what it is, where to look, what would show it, what it waits for. */
export function guidanceLines({ nodes }: CriterionGraph): readonly string[] {
  return nodes.slice(0, GUIDANCE_LINES_MAX).map((node) => {
    const { id, kind, targetHints, proofKinds, dependsOn } = node;
    const parts = [
      ...(targetHints.length === 0
        ? []
        : [`look at ${targetHints.slice(0, GUIDANCE_HINTS_MAX).join(", ")}`]),
      `shown by ${proofKinds.join(" and ")}`,
      ...(dependsOn.length === 0 ? [] : [`after ${dependsOn.join(", ")}`]),
    ];
    return `${id} (${kind}): ${parts.join("; ")}`;
  });
}

interface FileText {
  readonly path: string;
  readonly text: string;
}

/** As much of the files, in their order, as the tokens allow; the last one may be cut. */
export function packed(files: readonly FileText[], tokens: number): ContextPack["files"] {
  let left = tokens * CHARACTERS_PER_TOKEN;
  return files.flatMap(({ path, text }) => {
    left -= path.length;
    if (left <= 0) return [];
    const kept = clipHead(text, left);
    left -= kept.length;
    return [{ path, text: kept, whole: kept.length === text.length }];
  });
}
