import process from "node:process";
import type { Writable } from "node:stream";
import util from "node:util";
import { reasonOf } from "../text.ts";
import type { Chapter, Tour } from "../view-schemas.ts";
import { Stage } from "./stage.ts";
import { STORY } from "./story.ts";
import { Telling } from "./telling.ts";

export interface DemoOptions {
  /** The story as one JSON document instead of text. */
  readonly json: boolean;
  readonly stdout: Writable;
  /** The command line that runs Holdfast, for processes of its own. */
  readonly command: readonly [string, ...string[]];
}

/**
 * The tour: a real repository, a real crash, a real resume. Everything it tells is what the real
 * command answered.
 *
 * @returns 0 when each chapter came out as told, else 1
 */
export async function runDemo({ json, stdout, command }: DemoOptions): Promise<number> {
  const stage = new Stage(command, process.env);
  const write = (text: string) => {
    if (!json) stdout.write(text);
  };
  const styled = (format: Parameters<typeof util.styleText>[0], text: string) =>
    util.styleText(format, text, { stream: stdout as NodeJS.WriteStream });

  write(`${styled("bold", "Holdfast: a task that survives kill -9")}\nin ${stage.folder}\n`);
  const chapters: Chapter[] = [];
  for (const [index, { title, play }] of STORY.entries()) {
    write(`\n${styled("bold", `${index + 1}. ${title}`)}\n`);
    const telling = new Telling(title, stage, (line) => {
      write(`   ${line.startsWith("$ ") ? styled("cyan", line) : line}\n`);
    });
    const goesOn = await played(() => play(telling, stage), telling);
    chapters.push(telling.chapter());
    if (!goesOn) break;
  }
  const ok =
    chapters.length === STORY.length && chapters.every(({ problems }) => problems.length === 0);
  const lookAround = [["status"], ["log"], ["show", "2"]].map((args) => stage.pasteable(...args));
  if (json) {
    const { folder, project } = stage;
    const tour: Tour = { ok, folder, project, chapters, lookAround };
    stdout.write(`${JSON.stringify(tour, null, 2)}\n`);
    return ok ? 0 : 1;
  }
  write(
    `\n${ok ? "Everything came out as told." : "Not everything came out as told: see above."}\n`,
  );
  write(`Look around in ${stage.project}:\n`);
  for (const line of lookAround) write(`   ${line}\n`);
  return ok ? 0 : 1;
}

/** Whether the chapter came to its end. One that breaks off is a finding: each builds on those before. */
async function played(play: () => void | Promise<void>, telling: Telling): Promise<boolean> {
  try {
    await play();
    return true;
  } catch (error) {
    telling.expect(false, `the chapter broke off: ${reasonOf(error)}`);
    return false;
  }
}
