/**
 * Draws the state machines as pages of docs/machines, from their definitions and nothing else.
 *
 * `node scripts/draw-machines.ts` writes them; with `--check` it ends with 1 where a page is not
 * what it would write.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { AnyStateMachine, StateNode } from "xstate";
import { contractMachine } from "../src/contract/machine.ts";
import { stepMachine } from "../src/contract/step-machine.ts";
import { planningMachine } from "../src/criteria/machine.ts";
import { trajectoryMachine } from "../src/trajectory/machine.ts";

const ROOT = path.dirname(import.meta.dirname);
const FOLDER = "docs/machines";

interface Page {
  readonly file: string;
  readonly title: string;
  readonly about: string;
  readonly machine: AnyStateMachine;
}

const PAGES: readonly Page[] = [
  {
    file: "contract.md",
    title: "The lifecycle of a run",
    about: "One run of a task, from its start to its end. Defined in `src/contract/machine.ts`.",
    machine: contractMachine,
  },
  {
    file: "plan-step.md",
    title: "A step of the work plan",
    about: "How far one step of the plan is. Defined in `src/contract/step-machine.ts`.",
    machine: stepMachine,
  },
  {
    file: "planning.md",
    title: "The planning of a criterion",
    about:
      "What to work on. There is no state for a criterion that holds: the gate alone says that. Defined in `src/criteria/machine.ts`.",
    machine: planningMachine,
  },
  {
    file: "trajectory.md",
    title: "The phases of a run",
    about:
      "Where the work stands. Each way is narrowed further by the configured path of the task and the rules on skipping, which the guard `mayEnter` holds. Defined in `src/trajectory/machine.ts`.",
    machine: trajectoryMachine,
  },
];

/** The text of each page, by its path in the repository. */
export function machinePages(): ReadonlyMap<string, string> {
  return new Map(PAGES.map((page) => [`${FOLDER}/${page.file}`, pageText(page)]));
}

/** The pages that are not what they should be, given what stands in them (null: nothing). */
export function outdatedPages(read: (file: string) => string | null): readonly string[] {
  return [...machinePages()].flatMap(([file, text]) => (read(file) === text ? [] : file));
}

function pageText({ title, about, machine }: Page): string {
  const lines = ["stateDiagram-v2", ...diagramOf(machine)];
  return [
    `# ${title}`,
    about,
    `\`\`\`mermaid\n${lines.join("\n")}\n\`\`\``,
    "Drawn from the definition by `npm run machines`; don't edit this page.\n",
  ].join("\n\n");
}

/** One line for each way from a state to another, with all that leads along it. */
function diagramOf({ root }: AnyStateMachine): readonly string[] {
  const states = Object.values(root.states);
  const names = states
    .filter(({ key }) => nameOf(key) !== key)
    .map(({ key }) => `  state "${key}" as ${nameOf(key)}`);
  const initial = root.initial.target.map(({ key }) => `  [*] --> ${nameOf(key)}`);
  const ends = states
    .filter(({ type }) => type === "final")
    .map(({ key }) => `  ${nameOf(key)} --> [*]`);
  return [...names, ...initial, ...states.flatMap(waysFrom), ...ends];
}

function waysFrom(state: StateNode): readonly string[] {
  const ways = new Map<string, string[]>();
  for (const { eventType, guard, target } of [...state.transitions.values()].flat()) {
    for (const { key } of target ?? []) {
      const causes = ways.get(key) ?? [];
      ways.set(key, [...causes, `${eventType}${guardText(guard)}`]);
    }
  }
  return [...ways].map(
    ([to, causes]) => `  ${nameOf(state.key)} --> ${nameOf(to)}: ${causes.join(", ")}`,
  );
}

/** The guard's name; the one of the phases stands at each way, so the page says it once. */
function guardText(guard: unknown): string {
  return typeof guard === "string" ? ` [${guard}]` : "";
}

/** Mermaid takes no hyphen in the name of a state. */
const nameOf = (key: string) => key.replaceAll("-", "_");

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  if (values.check) check();
  else draw();
}

function draw(): void {
  mkdirSync(path.join(ROOT, FOLDER), { recursive: true });
  for (const [file, text] of machinePages()) writeFileSync(path.join(ROOT, file), text);
}

function check(): void {
  const outdated = outdatedPages(readText);
  if (outdated.length === 0) return;
  console.error(`Out of date: ${outdated.join(", ")}. Draw them with \`npm run machines\`.`);
  process.exitCode = 1;
}

function readText(file: string): string | null {
  try {
    return readFileSync(path.join(ROOT, file), "utf8");
  } catch {
    return null; // A page that is not there yet.
  }
}
