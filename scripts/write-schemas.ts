/**
 * Writes JSON Schema files to `schemas/`, from the definitions in the sources and nothing else.
 *
 * `node scripts/write-schemas.ts` writes them; with `--check` it ends with 1 where a file is not
 * what it would write.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";
import type { TObject, TSchema } from "typebox";
import { JOURNAL_COMPACTED, JOURNAL_OPENED, JOURNAL_SHED } from "../src/journal/index.ts";
import { Hash } from "../src/schemas.ts";
import { COMMAND_DIGEST, EVENT_TYPES } from "../src/task/index.ts";

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
  "views/completion-receipt": "CompletionReceipt",
  "views/conclusion": "ConcludedTask",
  "views/criteria": "ShownCriteria",
  "views/criterion-judged": "JudgedCriterion",
  "views/doctor": "Examination",
  "views/evidence-bound": "BoundEvidence",
  "views/exec-report": "ExecReport",
  "views/gate-report": "GateReport",
  "views/initialized": "Initialized",
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

/** A definition as the sources have it: the export without its suffix, and what stands above it. */
interface Definition {
  readonly schema: TSchema;
  readonly description: string | null;
}

/**
 * The text of each file, by its path in the repository.
 *
 * Which events there are is read from what is folded, so that none is forgotten.
 *
 * @throws Error where an event or a file has no definition
 */
export async function schemaFiles(): Promise<ReadonlyMap<string, string>> {
  const definitions = await readDefinitions();
  const named = (name: string): Definition => {
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`Nothing exports ${name}Schema.`);
    return definition;
  };
  const events = [...EVENT_TYPES, ...OF_THE_JOURNAL].map(
    (type) => [`events/${type}`, type, stored(type, named(nameOfEvent(type)))] as const,
  );
  const others = Object.entries(FILES).map(([file, name]) => [file, name, named(name)] as const);
  return new Map(
    [...others, ...events].map(([file, title, definition]) => [
      `${FOLDER}/${file}.json`,
      textOf(file, title, definition),
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
function stored(type: string, definition: Definition): Definition {
  if (OF_THE_JOURNAL.includes(type)) return definition;
  const { properties, ...rest } = definition.schema as TObject;
  const schema = { ...rest, properties: { ...properties, [COMMAND_DIGEST]: Hash } };
  return { ...definition, schema };
}

function textOf(file: string, title: string, { schema, description }: Definition): string {
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:holdfast:schema:${file}`,
    title,
    ...(description === null ? {} : { description }),
    ...schema,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Each exported schema of the sources, by its name without the suffix. */
async function readDefinitions(): Promise<ReadonlyMap<string, Definition>> {
  const definitions = new Map<string, Definition>();
  for (const file of globSync("src/*/{schemas,view-schemas}.ts", { cwd: ROOT }).toSorted()) {
    const absolute = path.join(ROOT, file);
    const exported: Record<string, TSchema> = await import(absolute);
    const comments = commentsIn(absolute);
    for (const [name, schema] of Object.entries(exported)) {
      if (!name.endsWith("Schema")) continue;
      const description = comments.get(name) ?? null;
      definitions.set(name.slice(0, -"Schema".length), { schema, description });
    }
  }
  return definitions;
}

/** What the documentation comment above each exported constant says. */
function commentsIn(file: string): ReadonlyMap<string, string> {
  const text = readFileSync(file, "utf8");
  const { comments, program } = parseSync(file, text);
  const found = new Map<string, string>();
  for (const statement of program.body) {
    if (statement.type !== "ExportNamedDeclaration") continue;
    if (statement.declaration?.type !== "VariableDeclaration") continue;
    const above = comments.findLast(({ end }) => end <= statement.start);
    if (above === undefined || !above.value.startsWith("*")) continue;
    if (text.slice(above.end, statement.start).trim() !== "") continue;
    for (const { id } of statement.declaration.declarations) {
      if (id.type === "Identifier") found.set(id.name, sentencesOf(above.value));
    }
  }
  return found;
}

/** A comment's text on one line, without the stars at the beginning of its lines. */
function sentencesOf(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*+/, "").trim())
    .filter((line) => line !== "")
    .join(" ");
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
