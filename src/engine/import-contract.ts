import {
  CONTRACT_BYTES_MAX,
  isTaskStarted,
  REQUIRED_ACTIONS,
  readFieldsOfV1,
  warningsOnV1,
} from "../contract/index.ts";
import { HoldfastError } from "../errors.ts";
import { canonicalText, type JsonValue, portableSha256 } from "../journal/index.ts";
import type { Redactor } from "../redaction/index.ts";
import { type Command, decidedBody, runsOf } from "../task/index.ts";
import type { Asking } from "./answer.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { ContractArchive, EnginePorts } from "./ports.ts";
import type { ImportedContract } from "./view-schemas.ts";

type Importing = Extract<Command, { type: "importContract" }>;

interface Doors {
  readonly dispatcher: Dispatcher;
  readonly ports: Pick<EnginePorts, "archive" | "redactor" | "sha256">;
}

/**
 * Makes a run of a contract of version 1, given as the bytes of its file. They are archived before the
 * run begins, and not at all where it is refused. What a file is imported by is its content: the same
 * bytes again change nothing.
 */
export async function importContract(
  { dispatcher, ports }: Doors,
  bytes: Uint8Array,
  { session }: Pick<Asking, "session">,
): Promise<ImportedContract> {
  const archive = archiveOf(ports);
  const text = textOf(bytes);
  const contract = contractIn(text);
  const digest = (ports.sha256 ?? portableSha256)(text);
  const command: Importing = {
    type: "importContract",
    contract: readFieldsOfV1(contract),
    archive: { digest, bytes: bytes.length },
  };
  const asking = { session, key: `import-contract:${digest}` };
  await assertAcceptable(dispatcher, command, asking);
  assertStorable(command.contract, { text, value: contract }, ports.redactor);
  const path = await archive.keep(digest, text);
  const { refusal, events, head } = await dispatcher.dispatch(command, asking);
  if (refusal !== null) throw HoldfastError.of(refusal);
  const body = decidedBody(events[0]?.body ?? {});
  if (!isTaskStarted(body) || body.migratedFrom === undefined) {
    throw new Error("A contract was imported, and its run does not say so.");
  }
  const { taskId, run, attempt } = body.contract;
  const { status, outcome } = body.migratedFrom;
  return {
    taskId,
    run,
    attempt,
    status: status === "historical-unverifiable" ? "historical" : "open",
    migration: { status, requiredAction: REQUIRED_ACTIONS[status], claimedOutcome: outcome },
    archive: { path, digest, bytes: bytes.length },
    head,
    warnings: [...warningsOnV1(contract), ...(body.warnings ?? [])],
  };
}

/** Decides on it before anything is kept, so that what is refused leaves nothing behind. */
async function assertAcceptable(
  dispatcher: Dispatcher,
  command: Importing,
  asking: Asking,
): Promise<void> {
  dispatcher.journal.assertSound();
  dispatcher.journal.assertWritable();
  const refusal = await dispatcher.refusalOf(command, asking);
  if (refusal === null || refusal.code === "tree/moved") return;
  const runs = runsOf(await dispatcher.state());
  const { digest } = command.archive;
  if (runs.some(({ task }) => task.migratedFrom?.archive.digest === digest)) return;
  throw HoldfastError.of(refusal);
}

function archiveOf({ archive }: Doors["ports"]): ContractArchive {
  if (archive !== undefined) return archive;
  throw new HoldfastError(
    "input/invalid",
    "This engine was opened without an archive, so there is no place for the contract's bytes.",
    "Open it with `archive`, or on a project folder.",
  );
}

/** @throws HoldfastError `contract/file-too-large`, `input/invalid` */
function textOf(bytes: Uint8Array): string {
  if (!(bytes instanceof Uint8Array)) {
    throw notReadable("has to be given as bytes", "Pass the content of its file, unchanged.");
  }
  if (bytes.length > CONTRACT_BYTES_MAX) {
    throw new HoldfastError(
      "contract/file-too-large",
      `The contract has more than ${CONTRACT_BYTES_MAX} bytes, which no contract of version 1 has.`,
      "Import the file as version 1 wrote it.",
    );
  }
  try {
    // With the mark at its beginning, where it has one: what is archived are its bytes.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw notReadable("is no UTF-8 text", "Import the file as version 1 wrote it.", cause);
  }
}

/** @throws HoldfastError `input/invalid`, `contract/version-unsupported` */
function contractIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw notReadable(`is no JSON: ${reason}`, "Import the file as version 1 wrote it.", cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw notReadable("is no JSON object", "Import the file as version 1 wrote it.");
  }
  const contract = value as Readonly<Record<string, unknown>>;
  const version = Object.hasOwn(contract, "schemaVersion") ? contract.schemaVersion : undefined;
  if (version === 1) return contract;
  throw new HoldfastError(
    "contract/version-unsupported",
    version === 2
      ? "The contract is of version 2 already, so there is nothing to bring up to date."
      : `The file is no contract of version 1: its schemaVersion ${version === undefined ? "is missing" : `is ${JSON.stringify(version).slice(0, 40)}`}.`,
    version === 2
      ? "A task of version 2 begins with `holdfast task start`; a whole journal is taken over with `holdfast journal import`."
      : "Name a file that holds one.",
  );
}

/** @throws HoldfastError `journal/not-canonical`, `contract/secret-in-file` */
function assertStorable(
  read: unknown,
  { text, value }: { readonly text: string; readonly value: unknown },
  redactor: Redactor,
): void {
  canonicalText(read as JsonValue);
  // The archive keeps every byte. What is written with escapes shows in the value, what a later field
  // of the same name hides shows in the text.
  if (!redactor.text(text).redacted && redactor.value(value).redacted === 0) return;
  throw new HoldfastError(
    "contract/secret-in-file",
    "The contract holds what looks like a secret, so its exact bytes can't be archived.",
    "Make a copy of the file, take the secret out there, and import the copy.",
  );
}

function notReadable(what: string, remedy: string, cause?: unknown): HoldfastError {
  return new HoldfastError("input/invalid", `The contract ${what}.`, remedy, { cause });
}
