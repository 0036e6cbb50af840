import type { CompactionReport, Purged, ShedReport } from "../../engine/index.ts";
import type { Paint } from "../output.ts";
import { counted, labelled } from "../text.ts";
import { marked, SCREEN_WIDTH } from "./marks.ts";

/** Events that are named one by one. */
const NAMED_MAX = 20;

interface ShedContext {
  /** Files that hold the text; null where none was given that could be searched for. */
  readonly files: readonly string[] | null;
  readonly dryRun: boolean;
}

export function shedText(
  { shed, remaining, head, ...purged }: ShedReport,
  { files, dryRun }: ShedContext,
  paint: Paint,
): string {
  const what = counted(shed.length, "event");
  const done = dryRun ? `${what} would be shed` : `${what} shed (event ${head.seq})`;
  const named = shed
    .slice(0, NAMED_MAX)
    .map(({ seq, type, replaced }) => `  event ${seq} ${type}${replaced ? "" : ", all of it"}`);
  const more = shed.length - named.length;
  return [
    shed.length === 0 ? marked("yes", "Nothing in the journal to shed", paint) : done,
    ...named,
    ...(more > 0 ? [`  … ${more} more`] : []),
    ...remaining.flatMap(({ seq, type, why }) => [
      marked("no", `Event ${seq} ${type} goes on holding it.`, paint),
      labelled("  ", why, SCREEN_WIDTH),
    ]),
    ...purgeLines(purged, dryRun, paint),
    ...fileLines(files, paint),
  ].join("\n");
}

function fileLines(files: readonly string[] | null, paint: Paint): readonly string[] {
  if (files === null) {
    return [
      "Files that may quote these events were not searched: only a text can be searched for.",
    ];
  }
  if (files.length === 0) {
    return [marked("yes", "No file of the state folder holds the text", paint)];
  }
  return files.map((file) => marked("open", `${file} holds the text`, paint));
}

export function compactionText(
  { removed, kept, through, tasks, heldBy, head, ...purged }: CompactionReport,
  dryRun: boolean,
  paint: Paint,
): string {
  const done =
    through === null
      ? `${heldBy.length === 0 ? "Nothing to remove" : "Nothing can be removed"}; the journal holds ${counted(kept, "event")}.`
      : `${counted(removed, "event")} ${dryRun ? "would be removed" : "removed"}, up to event ${through.seq}; ${counted(kept, "event")} kept${dryRun ? "" : `; head ${head.seq}:${head.hash}`}`;
  const known =
    through === null ? [] : [`Still known of ${counted(tasks.length, "removed task")}.`];
  return [
    done,
    ...known,
    ...heldBy.flatMap(({ run, taskId, why }) => [
      marked("open", `${taskId} holds what comes after (run ${run}).`, paint),
      labelled("  ", why, SCREEN_WIDTH),
    ]),
    ...purgeLines(purged, dryRun, paint),
  ].join("\n");
}

function purgeLines({ purgeProblem }: Purged, dryRun: boolean, paint: Paint): readonly string[] {
  if (dryRun || purgeProblem === null) return [];
  const { message } = purgeProblem;
  const text = `What was taken out may still be in the journal's file: ${message} The next call that opens the journal tries again.`;
  return [marked("no", text, paint)];
}
