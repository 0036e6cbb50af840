import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import type { Engine } from "../../engine/index.ts";
import { HoldfastError } from "../../errors.ts";
import type { EventRow } from "../../journal/index.ts";
import { addCommand, type Call, carriedOutBy, position } from "../command.ts";
import { gathered } from "../gathered.ts";
import type { Reply } from "../output.ts";
import { inProject } from "../project.ts";
import { type ShedLookup, shedLookup, shownLine } from "../shed-lookup.ts";
import { eventLine, eventText } from "../views/event.ts";

/** How often a followed journal is looked at again, in milliseconds. */
const FOLLOW_EVERY_MS = 300;

/** Characters of a line where the answer goes to no terminal. */
const LINE_MAX = 240;

export function registerLog(program: Command): void {
  const log = addCommand(program, {
    usage: "log",
    does: "show the events, newest last; with --json each as the line of an export",
    example: "log --type command.observed",
  })
    .option("--run <run>", "only those of one run; - for those of none")
    .option("--type <type>", "only those of one type")
    .option("--follow", "go on with what is appended, until Ctrl-C");
  carriedOutBy(log, showLog);

  const show = addCommand(program, {
    usage: "show",
    does: "show one event whole",
    example: "show 12",
  }).argument("<seq>", "the number of the event", position);
  carriedOutBy(show, showEvent);
}

interface LogOptions {
  readonly run?: string;
  readonly type?: string;
  readonly follow?: boolean;
}

/** Shows what was read and checked; of a damaged journal, up to the damage. */
function showLog(call: Call<LogOptions>): Promise<Reply | null> {
  return inProject(call, { need: "there", toldOfNewer: true }, async ({ engine }) => {
    const { run } = call.options;
    if (run !== undefined && run !== "-") await engine.task(run, call.asking);
    let shownSeq = await showFrom(0, engine, call);
    if (call.options.follow !== true) return null;
    const stop = new AbortController();
    const end = () => stop.abort();
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
    while (!stop.signal.aborted && !call.output.closed && engine.journal.damage === null) {
      await pause(FOLLOW_EVERY_MS, null, { signal: stop.signal }).catch(() => {}); // It was stopped.
      await engine.state();
      shownSeq = await showFrom(shownSeq, engine, call);
    }
    return null;
  });
}

/** @returns the last event that was looked at */
async function showFrom(
  afterSeq: number,
  engine: Engine,
  { options, output }: Call<LogOptions>,
): Promise<number> {
  const { journal } = engine;
  const lineOf = await lineMaker(output.json, output.columns ?? LINE_MAX, shedLookup(engine));
  const { run, type } = options;
  let seq = afterSeq;
  async function* lines(): AsyncGenerator<string> {
    for await (const row of journal.rows(afterSeq)) {
      if (row.header.seq > journal.checkedHead.seq || output.closed) break;
      seq = row.header.seq;
      if (run !== undefined && row.header.run !== run) continue;
      if (type !== undefined && row.header.type !== type) continue;
      yield `${await lineOf(row)}\n`;
    }
  }
  for await (const text of gathered(lines())) await output.write(text);
  return seq;
}

async function lineMaker(
  json: boolean,
  columns: number,
  shedOf: ShedLookup,
): Promise<(row: EventRow) => Promise<string>> {
  const { exportLine, storedEvent } = await import("../../journal/index.ts");
  return json
    ? async (row) => shownLine(exportLine(row), row, await shedOf(row))
    : async (row) => eventLine(storedEvent(row), columns, await shedOf(row));
}

function showEvent(call: Call): Promise<Reply | null> {
  const [seq] = call.args as [number];
  return inProject(call, { need: "there", toldOfNewer: true }, async ({ engine }) => {
    const { checkedHead } = engine.journal;
    const row = seq > checkedHead.seq ? null : await engine.journal.rowAt(seq);
    if (row !== null) {
      const { exportLine, storedEvent } = await import("../../journal/index.ts");
      const event = storedEvent(row);
      const shed = await shedLookup(engine)(row);
      const json = JSON.parse(shownLine(exportLine(row), row, shed)) as unknown;
      return { json, text: () => eventText(event, shed) };
    }
    engine.journal.assertSound(); // Else it may stand behind the damage.
    const { start } = await engine.journal.extent();
    if (seq <= start.seq) {
      throw new HoldfastError(
        "journal/event-unknown",
        `Event ${seq} was removed by a compaction; the journal begins after event ${start.seq}.`,
        "See the events with `holdfast log`.",
      );
    }
    throw new HoldfastError(
      "journal/event-unknown",
      `There is no event ${seq}; the journal goes up to event ${checkedHead.seq}.`,
      "See the events with `holdfast log`.",
    );
  });
}
