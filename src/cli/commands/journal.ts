import { closeSync, openSync, readSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { HoldfastError } from "../../errors.ts";
import type { Head } from "../../journal/index.ts";
import { addCommand, addGroup, type Call, carriedOutBy, position } from "../command.ts";
import { EXIT } from "../failure.ts";
import { gathered } from "../gathered.ts";
import { headStatedIn } from "../noted-head.ts";
import type { Reply } from "../output.ts";
import { progressOf } from "../progress.ts";
import { inProject } from "../project.ts";
import { counted, reasonOf } from "../text.ts";
import type { ExportedJournal, JournalHead } from "../view-schemas.ts";
import { verificationText } from "../views/journal.ts";
import { registerUpkeep } from "./upkeep.ts";

/** Bytes of an export that are read in one go. */
const READ_BYTES = 1_048_576;

export function registerJournal(program: Command): void {
  const journal = addGroup(
    program,
    "journal",
    "verify, export, import, back up, shed and compact the journal",
  );
  const verify = addCommand(journal, {
    usage: "verify",
    does: "hash the whole chain again, or a part of it",
    example: "journal verify --head 12:9f86d081884c7d65…",
  })
    .option("--head <seq:hash>", "a head noted elsewhere, which has to be part of it", headNoted)
    .option("--against <file>", "the same with the head that a handoff, receipt or export states")
    .option("--from <seq>", "the first event to verify", position)
    .option("--to <seq>", "the last event to verify", position);
  carriedOutBy(verify, verifyJournal);

  const exportCommand = addCommand(journal, {
    usage: "export",
    does: "write the journal as JSON lines, to stdout or to a file",
    example: "journal export --out journal.jsonl",
  })
    .option("--out <file>", "the file; --json then answers with { events, head }")
    .option("--force", "replace the file where it exists");
  carriedOutBy(exportCommand, exportJournal);

  const importCommand = addCommand(journal, {
    usage: "import",
    does: "take an exported journal into an empty one: whole or not at all",
    example: "journal import journal.jsonl --dir new-folder",
  }).argument("<file>", "the export");
  carriedOutBy(importCommand, importJournal);

  const backup = addCommand(journal, {
    usage: "backup",
    does: "copy the journal into one file, while others may go on writing",
    example: "journal backup ../journal-backup.sqlite",
  })
    .argument("<file>", "the copy")
    .option("--force", "replace the file where it exists");
  carriedOutBy(backup, backUpJournal);

  const head = addCommand(journal, {
    usage: "head",
    does: "print the number and the hash of the last event, to be noted elsewhere",
    example: "journal head",
  });
  carriedOutBy(head, showHead);

  registerUpkeep(journal);
}

function headNoted(text: string): Head {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq !== undefined && hash !== undefined) return { seq: Number(seq), hash };
  throw new InvalidArgumentError(
    "It has to be SEQ:HASH as `holdfast journal head` prints it, with all 64 digits.",
  );
}

interface VerifyOptions {
  readonly head?: Head;
  readonly against?: string;
  readonly from?: number;
  readonly to?: number;
}

function verifyJournal(call: Call<VerifyOptions>): Promise<Reply | null> {
  const { head, against, from, to } = call.options;
  if (head !== undefined && against !== undefined) {
    throw new HoldfastError(
      "input/invalid",
      "Both --head and --against say which head has to be part of the journal.",
      "Give one of the two.",
    );
  }
  const noted = against === undefined ? head : headStatedIn(against);
  return inProject(call, { need: "there", toldOfNewer: true }, async ({ engine }) => {
    const progress = progressOf("events verified");
    const verification = await engine.journal
      .verify({
        onProgress: progress.told,
        ...(noted === undefined ? {} : { noted }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
      })
      .finally(progress.end);
    return {
      exitCode: verification.ok ? EXIT.yes : EXIT.journal,
      json: verification,
      text: (paint) => verificationText(verification, paint),
    };
  });
}

async function exportJournal(call: Call<{ out?: string; force?: boolean }>): Promise<Reply | null> {
  const { out, force = false } = call.options;
  return inProject(call, { need: "there", toldOfNewer: true }, async ({ engine, stateDir }) => {
    const lines = counting(engine.journal.export());
    if (out === undefined) {
      for await (const text of gathered(lines)) {
        await call.output.write(text);
        if (call.output.closed) break;
      }
      return null;
    }
    const { assertAnswerPlace, writeNewFile } = await import("../new-file.ts");
    assertAnswerPlace(out, stateDir);
    await writeNewFile(out, { replace: force, text: gathered(lines) });
    const head = await engine.journal.head();
    return {
      json: { events: lines.count, head } satisfies ExportedJournal,
      text: () => `Wrote ${counted(lines.count, "event")} to ${out}`,
    };
  });
}

/** Counts what comes through. */
function counting(lines: AsyncIterable<string>): AsyncIterable<string> & { count: number } {
  const counter = {
    count: 0,
    async *[Symbol.asyncIterator]() {
      for await (const line of lines) {
        counter.count++;
        yield line;
      }
    },
  };
  return counter;
}

async function importJournal(call: Call): Promise<Reply | null> {
  const [file] = call.args as [string];
  const descriptor = openForReading(file);
  try {
    return await inProject(call, { need: "made" }, async ({ engine, existed, stateDir }) => {
      try {
        const report = await engine.journal.import(chunksOf(descriptor, file));
        return {
          json: report,
          text: () =>
            `Imported ${counted(report.imported, "event")}; head ${report.head.seq}:${report.head.hash}${report.torn ? "\nThe last line was torn off and is left out." : ""}`,
        };
      } catch (error) {
        if (!existed) {
          call.output.note(
            `Nothing was imported. The journal that was made for it in ${stateDir} stays, empty: correct the export and import again.`,
          );
        }
        throw error;
      }
    });
  } finally {
    closeSync(descriptor);
  }
}

function openForReading(file: string): number {
  try {
    return openSync(file, "r");
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/** Synchronous, since the import runs in one write transaction. */
function* chunksOf(descriptor: number, file: string): Generator<Uint8Array> {
  for (;;) {
    const buffer = Buffer.allocUnsafe(READ_BYTES); // Each its own: a part of it may be kept.
    let bytes: number;
    try {
      bytes = readSync(descriptor, buffer);
    } catch (cause) {
      throw unreadable(file, cause);
    }
    if (bytes === 0) return;
    yield buffer.subarray(0, bytes);
  }
}

function unreadable(file: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    "input/unreadable",
    `${file} can't be read: ${reasonOf(cause)}.`,
    "Name a file that `holdfast journal export` wrote.",
    { cause },
  );
}

async function backUpJournal(call: Call<{ force?: boolean }>): Promise<Reply | null> {
  const [file] = call.args as [string];
  const { force: replace = false } = call.options;
  return inProject(call, { need: "there" }, async ({ sqlite, stateDir }) => {
    const { assertAnswerPlace } = await import("../new-file.ts");
    assertAnswerPlace(file, stateDir);
    if (sqlite === null) throw new Error("A journal that is there is a file.");
    const backup = await sqlite.backup(file, { replace });
    return {
      json: backup,
      text: () =>
        `Copied ${counted(backup.events, "event")} to ${backup.path}; head ${backup.head.seq}:${backup.head.hash}`,
    };
  });
}

function showHead(call: Call): Promise<Reply | null> {
  return inProject(call, { need: "there" }, async ({ engine }) => {
    const head = await engine.journal.head();
    return { json: { head } satisfies JournalHead, text: () => `${head.seq}:${head.hash}` };
  });
}
