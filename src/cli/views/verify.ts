import type { Verdict } from "../../evidence/index.ts";
import type { Paint } from "../output.ts";
import { counted, oneLine } from "../text.ts";
import type { VerifyResult } from "../view-schemas.ts";
import { type Mark, marked, SCREEN_WIDTH } from "./marks.ts";

const MARK_OF: Readonly<Record<Verdict, Mark>> = { pass: "yes", fail: "no", inconclusive: "open" };

/** @param planned how many verify commands the task has */
export function verifyText(
  results: readonly VerifyResult[],
  planned: number,
  paint: Paint,
): string {
  if (planned === 0) return "The task has no verify commands.";
  const lines = results.map((result) => {
    const { verdict, exitCode, signal, reason, seq, current, command } = result;
    const end = signal ?? (exitCode === null ? "no exit code" : `exit ${exitCode}`);
    const why = reason === null ? "" : `, ${reason}`;
    const stale = verdict === "pass" && !current ? ", but the tree is another one by now" : "";
    const mark = stale === "" ? MARK_OF[verdict] : "open";
    const text = `${verdict} (${end}${why}${stale}, event ${seq}): ${command}`;
    return marked(mark, oneLine(text, 2 * SCREEN_WIDTH), paint);
  });
  const left = planned - results.length;
  if (left > 0) lines.push(`${counted(left, "more command")} not run; --all goes on regardless.`);
  const done = left === 0 && results.every(({ verdict, current }) => verdict === "pass" && current);
  return [...lines, ...(done ? ["Next: holdfast gate"] : [])].join("\n");
}
