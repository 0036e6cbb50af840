import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import type { CompactionReport, Purged, ShedReport } from "../../engine/index.ts";
import { ERROR_KINDS, HoldfastError } from "../../errors.ts";
import { addCommand, type Call, carriedOutBy, nonEmpty, position } from "../command.ts";
import { EXIT } from "../failure.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import { reasonOf } from "../text.ts";
import type { ShedAnswer } from "../view-schemas.ts";
import { compactionText, shedText } from "../views/upkeep.ts";

/** Commands that change what stands in the journal's past, and say so in it. */
export function registerUpkeep(journal: Command): void {
  const shed = addCommand(journal, {
    usage: "shed",
    does: "take a text, or the free text of events, out of the journal for good",
    example: "journal shed --text-file secret.txt --reason 'a pasted key'",
    appends: true,
  })
    .option("--seq <seq>", "an event; may be given several times", positions)
    .option("--text <text>", "a text (it stands in the shell's history then)")
    .option("--text-file <file>", "a file that holds the text and nothing else; - is stdin")
    .requiredOption("--reason <text>", "why; it stays, so it must not quote the text", nonEmpty)
    .option("--dry-run", "only say what would be shed");
  carriedOutBy(shed, shedFromJournal);

  const compact = addCommand(journal, {
    usage: "compact",
    does: "remove what is long concluded from the journal's beginning",
    example: "journal compact --dry-run",
    appends: true,
  })
    .option("--ceiling <events>", "how many events may stay (default: 5000)", events)
    .option("--dry-run", "only say what would be removed");
  carriedOutBy(compact, compactJournal);
}

function positions(text: string, earlier: readonly number[] = []): readonly number[] {
  return [...earlier, position(text)];
}

function events(text: string): number {
  try {
    return position(text);
  } catch {
    throw new InvalidArgumentError("It has to be a number of events, at least 1.");
  }
}

interface ShedOptions {
  readonly seq?: readonly number[];
  readonly text?: string;
  readonly textFile?: string;
  readonly reason: string;
  readonly dryRun?: boolean;
}

async function shedFromJournal(call: Call<ShedOptions>): Promise<Reply | null> {
  const { seq, reason, dryRun = false } = call.options;
  const text = textOf(call.options);
  let shed: ShedReport | null = null;
  let folder = "";
  const reply = await inProject(call, { need: "there" }, async ({ engine, stateDir }) => {
    folder = stateDir;
    const target = text === null ? { seq: seq ?? [] } : { text };
    shed = await engine.journal.shed({ ...target, reason, dryRun }, call.asking);
    return {
      exitCode: exitCodeOf(shed, shed.remaining.length > 0, dryRun),
      json: shed,
      text: () => "",
    };
  });
  if (reply === null || shed === null) return reply;
  // Only now, since the journal must not be open while its files are read.
  const files = text === null ? null : await filesIn(folder, text, call);
  const report: ShedReport = shed;
  return {
    ...reply,
    json: { ...report, files: files ?? [] } satisfies ShedAnswer,
    text: (paint) => shedText(report, { files, dryRun }, paint),
  };
}

async function filesIn(folder: string, text: string, { output }: Call): Promise<readonly string[]> {
  const { filesHolding } = await import("../files-holding.ts");
  const { holding, unreadable } = filesHolding(folder, text);
  for (const file of unreadable) output.note(`${file} can't be read, so it may hold the text.`);
  return holding;
}

/** The text that is meant; null where events are named instead. */
function textOf({ seq, text, textFile }: ShedOptions): string | null {
  if ([seq, text, textFile].filter((given) => given !== undefined).length !== 1) {
    throw new HoldfastError(
      "input/invalid",
      "Exactly one of --seq, --text and --text-file says what is to be shed.",
      "See: holdfast journal shed --help",
    );
  }
  return textFile === undefined ? (text ?? null) : textIn(textFile);
}

/** Without the newline that editors and `echo` put at the end. */
function textIn(file: string): string {
  try {
    const bytes = readFileSync(file === "-" ? 0 : file);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes)
      .replace(/\r?\n$/, "");
  } catch (cause) {
    const name = file === "-" ? "Standard input" : file;
    throw new HoldfastError(
      "input/unreadable",
      `${name} can't be read as UTF-8 text: ${reasonOf(cause)}.`,
      "Name a file that holds the text and nothing else, or - for stdin.",
      { cause },
    );
  }
}

interface CompactOptions {
  readonly ceiling?: number;
  readonly dryRun?: boolean;
}

function compactJournal(call: Call<CompactOptions>): Promise<Reply | null> {
  const { ceiling, dryRun = false } = call.options;
  return inProject(call, { need: "there" }, async ({ engine }) => {
    const wish = ceiling === undefined ? { dryRun } : { dryRun, ceiling };
    const report: CompactionReport = await engine.journal.compact(wish, call.asking);
    return {
      exitCode: exitCodeOf(report, report.heldBy.length > 0, dryRun),
      json: report,
      text: (paint) => compactionText(report, dryRun, paint),
    };
  });
}

function exitCodeOf({ purgeProblem }: Purged, isLeft: boolean, dryRun: boolean): number {
  if (purgeProblem !== null && !dryRun) {
    return ERROR_KINDS[purgeProblem.code] === "busy" ? EXIT.busy : EXIT.journal;
  }
  return isLeft ? EXIT.no : EXIT.yes;
}
