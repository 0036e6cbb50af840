import type { Chapter, TourCommand } from "../view-schemas.ts";
import type { Stage } from "./stage.ts";

/** Tells one chapter: runs commands, says what came of them, and notes what should not be. */
export class Telling {
  readonly #title: string;
  readonly #stage: Stage;
  readonly #hear: (line: string) => void;
  readonly #lines: string[] = [];
  readonly #commands: TourCommand[] = [];
  readonly #problems: string[] = [];

  constructor(title: string, stage: Stage, hear: (line: string) => void) {
    this.#title = title;
    this.#stage = stage;
    this.#hear = hear;
  }

  say(line: string): void {
    this.#lines.push(line);
    this.#hear(line);
  }

  expect(holds: boolean, otherwise: string): void {
    if (holds) return;
    this.#problems.push(otherwise);
    this.say(`NOT AS TOLD: ${otherwise}`);
  }

  /** Runs a command in the project; any other exit code than the expected one is a problem. */
  run(exitCode: number, ...args: readonly string[]): unknown {
    return this.runIn(this.#stage.project, exitCode, ...args);
  }

  runIn(folder: string, exitCode: number, ...args: readonly string[]): unknown {
    const shown = this.#stage.holdfastIn(folder, ...args);
    this.#commands.push(shown);
    this.say(`$ ${shown.command}`);
    this.expect(
      shown.exitCode === exitCode,
      `the exit code was ${shown.exitCode} and should be ${exitCode}. ${shown.stderr.trim()}`,
    );
    return shown.answer;
  }

  chapter(): Chapter {
    return {
      title: this.#title,
      lines: this.#lines,
      commands: this.#commands,
      problems: this.#problems,
    };
  }
}

/** What stands at a place in an answer; undefined where nothing does. */
export function at(answer: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (value as Record<string | number, unknown> | null | undefined)?.[name],
    answer,
  );
}

/** The list at a place in an answer; empty where there is none. */
export function listAt(answer: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = at(answer, ...path);
  return Array.isArray(value) ? value : [];
}
