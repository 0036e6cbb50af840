import { type ContractState, isUsers, type LaterInstruction } from "../contract/index.ts";
import { clipMiddle } from "./clip.ts";
import { QUOTED_MAX } from "./limits.ts";
import type { GateItem } from "./schemas.ts";
import { listedText, pathInProject } from "./tree.ts";

/** Runs of characters that paths without spaces and punctuation are made of. */
const WORDS = /[\p{L}\p{N}_@+./-]+/gu;

/**
 * Changed paths that the user named after the start, for a person to settle: what was meant by it no
 * program can say. No wording is interpreted; a path is named where it stands in the text whole.
 */
export function instructionItems(
  { contract, instructions, amendments }: ContractState,
  changes: readonly string[],
): readonly GateItem[] {
  const paths = changes.flatMap((path) => pathInProject(contract, path) ?? []);
  const isAccepted = (path: string, seq: number) =>
    amendments.some((change) => change.seq > seq && change.scope?.includes(path) === true);
  const items = instructions.recent.flatMap((instruction) => {
    const names = namesIn(instruction);
    const named = paths.filter((path) => names(path) && !isAccepted(path, instruction.seq));
    return named.length === 0 ? [] : itemOf(named, instruction);
  });
  const { unknownSeq } = instructions;
  const isUnknown = unknownSeq !== null && !amendments.some((change) => change.seq > unknownSeq);
  return isUnknown ? [...items, unknownItem(unknownSeq)] : items;
}

/** What of the later instructions is not looked at, or nothing. */
export function instructionWarnings({ instructions }: ContractState): readonly string[] {
  return instructions.recent
    .filter(({ whole }) => !whole)
    .map(
      ({ seq }) => `instructions: of the one at event ${seq} only both ends are kept and compared.`,
    );
}

/** Whether a text names a path. */
function namesIn({ text }: LaterInstruction): (path: string) => boolean {
  const words = new Set(
    (text.match(WORDS) ?? []).map((word) => word.replace(/^\.\//, "").replace(/[./]+$/, "")),
  );
  return (path) => words.has(path) || (!isOneWord(path) && text.includes(path));
}

/** A path with a space, say, is looked for as it is. */
function isOneWord(path: string): boolean {
  return path.match(WORDS)?.[0] === path;
}

/** What the user said binds the task, and nobody knows any more what it was. */
function unknownItem(seq: number): GateItem {
  return {
    code: "instructions-unknown",
    message: `What the user said up to event ${seq} is not known whole any more, so it can't be compared with what changed.`,
    remedy:
      "Have the user say again what still holds, and accept an amendment after it: holdfast criterion propose --file … --reason …",
    command: null,
    by: "person",
  };
}

function itemOf(paths: readonly string[], instruction: LaterInstruction): GateItem {
  const { seq, text, by } = instruction;
  const whose = isUsers(instruction) ? "the user's instruction" : `an instruction from ${by}`;
  const said = clipMiddle(text, QUOTED_MAX);
  const named = listedText(paths);
  return {
    code: "instruction-names-changed",
    message: `What ${whose} at event ${seq} names changed (${named}): "${said}"`,
    remedy: `Put it back as it was; or propose a scope that names it (holdfast criterion propose --file … --reason …) and have the person accept it.`,
    command: null,
    by: "person",
  };
}
