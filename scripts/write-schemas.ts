/**
 * Writes JSON Schema files to `schemas/`, from the definitions in the sources and nothing else.
 *
 * `node scripts/write-schemas.ts` writes them; with `--check` it ends with 1 where a file is not
 * what it would write.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { TObject, TSchema } from "typebox";
import { JOURNAL_COMPACTED, JOURNAL_OPENED, JOURNAL_SHED } from "../src/journal/index.ts";
import { Hash } from "../src/schemas.ts";
import { COMMAND_DIGEST, EVENT_TYPES } from "../src/task/index.ts";
import { SchemaDocs } from "./schema-docs.ts";

const ROOT = path.dirname(import.meta.dirname);
const FOLDER = "schemas";

/** Each file that is no event, with the name of its definition in the sources. */
const FILES: Readonly<Record<string, string>> = {
  "task-draft": "TaskDraft",
  contract: "Contract",
  command: "Command",
  "criterion-graph": "CriterionGraph",
  "export-line": "ExportLine",
  failure: "FailureAnswer",
  "views/amendment-accepted": "AcceptedAnswer",
  "views/amendment-proposed": "ProposedAnswer",
  "views/completion-receipt": "CompletionReceipt",
  "views/conclusion": "ConcludedTask",
  "views/criteria": "ShownCriteria",
  "views/criterion-judged": "JudgedCriterion",
  "views/context": "ContextPack",
  "views/contract-imported": "ImportedContract",
  "views/doctor": "Examination",
  "views/evidence-bound": "BoundEvidence",
  "views/exec-report": "ExecReport",
  "views/gate-report": "GateReport",
  "views/initialized": "Initialized",
  "views/instruction-recorded": "InstructedAnswer",
  "views/journal-backup": "Backup",
  "views/journal-compacted": "CompactionReport",
  "views/journal-exported": "ExportedJournal",
  "views/journal-head": "JournalHead",
  "views/journal-imported": "ImportReport",
  "views/journal-shed": "ShedAnswer",
  "views/journal-verification": "Verification",
  "views/log-line": "LogLine",
  "views/phase": "ShownPhase",
  "views/plan-moved": "MovedPlan",
  "views/resume-decision": "ResumeDecision",
  "views/run-moved": "MovedRun",
  "views/run-taken-over": "TakenOver",
  "views/scope-narrowed": "NarrowedAnswer",
  "views/call-settled": "Settled",
  "views/status": "ProjectStatus",
  "views/task": "ShownTask",
  "views/task-list": "TaskList",
  "views/task-started": "StartedTask",
  "views/tour": "Tour",
  "views/verified": "Verified",
};

/** The journal's own events; they carry no command's digest. */
const OF_THE_JOURNAL: readonly string[] = [JOURNAL_OPENED, JOURNAL_SHED, JOURNAL_COMPACTED];

/**
 * The text of each file, by its path in the repository.
 *
 * Which events there are is read from what is folded, so that none is forgotten.
 *
 * @throws Error where an event or a file has no definition
 */
export async function schemaFiles(): Promise<ReadonlyMap<string, string>> {
  const definitions = await readDefinitions();
  const named = (name: string): TSchema => {
    const schema = definitions.get(name);
    if (schema === undefined) throw new Error(`Nothing exports ${name}Schema.`);
    return schema;
  };
  const events = [...EVENT_TYPES, ...OF_THE_JOURNAL].map(
    (type) => [`events/${type}`, type, stored(type, named(nameOfEvent(type)))] as const,
  );
  const others = Object.entries(FILES).map(([file, name]) => [file, name, named(name)] as const);
  return new Map(
    [...others, ...events].map(([file, title, schema]) => [
      `${FOLDER}/${file}.json`,
      textOf(file, title, schema),
    ]),
  );
}

/** The files that are not what they should be, given what stands in them (null: nothing). */
export async function outdatedFiles(
  read: (file: string) => string | null,
  existing: readonly string[],
): Promise<readonly string[]> {
  const files = await schemaFiles();
  const changed = [...files].flatMap(([file, text]) => (read(file) === text ? [] : file));
  return [...changed, ...existing.filter((file) => !files.has(file))];
}

/** The files in the folder, by their path in the repository. */
export function existingFiles(): readonly string[] {
  return globSync(`${FOLDER}/**/*.json`, { cwd: ROOT }).toSorted();
}

/** `plan.step-moved` is defined as `PlanStepMoved`. */
function nameOfEvent(type: string): string {
  return type.replaceAll(/(?:^|[.-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The body as it is stored: the first event of a command with a key holds the command's digest. */
function stored(type: string, schema: TSchema): TSchema {
  if (OF_THE_JOURNAL.includes(type)) return schema;
  const { properties } = schema as TObject;
  return { ...schema, properties: { ...properties, [COMMAND_DIGEST]: Hash } };
}

function textOf(file: string, title: string, schema: TSchema): string {
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:holdfast:schema:${file}`,
    title,
    ...schema,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Each exported schema of the sources with its descriptions, by its name without the suffix. */
async function readDefinitions(): Promise<ReadonlyMap<string, TSchema>> {
  const docs = new SchemaDocs();
  const schemas = new Map<string, TSchema>();
  for (const file of globSync("src/*/{schemas,view-schemas}.ts", { cwd: ROOT }).toSorted()) {
    const absolute = path.join(ROOT, file);
    const exported: Record<string, TSchema> = await import(absolute);
    docs.read(absolute, exported);
    for (const [name, schema] of Object.entries(exported)) {
      if (name.endsWith("Schema")) schemas.set(name.slice(0, -"Schema".length), schema);
    }
  }
  return new Map([...schemas].map(([name, schema]) => [name, docs.described(schema)]));
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  if (values.check) await check();
  else await write();
}

async function write(): Promise<void> {
  const files = await schemaFiles();
  rmSync(path.join(ROOT, FOLDER), { recursive: true, force: true });
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(ROOT, file)), { recursive: true });
    writeFileSync(path.join(ROOT, file), text);
  }
}

async function check(): Promise<void> {
  const outdated = await outdatedFiles(readText, existingFiles());
  if (outdated.length === 0) return;
  console.error(`Out of date: ${outdated.join(", ")}. Write them with \`npm run schemas\`.`);
  process.exitCode = 1;
}

function readText(file: string): string | null {
  try {
    return readFileSync(path.join(ROOT, file), "utf8");
  } catch {
    return null; // A file that is not there yet.
  }
}
