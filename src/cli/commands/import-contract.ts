import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type { Command } from "commander";
import { CONTRACT_BYTES_MAX } from "../../contract/index.ts";
import { HoldfastError } from "../../errors.ts";
import { addCommand, type Call, carriedOutBy } from "../command.ts";
import type { Reply } from "../output.ts";
import { inProject, type Project } from "../project.ts";
import { reasonOf } from "../text.ts";
import { importedText } from "../views/task.ts";

export function registerImportContract(program: Command): void {
  // Its content is its key: the same file again is the same import.
  const command = addCommand(program, {
    usage: "import-contract",
    does: "make a run of a contract of version 1, and archive its file as it is",
    example: "import-contract task-contract.json",
  }).argument("<file>", "the contract as JSON; - reads it from stdin");
  carriedOutBy(command, importContract);
}

async function importContract(call: Call): Promise<Reply | null> {
  const [file] = call.args as [string];
  const bytes = file === "-" ? contentOf(STDIN, "stdin") : contentOfFile(file);
  const { session } = call.asking;
  const bring = async ({ engine, sqlite }: Project): Promise<Reply | null> => {
    const imported = await engine.importContract(bytes, { session });
    if (sqlite === null) return null;
    for (const warning of imported.warnings) call.output.note(warning);
    return { json: imported, text: () => importedText(imported) };
  };
  // What is refused leaves nothing behind, so it is tried before a journal is made for it.
  const brought = await inProject(call, { need: "there-or-empty" }, bring);
  return brought ?? inProject(call, { need: "made" }, bring);
}

const STDIN = 0;
const READ_BYTES = 65_536;

/** @throws HoldfastError `input/unreadable` also where it is no ordinary file, or changes meanwhile */
function contentOfFile(file: string): Uint8Array {
  const descriptor = opened(file);
  try {
    const before = fstatSync(descriptor, { bigint: true });
    if (!before.isFile()) throw unreadable(file, "it is no ordinary file");
    const bytes = contentOf(descriptor, file);
    const after = fstatSync(descriptor, { bigint: true });
    const isAsBefore = after.mtimeNs === before.mtimeNs && after.ctimeNs === before.ctimeNs;
    if (isAsBefore && (bytes.length > CONTRACT_BYTES_MAX || after.size === BigInt(bytes.length))) {
      return bytes;
    }
    throw unreadable(file, "it changed while it was being read");
  } finally {
    closeSync(descriptor);
  }
}

/** Without waiting for a writer, as a named pipe would have it. */
function opened(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    throw unreadable(file, reasonOf(cause), cause);
  }
}

/** All of it, or one piece more than a contract may have: the engine says that it is too large. */
function contentOf(descriptor: number, file: string): Uint8Array {
  const pieces: Buffer[] = [];
  let length = 0;
  while (length <= CONTRACT_BYTES_MAX) {
    const piece = Buffer.allocUnsafe(READ_BYTES);
    let bytes: number;
    try {
      bytes = readSync(descriptor, piece);
    } catch (cause) {
      throw unreadable(file, reasonOf(cause), cause);
    }
    if (bytes === 0) break;
    pieces.push(piece.subarray(0, bytes));
    length += bytes;
  }
  return Buffer.concat(pieces);
}

function unreadable(file: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError(
    "input/unreadable",
    `The contract ${file} can't be read: ${why}.`,
    "Name a file that holds a contract of version 1 as JSON, or - for stdin.",
    { cause },
  );
}
