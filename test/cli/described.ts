/** Holds real answers against the JSON Schema files as they are published. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { Compile } from "typebox/schema";
import { expect } from "vitest";

const SCHEMAS = path.join(import.meta.dirname, "../../schemas");

/** The file that describes what each command answers with `--json`. */
export const ANSWERS: Readonly<Record<string, string>> = {
  init: "views/initialized",
  "task start": "views/task-started",
  "task list": "views/task-list",
  "task show": "views/task",
  "task pause": "views/run-moved",
  "task continue": "views/run-moved",
  "task abandon": "views/run-moved",
  "task retry": "views/run-moved",
  "task narrow": "views/scope-narrowed",
  "task instruct": "views/instruction-recorded",
  "import-contract": "views/contract-imported",
  "plan step": "views/plan-moved",
  "plan record": "views/plan-moved",
  phase: "views/phase",
  exec: "views/exec-report",
  verify: "views/verified",
  "evidence add": "views/evidence-bound",
  "context show": "views/context",
  criteria: "views/criteria",
  "criterion approve": "views/criterion-judged",
  "criterion waive": "views/criterion-judged",
  "criterion defer": "views/criterion-judged",
  "criterion propose": "views/amendment-proposed",
  "criterion accept": "views/amendment-accepted",
  gate: "views/gate-report",
  conclude: "views/conclusion",
  resume: "views/resume-decision",
  status: "views/status",
  log: "views/log-line",
  show: "views/log-line",
  takeover: "views/run-taken-over",
  settle: "views/call-settled",
  "journal verify": "views/journal-verification",
  "journal export": "views/journal-exported",
  "journal import": "views/journal-imported",
  "journal backup": "views/journal-backup",
  "journal head": "views/journal-head",
  "journal shed": "views/journal-shed",
  "journal compact": "views/journal-compacted",
  doctor: "views/doctor",
  demo: "views/tour",
};

/** Fails where an answer is not what the file of its command, or of failures, describes. */
export function expectAnswer(words: readonly string[], json: unknown): void {
  const isFailure = Object.hasOwn((json ?? {}) as object, "error");
  expectDescribed(isFailure ? "failure" : fileOf(words), json);
}

/** Fails where an event, as `log` tells it, or its body is not what their files describe. */
export function expectEvent(event: {
  readonly header: { readonly type: string };
  readonly body: unknown;
  readonly shed?: unknown;
}): void {
  expectDescribed("views/log-line", event);
  const { type } = event.header;
  if (event.shed === undefined && !type.startsWith("x.")) {
    expectDescribed(`events/${type}`, event.body);
  }
}

export function expectDescribed(file: string, json: unknown): void {
  const schema = schemaIn(file);
  if (schema.Check(json)) return;
  const [, errors] = schema.Errors(json);
  expect.fail(`schemas/${file}.json does not describe it: ${JSON.stringify(errors.slice(0, 5))}`);
}

function fileOf(words: readonly string[]): string {
  for (const [index, word] of words.entries()) {
    const file = ANSWERS[`${word} ${words[index + 1]}`] ?? ANSWERS[word];
    if (file !== undefined) return file;
  }
  throw new Error(`No file of schemas/ is said to describe what ${words.join(" ")} answers.`);
}

const compiled = new Map<string, ReturnType<typeof Compile>>();

function schemaIn(file: string): ReturnType<typeof Compile> {
  const known = compiled.get(file);
  if (known !== undefined) return known;
  const place = path.join(SCHEMAS, `${file}.json`);
  if (!existsSync(place)) throw new Error(`There is no schemas/${file}.json.`);
  const schema = Compile(JSON.parse(readFileSync(place, "utf8")));
  compiled.set(file, schema);
  return schema;
}
