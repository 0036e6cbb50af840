import type { Contract } from "../contract/index.ts";
import type { CriterionNode } from "./schemas.ts";
import type { ProofKind } from "./terms.ts";

type Kind = CriterionNode["kind"];

interface KindRule {
  readonly kind: Kind;
  readonly proofKinds: readonly ProofKind[];
  readonly speaksOf: RegExp;
}

const CHECKED: readonly ProofKind[] = ["behavioral-check", "exact-verifier"];

/** What a criterion's words say about its kind; the first rule that matches decides. */
const KIND_RULES: readonly KindRule[] = [
  {
    kind: "scope",
    proofKinds: ["scoped-diff", "exact-verifier"],
    speaksOf: /\b(?:(?:out[- ]of[- ])?scope|unrelated files?|only changes?|changed files?)\b/i,
  },
  {
    kind: "verification",
    proofKinds: ["exact-verifier"],
    speaksOf:
      /\b(?:verif(?:y|ies|ied|iers?)|tests?(?: \w+){0,2} pass(?:es)?|type-?checks?|lint(?:s|ing)?|builds? pass(?:es)?|exact commands?)\b/i,
  },
  {
    kind: "boundary",
    proofKinds: CHECKED,
    speaksOf:
      /\b(?:invalid|malformed|reject\w*|throw\w*|errors?|\w*Error|fail(?:s|ure|ures)?|negative|fractional|null|undefined|empty input)\b/i,
  },
  {
    kind: "output",
    proofKinds: CHECKED,
    speaksOf: /\b(?:outputs?|returns?|renders?|formats?|serializ\w*|responses?|results?)\b/i,
  },
];

export function kindOf(
  text: string,
  changeMode: Contract["changeMode"],
): { readonly kind: Kind; readonly proofKinds: readonly ProofKind[] } {
  if (changeMode === "read-only") return { kind: "investigation", proofKinds: ["read-evidence"] };
  return (
    KIND_RULES.find((rule) => rule.speaksOf.test(text)) ?? { kind: "behavior", proofKinds: CHECKED }
  );
}
